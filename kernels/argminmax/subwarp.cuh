// argmax / argmin with a fixed group of lanes a row: the kernel behind subwarp_per_row and
// warp_per_row.
#pragma once

#include "argminmax/launch_rows.cuh"
#include "argminmax/scan.cuh"

namespace redux::argminmax {

/// input [rows, cols] -> indices [rows]. Each group of `Lanes` lanes takes one row; the lanes of
/// groups beyond the last row still take part in the shuffles.
template <class O, int Lanes, int InFlight, int Threads>
__global__ void __launch_bounds__(Threads) lanes_per_row(Rows<typename O::Storage> problem) {
  constexpr int kRowsPerBlock = Threads / Lanes;
  const std::int64_t row = (static_cast<std::int64_t>(blockIdx.x) * kRowsPerBlock) +
                           (static_cast<int>(threadIdx.x) / Lanes);
  const int lane = static_cast<int>(threadIdx.x) % Lanes;
  auto mine = Candidate<O>::none();
  if (row < problem.rows) {
    mine = scan_row<O, InFlight>(problem.input + (row * problem.cols),
                                 static_cast<int>(problem.cols), lane, Lanes);
  }
  mine = merge_lanes<Lanes>(mine);
  if (lane == 0 && row < problem.rows) problem.indices[row] = mine.answer();
}

}  // namespace redux::argminmax
