// The host side of balanced and feature_tiled: stretches, scratch and launch.
#pragma once

#include <cstddef>

#include "csr_max/balanced.cuh"
#include "csr_max/launch_csr.cuh"

namespace redux::csr_max {

struct BalancedPlan {
  Tiling tiling;
  std::int64_t stretch = 1;  ///< items of the path a block
  std::int64_t blocks = 0;   ///< a tile
};

/// A team's share has 8 to 128 items: eight neighbours are in flight at once, short shares give
/// every multiprocessor something to do, and long ones make fewer pieces of a hub.
inline BalancedPlan balanced_plan(const Case& c, const DeviceFacts& device, int most_lanes) {
  BalancedPlan plan{.tiling = tiling_of(c, most_lanes)};
  const std::int64_t items = nodes_of(c) + edges_of(c);
  const std::int64_t teams = kBalancedThreads / plan.tiling.lanes;
  const std::int64_t resident =
      std::max<std::int64_t>(device.resident_threads() / plan.tiling.lanes, 1);
  const std::int64_t share = items / resident * plan.tiling.tiles;
  plan.stretch = teams * std::clamp<std::int64_t>(share, 8, 128);
  plan.blocks = ceil_div(items, plan.stretch);
  return plan;
}

/// Counts, then pieces from a 16-byte boundary on.
inline std::size_t balanced_count_bytes(const BalancedPlan& plan) {
  const std::int64_t counts = plan.blocks * plan.tiling.tiles;
  return static_cast<std::size_t>(ceil_div(counts * 4, kLaneBytes) * kLaneBytes);
}
inline std::size_t balanced_scratch_bytes(const BalancedPlan& plan) {
  const std::int64_t pieces = 2 * plan.blocks * plan.tiling.tiles * plan.tiling.lanes;
  return balanced_count_bytes(plan) + (static_cast<std::size_t>(pieces) * sizeof(Saved));
}

inline std::string balanced_unsupported(const Case& c, const BalancedPlan& plan) {
  return first_of(past_row_limits(c, plan.tiling.tiles), past_the_grid(plan.blocks));
}

inline auto balanced_kernel_for(Reads reads) {
  return [reads]<class T>(T) {
    return with_reads<T>(reads, []<Reads R>(Reading<R>) { return balanced_kernel<T, R>; });
  };
}

inline Geometry balanced_geometry(const Case& c, const BalancedPlan& plan) {
  return {.grid = {static_cast<std::uint32_t>(plan.blocks),
                   static_cast<std::uint32_t>(plan.tiling.tiles)},
          .block = {kBalancedThreads},
          .kernels = is_empty(c) ? 0 : 1,
          .function = function_of(c, balanced_kernel_for(reads_of(c)))};
}

inline void balanced_run(const Problem& problem, const Exec& exec, const BalancedPlan& plan) {
  auto* scratch = static_cast<std::byte*>(problem.workspace);
  const Pieces pieces{reinterpret_cast<Saved*>(scratch + balanced_count_bytes(plan)),
                      reinterpret_cast<std::uint32_t*>(scratch)};
  launch_csr(problem, exec, balanced_geometry(*problem.the_case, plan),
             balanced_kernel_for(reads_of(problem)), plan.tiling.lanes, plan.stretch, pieces,
             is_small(*problem.the_case));
}

}  // namespace redux::csr_max
