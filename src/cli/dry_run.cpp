// --dry-run: the selected cases with estimates; nothing is allocated, no device is needed.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "cli/modes.hpp"
#include "cli/selection.hpp"
#include "core/op.hpp"
#include "core/variant.hpp"
#include "measure/measure.hpp"
#include "report/json.hpp"
#include "report/progress.hpp"
#include "report/table.hpp"
#include "report/text.hpp"

namespace redux::cli {
namespace {

// A device of the kind that the variants are tuned for. What a case really takes depends on the
// machine; these only have to be of the right size.
constexpr double kAssumedCudaBytesPerUs = 3.0e6;
constexpr double kAssumedHostBytesPerUs = 1.0e4;

DeviceFacts assumed_device(Side side) {
  DeviceFacts facts;
  facts.name = "assumed";
  if (side == Side::host) return facts;
  facts.compute_major = 9;
  facts.multiprocessors = 132;
  facts.shared_bytes_per_block = 232448;
  facts.l2_bytes = 60U << 20U;
  facts.memory_bytes = std::size_t{141} << 30U;
  return facts;
}

struct Estimate {
  std::string id;
  std::size_t memory_bytes = 0;
  double seconds = 0;
  std::string unsupported;
};

/// Every timing goes on for max_seconds at most, and for min_samples batches at least.
double seconds_of(const Case& c, const MeasureSettings& measure) {
  const bool host = c.variant->side == Side::host;
  const std::size_t modes = host ? 1 : measure.modes.size();
  const auto bytes = static_cast<double>(c.op->bytes_moved(c));
  const double call_us = bytes / (host ? kAssumedHostBytesPerUs : kAssumedCudaBytesPerUs);
  const double batch_s = std::max(call_us, kMinBatchUs) / 1e6;
  const double least = static_cast<double>(measure.min_samples) * batch_s;
  const double timing = std::max(least, measure.max_seconds);
  return timing * static_cast<double>(modes * measure.caches.size());
}

Estimate estimate_of(const Case& c, const MeasureSettings& measure, const DeviceFacts& device) {
  Estimate estimate{.id = c.id(), .unsupported = why_unsupported(*c.variant, c, device)};
  if (!estimate.unsupported.empty()) return estimate;
  for (const TensorSpec& spec : c.op->inputs(c)) estimate.memory_bytes += spec.bytes();
  for (const TensorSpec& spec : c.op->outputs(c)) estimate.memory_bytes += spec.bytes();
  estimate.memory_bytes += workspace_bytes(*c.variant, c, device);
  estimate.seconds = seconds_of(c, measure);
  return estimate;
}

report::Json json_of(const std::vector<Estimate>& estimates, double seconds, std::size_t largest) {
  report::Json cases = report::Json::array();
  for (const Estimate& estimate : estimates) {
    cases.push_back({{"id", estimate.id},
                     {"memory_bytes", estimate.memory_bytes},
                     {"seconds", estimate.seconds},
                     {"unsupported", estimate.unsupported}});
  }
  return {{"cases", std::move(cases)}, {"largest_memory_bytes", largest}, {"seconds", seconds}};
}

}  // namespace

ExitCode dry_run(const Options& options) {
  const Selection selection = select(options);
  for (const std::string& notice : selection.notices) {
    fmt::print(stderr, "redux-bench: note: {}\n", notice);
  }
  const bool simt = options.backend == BackendChoice::simt;  // which times nothing
  const DeviceFacts host = assumed_device(Side::host);
  const DeviceFacts device = simt ? simt_backend(options)->device() : assumed_device(Side::cuda);
  std::vector<Estimate> estimates;
  double seconds = 0;
  std::size_t largest = 0;
  for (const Config& config : selection.configs) {
    for (const Case& c : config.cases) {
      const bool on_host = c.variant->side == Side::host;
      estimates.push_back(estimate_of(c, config.measure, on_host ? host : device));
      if (simt) estimates.back().seconds = 0;
      seconds += estimates.back().seconds;
      largest = std::max(largest, estimates.back().memory_bytes);
    }
  }
  if (options.format == Format::json) {
    fmt::print("{}\n", report::pretty_text_of(json_of(estimates, seconds, largest)));
    return ExitCode::ok;
  }
  report::Table table{
      .title = {}, .headers = {"case", "memory", "time up to"}, .rows = {}, .left_aligned = 1};
  for (const Estimate& estimate : estimates) {
    const bool runs = estimate.unsupported.empty();
    table.rows.push_back({{estimate.id},
                          {runs ? report::bytes_text(estimate.memory_bytes) : "-"},
                          {!runs  ? "unsup"
                           : simt ? "-"
                                  : report::duration_text(estimate.seconds)}});
  }
  const bool markdown = options.format == Format::markdown;
  // Ids are never cut: the width only decides whether columns are split into blocks.
  fmt::print("{}\n",
             markdown ? report::markdown_text(table) : report::terminal_text(table, 10000, false));
  if (simt) {
    fmt::print("{} cases; the largest needs {}, all of it on the host; nothing was run\n",
               estimates.size(), report::bytes_text(largest));
    return ExitCode::ok;
  }
  fmt::print(
      "{} cases; the largest needs {} (and more copies to keep caches cold), all of them up to {} "
      "of measuring; nothing was run\n",
      estimates.size(), report::bytes_text(largest), report::duration_text(seconds));
  return ExitCode::ok;
}

}  // namespace redux::cli
