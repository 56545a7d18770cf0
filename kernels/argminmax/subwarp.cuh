// argmax / argmin with a fixed group of lanes a row: the kernel behind subwarp_per_row and
// warp_per_row.
#pragma once

#include "argminmax/launch_rows.cuh"
#include "argminmax/scan.cuh"

namespace redux::argminmax {

/// input [rows, cols] -> indices [rows]. Each group of `Lanes` lanes takes one row; the lanes of
/// groups beyond the last row still take part in the merge. Aligned and OneRound: see scan_row.
template <class O, int Lanes, int InFlight, int Threads, bool Aligned, bool OneRound>
__global__ void __launch_bounds__(Threads) lanes_per_row(Rows<typename O::Storage> problem) {
  constexpr unsigned kRowsPerBlock = Threads / Lanes;
  const std::int64_t row =
      (static_cast<std::int64_t>(blockIdx.x) * kRowsPerBlock) + (threadIdx.x / Lanes);
  const int lane = static_cast<int>(threadIdx.x % Lanes);
  auto mine = Candidate<O>::none();
  if (row < problem.rows) {
    const Share share{.chunk = static_cast<int>(problem.cols), .thread = lane, .threads = Lanes};
    mine = scan_row<O, InFlight, Aligned, OneRound>(problem, row, share);
  }
  mine = merge_lanes<Lanes>(mine);
  if (lane == 0 && row < problem.rows) problem.indices[row] = mine.answer();
}

/// The instantiation of a group of lanes that has `InFlight` loads a round.
template <int Lanes, int InFlight, int Threads, class O>
auto lanes_kernel(bool aligned, bool one_round) {
  if (!aligned) return lanes_per_row<O, Lanes, InFlight, Threads, false, false>;
  return one_round ? lanes_per_row<O, Lanes, InFlight, Threads, true, true>
                   : lanes_per_row<O, Lanes, InFlight, Threads, true, false>;
}

}  // namespace redux::argminmax
