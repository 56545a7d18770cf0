// What a results file holds that --resume is to continue.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "cli/selection.hpp"
#include "core/record.hpp"
#include "report/json.hpp"

namespace redux::cli {

/// The last run in the file, which may have segments of several processes.
class Earlier {
 public:
  /// Throws Failure(usage) where `path` cannot be read or a line but the last is none of ours.
  explicit Earlier(const std::string& path);

  /// Empty where the file has no whole line.
  [[nodiscard]] const std::string& run_id() const { return run_id_; }
  /// Up to the end of the last whole line: what follows was cut off as it was written.
  [[nodiscard]] std::uint64_t whole_bytes() const { return whole_bytes_; }
  [[nodiscard]] bool torn() const { return torn_; }

  /// Throws Failure where `header`, that of the same config now, names another machine, config or
  /// binary (environment), or other settings or cases (usage), each with the difference.
  void check(const report::Json& header) const;
  /// That config was measured to its end.
  [[nodiscard]] bool complete(const Config& config) const;
  /// The record of a case that need not run again: one that is ok or unsupported, and one that is
  /// wrong, which no second try makes right. Throws Failure(usage) where it cannot be read.
  [[nodiscard]] std::optional<Record> find(const Config& config, const Case& c) const;

 private:
  struct Held {
    std::size_t line = 0;
    report::Json json;
  };
  struct OfConfig {
    OfConfig() = default;  // NOLINT(bugprone-exception-escape): the library calls it noexcept
    OfConfig(const OfConfig&) = delete;
    OfConfig& operator=(const OfConfig&) = delete;
    ~OfConfig() = default;

    report::Json header;
    std::map<std::string, Held> cases;  ///< by id; of several the last
    bool complete = false;
  };

  void take(report::Json json, std::size_t line);
  [[noreturn]] void refuse(std::size_t line, const std::string& why) const;

  std::string path_;
  std::string run_id_;
  std::map<std::string, OfConfig> configs_;  ///< of that run, by name
  OfConfig* current_ = nullptr;
  std::uint64_t whole_bytes_ = 0;
  bool torn_ = false;
};

}  // namespace redux::cli
