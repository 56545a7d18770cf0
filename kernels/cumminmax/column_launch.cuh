// The host side of lookback_column and transposed_tile, which differ in how a tile is read.
#pragma once

#include "cumminmax/column_pass.cuh"

namespace redux::cumminmax {

inline std::int64_t blocks_across(const Case& c, const ColumnPlan& plan) {
  return axis_of(c).outer * plan.groups;
}

/// Columns of a tile: all that there are up to `most`, rounded up to a power of two.
inline int columns_for(const Case& c, std::int64_t most) {
  int columns = 1;
  while (columns < most && columns < axis_of(c).inner) columns *= 2;
  return columns;
}

/// One wave, which strides over the tiles: whoever waits, waits for blocks that run.
inline Geometry column_geometry(const Case& c, const DeviceFacts& device, const ColumnPlan& plan,
                                const void* function) {
  const std::int64_t room = device.max_threads_per_multiprocessor / kColumnThreads;
  const std::int64_t wave = std::max<std::int64_t>(std::min<std::int64_t>(room, kColumnBlocks), 1) *
                            device.multiprocessors;
  const std::int64_t tiles = plan.tiles * blocks_across(c, plan);
  return {.grid = {static_cast<std::uint32_t>(std::min(tiles, wave))},
          .block = {kColumnThreads},
          .kernels = is_empty(c) ? 0 : 1,
          .function = function};
}

inline std::size_t column_words_bytes(const Case& c, const ColumnPlan& plan) {
  const std::int64_t words = plan.tiles * blocks_across(c, plan) * plan.columns;
  return kHeaderBytes + (static_cast<std::size_t>(words) * sizeof(Word128));
}

template <class KernelOf>
void launch_columns(const Problem& problem, const Exec& exec, const Geometry& geometry,
                    const ColumnPlan& plan, KernelOf kernel_of) {
  auto* header = static_cast<std::byte*>(problem.workspace);
  launch_lines(problem, exec, geometry, kernel_of, plan, reinterpret_cast<Header*>(header),
               reinterpret_cast<Word128*>(header + kHeaderBytes));
}

}  // namespace redux::cumminmax
