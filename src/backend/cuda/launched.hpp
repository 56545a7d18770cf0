// What a variant declares of its launch against what a captured call of it contains.
#pragma once

#include <string>

#include "backend/cuda/graph.hpp"
#include "core/variant.hpp"

namespace redux::cuda {

/// `declared` with the kernels counted; where it names no kernel (a library launches them), with
/// the grid, the block and the function of the one with the most threads. Throws std::logic_error
/// where a call enqueues other nodes, or no kernel of the declared grid, block and shared memory.
Geometry as_launched(const std::string& variant, Geometry declared, const Nodes& found);

}  // namespace redux::cuda
