// How the variants that read 16 bytes a lane cut rows of features: teams of lanes, tiles.
#pragma once

#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "core/case.hpp"
#include "core/device_facts.hpp"
#include "csr_max/csr.hpp"

namespace redux::csr_max {

inline constexpr int kLaneBytes = 16;
inline constexpr int kMostLanes = 32;  ///< a warp

inline std::int64_t row_bytes_of(const Case& c) {
  return width_of(c) * static_cast<std::int64_t>(size_of(c.dtype));
}

/// Lanes of a team, a power of two up to a warp, and how many teams' tiles a row takes.
struct Tiling {
  int lanes = 1;
  std::int64_t tiles = 1;

  [[nodiscard]] int log_lanes() const { return std::countr_zero(static_cast<unsigned>(lanes)); }
};
inline Tiling tiling_of(const Case& c, int most_lanes = kMostLanes) {
  const std::int64_t parts = std::max<std::int64_t>(ceil_div(row_bytes_of(c), kLaneBytes), 1);
  Tiling tiling;
  while (tiling.lanes < most_lanes && tiling.lanes < parts) tiling.lanes *= 2;
  tiling.tiles = ceil_div(parts, tiling.lanes);
  return tiling;
}

/// For kernels that hold node numbers and the words of a row in 32 bits, and have a tile along y.
inline std::string past_row_limits(const Case& c, std::int64_t tiles) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  constexpr std::int64_t kMostNodes = std::numeric_limits<std::int32_t>::max();
  if (nodes_of(c) > kMostNodes) {
    return "node numbers are 32-bit: " + std::to_string(nodes_of(c)) + " nodes";
  }
  if (row_bytes_of(c) > kMost) return "a row of features has more than 2^32 - 1 bytes";
  if (tiles > 65535)
    return "a row of features takes " + std::to_string(tiles) + " tiles, at most 65535 fit a grid";
  return {};
}

/// Whether the inputs are so small that waiting for them is what takes the time.
inline bool is_small(const Case& c) {
  constexpr std::int64_t kSmallBytes = std::int64_t{2} << 20U;
  const std::int64_t index = c.attributes.index == Index::int64 ? 8 : 4;
  return (edges_of(c) * index) + (nodes_of(c) * row_bytes_of(c)) <= kSmallBytes;
}

/// Log2 of how many teams share a node's edges: more than one only where that leaves each some four
/// edges, a block room for them, and the device room for all.
inline int log_split_for(const Case& c, const DeviceFacts& device, const Tiling& tiling,
                         int block_threads) {
  const std::int64_t nodes = std::max<std::int64_t>(nodes_of(c), 1);
  int log_split = 0;
  while (log_split < 3 && (tiling.lanes << log_split) < block_threads &&
         edges_of(c) / nodes >= (std::int64_t{8} << log_split) &&
         ((nodes * tiling.tiles * tiling.lanes) << (log_split + 1)) <= device.resident_threads()) {
    ++log_split;
  }
  return log_split;
}

/// The first of two reasons that there is.
inline std::string first_of(const std::string& first, const std::string& second) {
  return first.empty() ? second : first;
}

}  // namespace redux::csr_max
