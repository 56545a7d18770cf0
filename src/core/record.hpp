// What is kept of one case that was run: every writer (JSON Lines, CSV, Markdown, terminal) reads
// this and nothing else. Units are in the names.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/status.hpp"
#include "core/variant.hpp"

namespace redux {

enum class Mode : std::uint8_t { graph, stream };
enum class Cache : std::uint8_t { cold, warm };

constexpr std::string_view name_of(Mode mode) {
  return mode == Mode::graph ? "graph" : "stream";
}
constexpr std::string_view name_of(Cache cache) {
  return cache == Cache::cold ? "cold" : "warm";
}

/// One measured distribution. Times are of one call; a sample is a batch's time divided by its
/// calls. Host variants have no graph: their mode is `stream`.
struct Timing {
  Mode mode = Mode::graph;
  Cache cache = Cache::cold;
  std::int64_t calls_per_sample = 0;
  std::int64_t invalid_samples = 0;    ///< zero, negative or not finite: counted, never used
  std::int64_t throttled_samples = 0;  ///< taken while the clocks were held down: counted and kept
  std::vector<double> samples_us;
  double median_us = 0;
  double mad_us = 0;
  double min_us = 0;
  double p95_us = 0;
  std::array<double, 2> ci95_us{};  ///< distribution-free interval of the median
  bool converged = false;           ///< the interval came within 0.5% of the median
};

/// The first element that differs from the reference.
struct Mismatch {
  std::string output;
  std::int64_t position = 0;  ///< flat index in the output
  std::string got;
  std::string expected;
  std::int64_t copy = 0;  ///< which of the rotating copies
};

struct Verification {
  std::int64_t checked = 0;  ///< elements compared, over all copies
  std::int64_t mismatches = 0;
  std::optional<Mismatch> first;
};

struct LaunchFacts {
  Geometry geometry;
  std::optional<int> registers{};     ///< a thread; nothing where nvcc compiled no kernel
  std::optional<double> occupancy{};  ///< resident warps over the most possible, theoretical
  std::optional<double> waves{};      ///< blocks over those that the device holds at once
  std::optional<std::size_t> static_shared_bytes{};
};

struct Record {
  Case the_case;
  Status status = Status::ok;
  std::string reason;  ///< empty where ok
  std::vector<Timing> timings;
  std::int64_t bytes = 0;                      ///< Op::compulsory_bytes, or bytes_moved
  std::optional<double> gbps;                  ///< from the first cold timing; 1e9 bytes/s
  std::optional<std::int64_t> gathered_bytes;  ///< Op::gathered_bytes
  std::optional<double> gather_gbps;           ///< of those, from the same timing
  std::optional<double> ceiling_share;         ///< gbps over the measured read ceiling of its side
  bool launch_bound = false;                   ///< within 1.5x of the mode's empty-kernel floor
  std::optional<LaunchFacts> launch;           ///< CUDA variants only
  std::size_t workspace_bytes = 0;
  Verification verify;
  std::string repro;  ///< a command line that runs just this case
};

/// Gives an ok record `status`; `reason` grows by sentences: a second fault must not hide the
/// first.
inline void fail(Record& record, Status status, const std::string& reason) {
  if (record.status == Status::ok) record.status = status;
  if (!record.reason.empty()) record.reason += "; ";
  record.reason += reason;
}

/// Empty-kernel times and bandwidth ceilings, measured at the start of each run; nothing for what
/// does not exist here.
struct Ceilings {
  std::optional<double> graph_floor_us;
  std::optional<double> stream_floor_us;
  std::optional<double> read_gbps;
  std::optional<double> copy_gbps;
  std::optional<double> host_floor_us;
  std::optional<double> host_read_gbps;
  std::optional<double> host_copy_gbps;
};

}  // namespace redux
