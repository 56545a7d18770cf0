// A sweep config: JSON text to cases (DESIGN, section 4).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/case.hpp"
#include "core/record.hpp"
#include "core/status.hpp"

namespace redux {

struct MeasureSettings {
  std::vector<Mode> modes{Mode::graph, Mode::stream};
  std::vector<Cache> caches{Cache::cold, Cache::warm};
  std::int64_t min_samples = 20;
  std::int64_t max_samples = 200;
  double max_seconds = 1.0;  ///< a timing of a case; min_samples goes first
};

struct GateSettings {
  struct Override {
    std::string match;  ///< regex on the case id
    double threshold = 0;
  };
  double threshold = 0.05;
  std::vector<Override> overrides;
};

struct Config {
  std::string path;  ///< as given
  std::string name;  ///< [a-z0-9-]+
  std::string description;
  std::string text;    ///< the file's bytes, for a process that is not to read it again
  std::string sha256;  ///< of those
  MeasureSettings measure;
  GateSettings gate;
  std::vector<Case> cases;           ///< expanded; equal ids merged; variants of a problem adjacent
  std::vector<std::string> notices;  ///< e.g. of merged cases
};

/// All that is wrong with a config, each line "file:line:column: message" or
/// "file: /json/pointer: message". what() joins them with newlines.
class ConfigError : public Failure {
 public:
  explicit ConfigError(const std::vector<std::string>& messages);
  [[nodiscard]] const std::vector<std::string>& messages() const { return messages_; }

 private:
  std::vector<std::string> messages_;
};

/// Reads, checks and expands. Throws ConfigError (exit 2) with every fault found.
Config load_config(const std::string& path);
/// The same for text; `path` is used in messages and to resolve files that it names.
Config parse_config(std::string_view text, const std::string& path);

}  // namespace redux
