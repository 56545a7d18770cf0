#include "cli/earlier.hpp"

#include <array>
#include <cerrno>
#include <exception>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/status.hpp"
#include "report/read_json.hpp"

namespace redux::cli {
namespace {

using report::Json;

struct Fact {
  const char* pointer;
  const char* what;
  ExitCode code;
};

constexpr ExitCode kOther = ExitCode::environment;
constexpr std::array kFacts{
    Fact{"/config/sha256", "another config", kOther},
    Fact{"/env/host", "another machine", kOther},
    Fact{"/env/cpu", "another machine", kOther},
    Fact{"/env/cpu_threads", "another machine", kOther},
    Fact{"/env/gpu/name", "another device", kOther},
    Fact{"/env/gpu/uuid", "another device", kOther},
    Fact{"/env/gpu/driver", "another driver", kOther},
    Fact{"/tool/version", "another binary", kOther},
    Fact{"/tool/git", "another binary", kOther},
    Fact{"/tool/build_id", "another binary", kOther},
    Fact{"/env/compiler", "another binary", kOther},
    Fact{"/env/build", "another binary", kOther},
    Fact{"/env/cuda_runtime", "another binary", kOther},
    Fact{"/measure", "other settings", ExitCode::usage},
    Fact{"/handicap", "other settings", ExitCode::usage},
    Fact{"/selection", "other options", ExitCode::usage},
};

Json value_at(const Json& json, const char* pointer) {
  const Json::json_pointer at(pointer);
  return json.contains(at) ? json.at(at) : Json(nullptr);
}

}  // namespace

Earlier::Earlier(const std::string& path) : path_(path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw Failure(ExitCode::usage, "--resume '" + path + "': cannot be read: " +
                                       std::generic_category().message(errno));
  }
  std::string pending;  // a fault, which is none where it is in the last line
  std::size_t line = 0;
  for (std::string text; std::getline(file, text);) {
    if (!pending.empty()) refuse(line, pending);
    ++line;
    if (file.eof()) {  // no newline behind it
      torn_ = true;
      break;
    }
    try {
      take(Json::parse(text), line);
      whole_bytes_ += text.size() + 1;
    } catch (const Json::parse_error& error) {
      pending = error.what();
      torn_ = true;
    } catch (const Json::exception& error) {
      refuse(line, error.what());
    }
  }
}

void Earlier::refuse(std::size_t line, const std::string& why) const {
  throw Failure(ExitCode::usage, "--resume '" + path_ + "': " + path_ + ":" + std::to_string(line) +
                                     ": is no line of a results file: " + why);
}

void Earlier::take(Json json, std::size_t line) {
  const auto& type = json.at("type").get_ref<const std::string&>();
  if (type == "run") {
    if (json.at("schema") != report::kSchemaVersion) {
      refuse(line, "its schema is " + json.at("schema").dump() + ", this program writes " +
                       std::to_string(report::kSchemaVersion));
    }
    const auto& run_id = json.at("run_id").get_ref<const std::string&>();
    if (run_id != run_id_) {  // an earlier round, which is left as it is
      run_id_ = run_id;
      configs_.clear();
    }
    current_ = &configs_[json.at("config").at("name").get<std::string>()];
    current_->complete = false;
    current_->header = std::move(json);
  } else if (current_ == nullptr) {
    refuse(line, "a 'run' line has to come first");
  } else if (type == "end") {
    current_->complete = json.at("complete").get<bool>();
  } else {
    std::string id = json.at("id").get<std::string>();
    current_->cases.insert_or_assign(std::move(id), Held{line, std::move(json)});
  }
}

void Earlier::check(const Json& header) const {
  const auto found = configs_.find(header.at("config").at("name").get<std::string>());
  if (found == configs_.end()) return;
  for (const Fact& fact : kFacts) {
    const Json then = value_at(found->second.header, fact.pointer);
    const Json now = value_at(header, fact.pointer);
    if (then == now) continue;
    throw Failure(fact.code, "--resume '" + path_ + "': its results are of " + fact.what + ": " +
                                 fact.pointer + " of '" + found->first + "' is " +
                                 report::text_of(then) + " there and " + report::text_of(now) +
                                 " now");
  }
}

bool Earlier::complete(const Config& config) const {
  const auto found = configs_.find(config.name);
  return found != configs_.end() && found->second.complete;
}

std::optional<Record> Earlier::find(const Config& config, const Case& c) const {
  const auto of_config = configs_.find(config.name);
  if (of_config == configs_.end()) return std::nullopt;
  const auto found = of_config->second.cases.find(c.id());
  if (found == of_config->second.cases.end()) return std::nullopt;
  const auto& [line, json] = found->second;
  try {
    if (json.at("seed") != c.seed) {
      throw Failure(ExitCode::usage, "--resume '" + path_ + "': the seed of " + c.id() + " is " +
                                         json.at("seed").dump() + " there and " +
                                         std::to_string(c.seed) + " now");
    }
    Record record = report::record_from_json(json, c);
    const bool stays = record.status == Status::ok || record.status == Status::unsupported ||
                       record.status == Status::wrong;
    return stays ? std::optional(std::move(record)) : std::nullopt;
  } catch (const Failure&) {
    throw;
  } catch (const std::exception& error) {
    refuse(line, error.what());
  }
}

}  // namespace redux::cli
