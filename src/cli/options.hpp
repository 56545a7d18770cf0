// The command line, parsed and checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace redux::cli {

enum class Action : std::uint8_t { run, list, list_ops, dry_run, env, help, version };
enum class BackendChoice : std::uint8_t { automatic, cuda, host, simt };
enum class Format : std::uint8_t { text, json, markdown };
enum class Colour : std::uint8_t { automatic, always, never };

/// Part `index` of `count`, counted from 1.
struct Shard {
  std::uint64_t index = 1;
  std::uint64_t count = 1;
};

/// Cases whose id matches are to take `factor` times as long.
struct Handicap {
  std::string match;
  double factor = 1;
};

enum class GbenchRows : std::uint8_t { median, repetitions };

struct Options {
  Action action = Action::run;
  std::vector<std::string> argv;  ///< as given, with the program's name
  std::vector<std::string> configs;
  std::vector<std::string> config_texts;  ///< theirs, for a worker; empty: the files are read
  std::optional<int> worker_channel;      ///< this process is a worker, with that descriptor
  std::optional<std::string> filter;
  std::optional<std::string> exclude;
  std::optional<Shard> shard;
  std::string shard_text;  ///< as given
  BackendChoice backend = BackendChoice::automatic;
  std::optional<int> device;
  std::string simt_schedule;  ///< empty: not given
  std::optional<int> simt_multiprocessors;
  Format format = Format::text;
  bool verify_only = false;
  bool allow_skips = false;
  bool profile_cold = false;
  bool no_isolation = false;
  std::optional<std::int64_t> profile;  ///< calls a case, for a profiler
  std::optional<std::uint64_t> seed;
  std::optional<std::int64_t> min_samples;
  std::optional<std::int64_t> max_samples;
  std::optional<double> max_seconds;
  std::optional<double> timeout;  ///< seconds a case may take
  std::string output;
  std::string resume;  ///< the results file to continue; `output` is then the same
  std::string csv;
  std::string markdown;
  std::string gbench;
  GbenchRows gbench_rows = GbenchRows::median;
  std::vector<Handicap> handicaps;
  Colour colour = Colour::automatic;
  bool quiet = false;
  bool verbose = false;
  std::string text;  ///< what --help and --version print

  [[nodiscard]] bool times() const { return !verify_only && !profile; }
  /// Profilers look at the process that they start.
  [[nodiscard]] bool isolates() const { return !no_isolation && !profile; }
};

/// Throws Failure(usage) that names the option, what was found and what is allowed.
Options parse_options(std::vector<std::string> argv);

const char* name_of(BackendChoice choice);

}  // namespace redux::cli
