// The lines of a results file (DESIGN, section 6). case_json() is the one list of what is written
// of a record: the JSON Lines file holds it, and the CSV's columns point into it.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/environment.hpp"
#include "config/config.hpp"
#include "core/record.hpp"
#include "report/counts.hpp"

namespace redux::report {

using Json = nlohmann::ordered_json;

/// Results files of another schema are refused by their readers.
inline constexpr int kSchemaVersion = 1;

/// What is the same for every config of one run.
struct RunFacts {
  std::string run_id;
  std::string started;  ///< ISO 8601, UTC
  std::vector<std::string> argv;
  Environment environment;
  bool verify_only = false;               ///< nothing is timed
  std::optional<std::int64_t> profile{};  ///< calls a case, for a profiler
  std::string backend;                    ///< as asked for: auto, cuda, host or simt
  std::string filter;                     ///< empty where not given, as are the next two
  std::string exclude;
  std::string shard;
  std::vector<std::pair<std::string, double>> handicaps = {};  ///< regex on the id, factor
};

Json tool_json();
Json environment_json(const Environment& environment);
/// The "run" line of one config, of which `cases` are selected, in all shards together.
Json run_json(const RunFacts& facts, const Config& config, std::size_t cases,
              const Ceilings& ceilings);
Json case_json(const Record& record);
/// `ceilings`: as they stand at the end, which cases may have raised.
Json end_json(const Counts& counts, bool complete, const std::string& finished,
              const Ceilings& ceilings);

/// Compact text without a newline. Control bytes are escaped, bytes that are not UTF-8 replaced
/// and numbers that are not finite written as null, so that every strict parser accepts it.
std::string text_of(const Json& json);
/// The same over several lines.
std::string pretty_text_of(const Json& json);

}  // namespace redux::report
