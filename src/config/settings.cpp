#include "config/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

#include "config/fields.hpp"
#include "config/nearest.hpp"

namespace redux {
namespace {

constexpr std::int64_t kMostSamples = 1'000'000;  // each is kept and written to the results
constexpr double kMostSeconds = 86'400.0;
constexpr double kMostThreshold = 10.0;
constexpr std::size_t kMostOverrides = 1'000;  // each is tried on each case
constexpr std::size_t kLongestRegex = 1'000;   // std::regex recurses over the pattern

template <class Enum>
void read_names(const json::Value& value, std::string_view what, std::initializer_list<Enum> all,
                std::vector<Enum>& result, Report& report) {
  std::vector<std::string> names;
  for (const Enum one : all) names.emplace_back(name_of(one));
  const auto* items = read_list(value, fmt::format("{}s ({})", what, listed(names)), report);
  if (items == nullptr) return;
  std::vector<Enum> read;
  for (const json::Value& item : *items) {
    const auto name = read_choice(item, what, names, report);
    if (!name) continue;
    const auto* const one =
        std::ranges::find_if(all, [&name](Enum entry) { return name_of(entry) == *name; });
    if (std::ranges::find(read, *one) != read.end()) {
      report.fault(item, fmt::format("{} {} is listed twice", what, in_quotes(*name)));
    } else {
      read.push_back(*one);
    }
  }
  result = std::move(read);
}

void read_into(const json::Value* value, std::string_view what, std::int64_t& result,
               Report& report) {
  if (value == nullptr) return;
  result = read_integer(*value, what, report, 1, kMostSamples).value_or(result);
}

void read_match(const json::Value& value, GateSettings::Override& result, Report& report) {
  const auto text = read_string(value, "match", report);
  if (!text) return;
  if (text->size() > kLongestRegex) {
    report.fault(value, fmt::format("match is longer than {} characters", kLongestRegex));
    return;
  }
  try {
    const std::regex checked(*text);
    result.match = *text;
  } catch (const std::regex_error& error) {
    report.fault(value, fmt::format("match is no valid regular expression: {} ({})",
                                    in_quotes(*text), error.what()));
  }
}

}  // namespace

MeasureSettings read_measure(const json::Value& value, Report& report) {
  MeasureSettings settings;
  const Fields fields(value, {"modes", "caches", "min_samples", "max_samples", "max_seconds"},
                      report);
  if (const auto* modes = fields.find("modes")) {
    read_names(*modes, "mode", {Mode::graph, Mode::stream}, settings.modes, report);
  }
  if (const auto* caches = fields.find("caches")) {
    read_names(*caches, "cache", {Cache::cold, Cache::warm}, settings.caches, report);
  }
  const json::Value* least = fields.find("min_samples");
  const json::Value* most = fields.find("max_samples");
  read_into(least, "min_samples", settings.min_samples, report);
  read_into(most, "max_samples", settings.max_samples, report);
  if (settings.min_samples > settings.max_samples) {
    report.fault(least != nullptr ? *least : *most,
                 fmt::format("min_samples {}{} is more than max_samples {}{}", settings.min_samples,
                             least == nullptr ? " (the default)" : "", settings.max_samples,
                             most == nullptr ? " (the default)" : ""));
  }
  if (const auto* seconds = fields.find("max_seconds")) {
    settings.max_seconds = read_number(*seconds, "max_seconds", 0, kMostSeconds, report)
                               .value_or(settings.max_seconds);
  }
  return settings;
}

GateSettings read_gate(const json::Value& value, Report& report) {
  GateSettings settings;
  const Fields fields(value, {"threshold", "overrides"}, report);
  if (const auto* threshold = fields.find("threshold")) {
    settings.threshold = read_number(*threshold, "threshold", 0, kMostThreshold, report)
                             .value_or(settings.threshold);
  }
  const auto* overrides = fields.find("overrides");
  if (overrides == nullptr) return settings;
  const auto* items = read_list(*overrides, "objects with match and threshold", report);
  if (items == nullptr) return settings;
  if (items->size() > kMostOverrides) {
    report.fault(*overrides, fmt::format("{} overrides; at most {} are allowed", items->size(),
                                         kMostOverrides));
    return settings;
  }
  for (const json::Value& item : *items) {
    GateSettings::Override override;
    const Fields entry(item, {"match", "threshold"}, report);
    if (const auto* match = entry.require("match", report)) read_match(*match, override, report);
    if (const auto* threshold = entry.require("threshold", report)) {
      override.threshold =
          read_number(*threshold, "threshold", 0, kMostThreshold, report).value_or(0);
    }
    settings.overrides.push_back(override);
  }
  return settings;
}

}  // namespace redux
