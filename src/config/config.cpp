#include "config/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "config/expand.hpp"
#include "config/fields.hpp"
#include "config/nearest.hpp"
#include "config/parse.hpp"
#include "config/settings.hpp"
#include "config/sha256.hpp"
#include "config/sweep.hpp"

namespace redux {
namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kMostFileBytes = std::size_t{16} << 20U;
constexpr std::size_t kLongestConfigName = 100;  // a file's name has 255 bytes at most

std::string joined(const std::vector<std::string>& messages) {
  std::string text;
  for (const std::string& message : messages) {
    if (!text.empty()) text += '\n';
    text += message;
  }
  return text;
}

bool is_config_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestConfigName &&
         std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
         });
}

void read_name(const json::Value& value, Config& config, Report& report) {
  if (value.kind == json::Kind::string && is_config_name(value.text)) {
    config.name = value.text;
  } else {
    report.fault(value,
                 fmt::format("name must be a string of a-z, 0-9 and '-', at most {} of them, since "
                             "it names the baseline's file; found {}",
                             kLongestConfigName, found(value)));
  }
}

void check_version(const json::Value& value, Report& report) {
  const auto version = read_integer(value, "version", report);
  if (version && *version != kVersion) {
    report.fault(value, fmt::format("version {} is not known; this program reads version {}",
                                    *version, kVersion));
  }
}

std::vector<Case> read_sweeps(const json::Value& value, const SweepContext& context) {
  const auto* items = read_list(value, "sweeps", *context.report);
  if (items == nullptr) return {};
  std::vector<Sweep> sweeps;
  std::int64_t total = 0;
  for (const json::Value& item : *items) {
    sweeps.push_back(read_sweep(item, context));
    total = saturating_add(total, sweeps.back().count());
  }
  if (total > context.most_cases) {
    context.report->fault(value, fmt::format("expands to {} cases; at most {} are allowed", total,
                                             context.most_cases));
    return {};
  }
  return expand(sweeps, *context.report);
}

void read_root(const json::Value& root, Config& config, const SweepContext& context) {
  Report& report = *context.report;
  const Fields fields(
      root, {"$schema", "version", "name", "description", "measure", "gate", "sweeps"}, report);
  if (!fields.is_object()) return;
  if (const auto* schema = fields.find("$schema")) read_string(*schema, "$schema", report);
  if (const auto* version = fields.require("version", report)) check_version(*version, report);
  if (const auto* name = fields.require("name", report)) read_name(*name, config, report);
  if (const auto* description = fields.find("description")) {
    config.description = read_string(*description, "description", report).value_or("");
  }
  if (const auto* measure = fields.find("measure")) config.measure = read_measure(*measure, report);
  if (const auto* gate = fields.find("gate")) config.gate = read_gate(*gate, report);
  if (const auto* sweeps = fields.require("sweeps", report)) {
    config.cases = read_sweeps(*sweeps, context);
  }
}

}  // namespace

ConfigError::ConfigError(const std::vector<std::string>& messages)
    : Failure(ExitCode::usage, joined(messages)), messages_(messages) {}

Config parse_config(std::string_view text, const std::string& path, const Registry& registry,
                    std::int64_t most_cases) {
  Report report(path);
  std::vector<json::Fault> faults;
  const auto root = json::parse(text, faults);
  for (const json::Fault& fault : faults) report.fault(fault.place, fault.pointer, fault.message);
  Config config;
  config.path = path;
  config.text = text;
  config.sha256 = sha256_hex(text);
  if (root) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    read_root(*root, config, {&registry, folder, &report, most_cases});
  }
  if (!report.clean()) throw ConfigError(report.messages());
  config.notices = report.notices();
  return config;
}

Config parse_config(std::string_view text, const std::string& path) {
  return parse_config(text, path, Registry::instance());
}

Config load_config(const std::string& path) {
  return load_config(path, Registry::instance());
}

Config load_config(const std::string& path, const Registry& registry) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw ConfigError({path + ": is a folder, not a config file"});
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  const int open_error = errno;
  if (!file) {
    throw ConfigError(
        {fmt::format("{}: cannot be read: {}", path, std::generic_category().message(open_error))});
  }
  // A pipe or a device does not say how much it holds, and may have no end.
  std::string text(kMostFileBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (file.bad()) throw ConfigError({path + ": cannot be read to its end"});
  if (text.size() > kMostFileBytes) {
    throw ConfigError({fmt::format("{}: a config file has at most {} bytes; this one has more",
                                   path, kMostFileBytes)});
  }
  return parse_config(text, path, registry);
}

}  // namespace redux
