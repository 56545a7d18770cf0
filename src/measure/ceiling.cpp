#include "measure/ceiling.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace redux {
namespace {

std::optional<double>& read_ceiling(Ceilings& ceilings, Side side) {
  return side == Side::host ? ceilings.host_read_gbps : ceilings.read_gbps;
}

std::optional<double> floor_of(const Ceilings& ceilings, Side side, Mode mode) {
  if (side == Side::host) return ceilings.host_floor_us;
  return mode == Mode::graph ? ceilings.graph_floor_us : ceilings.stream_floor_us;
}

}  // namespace

void relate_to_ceiling(Backend& backend, Ceilings& ceilings, std::int64_t least_bytes,
                       Record& record) {
  const Side side = backend.side();
  if (!record.timings.empty() && !record.timings.front().samples_us.empty()) {
    constexpr double kLaunchBound = 1.5;
    const Timing& first = record.timings.front();
    const auto floor_us = floor_of(ceilings, side, first.mode);
    record.launch_bound = floor_us && first.median_us <= kLaunchBound * *floor_us;
  }
  const auto cold = std::find_if(record.timings.begin(), record.timings.end(), [](const Timing& t) {
    return t.cache == Cache::cold && !t.samples_us.empty();
  });
  if (cold == record.timings.end()) return;
  // Where a NaN may end a search early, how much was read is the variant's own affair: the time is
  // held against what any must read, and no bandwidth is claimed.
  const bool all_needed = least_bytes >= record.bytes;
  const double gbps =
      static_cast<double>(std::min(least_bytes, record.bytes)) / cold->median_us / 1e3;
  if (all_needed) record.gbps = gbps;
  if (record.gathered_bytes) {
    record.gather_gbps = static_cast<double>(*record.gathered_bytes) / cold->median_us / 1e3;
  }
  if (!read_ceiling(ceilings, side)) return;
  // Either the time is too good or the ceiling was measured on a bad moment: look again, once.
  if (gbps > *read_ceiling(ceilings, side)) backend.measure_ceilings(ceilings);
  const double ceiling = *read_ceiling(ceilings, side);
  if (all_needed) record.ceiling_share = gbps / ceiling;
  if (gbps > ceiling) {
    fail(record, Status::invalid_timing,
         "a cold median of " + std::to_string(cold->median_us) + " us implies " +
             std::to_string(gbps) + " GB/s, more than the measured read ceiling of " +
             std::to_string(ceiling) + " GB/s");
  }
}

}  // namespace redux
