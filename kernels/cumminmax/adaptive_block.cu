// cummax / cummin along rows: the sweep of fixed_16x32 with a block shaped like the tensor.
//
// PyTorch's way: of 512 threads as many a row as make the block's sides stand to each other as the
// tensor's do, 16 at least a side. One row gets 512 threads and 1024 elements a step, which makes
// it some 20 times faster than the fixed block; still one block a row, with a dozen and more
// barriers a step, so that block_per_row, lookback and cluster are well ahead. Any alignment,
// 64-bit positions.
#include <bit>

#include "cumminmax/sweep.cuh"

namespace redux::cumminmax {
namespace {

/// Exponent of the power of two that is at least n.
int log2_above(std::int64_t n) {
  return std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(n, 1) - 1));
}

std::uint32_t threads_a_row(const Case& c) {
  const int difference = log2_above(axis_of(c).length) - log2_above(axis_of(c).outer);
  return 1U << static_cast<unsigned>(std::clamp((9 + difference) / 2, 4, 9));
}

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  return sweep_geometry(c, threads_a_row(c));
}

void run(const Problem& problem, const Exec& exec) {
  launch_lines(problem, exec, geometry_of(*problem.the_case, *exec.device), kSweepKernel);
}

const RegisterVariant adaptive_block{
    {"cummax", "cummin"},
    Variant{
        .name = "adaptive_block",
        .side = Side::cuda,
        .about = "an up-sweep and a down-sweep, the block shaped from rows and columns (PyTorch)",
        .source = __FILE__,
        .unsupported = needs_rows,
        .launch = geometry_of,
        .run = run}};

}  // namespace
}  // namespace redux::cumminmax
