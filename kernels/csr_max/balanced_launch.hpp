// The host side of the kernel behind balanced and feature_tiled (defined in balanced.cu):
// stretches, scratch and launch.
#pragma once

#include <cstddef>
#include <string>

#include "core/variant.hpp"
#include "csr_max/tiling.hpp"

namespace redux::csr_max {

struct BalancedPlan {
  Tiling tiling;
  int log_stretch = 0;      ///< of the items of the path (path.cuh) a block takes
  std::int64_t blocks = 0;  ///< a tile
};

/// `most_lanes`: of 16 bytes, that a tile of a row may take: a power of two up to 32.
BalancedPlan balanced_plan(const Case& c, const DeviceFacts& device, int most_lanes);
std::string balanced_unsupported(const Case& c, const BalancedPlan& plan);
std::size_t balanced_scratch_bytes(const BalancedPlan& plan);
Geometry balanced_geometry(const Case& c, const BalancedPlan& plan);
void balanced_run(const Problem& problem, const Exec& exec, const BalancedPlan& plan);

}  // namespace redux::csr_max
