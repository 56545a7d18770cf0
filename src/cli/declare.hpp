// The options as CLI11 is told of them; options.cpp makes values of what it read.
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"

namespace CLI {
class App;
}

namespace redux::cli {

/// Values as text: they are checked after the parse, with messages of our own.
struct Raw {
  std::string backend = "auto";
  std::string device;
  std::string simt_schedule;
  std::string simt_multiprocessors;
  std::string format;
  std::string shard;
  std::string seed;
  std::string min_samples;
  std::string max_samples;
  std::string max_seconds;
  std::string timeout;
  std::string worker_channel;
  std::string gbench_rows;
  std::string profile;
  std::vector<std::string> handicaps;
  std::string colour = "auto";
  std::string filter;
  std::string exclude;
  bool list = false;
  bool list_ops = false;
  bool dry_run = false;
  bool env = false;
  bool help = false;
  bool version = false;
};

/// Both `options` and `raw` are written to by the parse, so they have to outlive it.
void declare(CLI::App& app, Options& options, Raw& raw);

}  // namespace redux::cli
