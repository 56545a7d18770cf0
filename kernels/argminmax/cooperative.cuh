// The design of ONNX Runtime pull request 32092: the kernel and host side behind cooperative
// (32-bit positions) and cooperative_int64.
//
// A row is spread over warps and, when it is long enough, over blocks: one wave of threads over the
// device, at least four elements a thread, at most 256 blocks of 256 threads. Threads stride over
// the row with scalar loads, four in flight. Candidates merge by warp shuffles, through shared
// memory and, for a row of several blocks, through scratch that the row's last block to arrive
// reads; a counter a row, cleared by a memset before each call, tells which block that is.
#pragma once

#include "argminmax/candidate.cuh"
#include "argminmax/rows.hpp"
#include "common/memory.cuh"

namespace redux::argminmax {

inline constexpr int kCooperativeThreads = 256;
inline constexpr int kElementsInFlight = 4;

/// A thread's elements of a row, or of a part of one that does not hold its front. Positions are
/// formed from differences only: a sum such as id + step passes 2^31 near the end of the widest
/// rows, and such a position is negative, so it reads out of bounds and the loop never ends.
template <class O, class Position>
__device__ Candidate<O, std::make_unsigned_t<Position>> scan_strided(const typename O::Storage* row,
                                                                     Position cols, Position thread,
                                                                     Position threads,
                                                                     bool holds_front = true) {
  using C = Candidate<O, std::make_unsigned_t<Position>>;
  auto best = O::worst();
  auto index = static_cast<Position>(C::kNone);
  bool front_is_nan = false;
  for (Position id = thread; id < cols;) {
    const Position remaining = cols - id;
    typename O::Value values[kElementsInFlight];
#pragma unroll
    for (int i = 0; i < kElementsInFlight; ++i) {
      const Position delta = i * threads;
      values[i] = delta < remaining ? widen(row[id + delta]) : O::worst();
    }
    if (O::kGuardsFront && id == 0 && holds_front) front_is_nan = values[0] != values[0];
#pragma unroll
    for (int i = 0; i < kElementsInFlight; ++i) {
      if (O::better(O::comparable(values[i]), best)) {
        best = O::comparable(values[i]);
        index = id + (i * threads);
      }
    }
    if (remaining <= kElementsInFlight * threads) break;
    id += kElementsInFlight * threads;
  }
  if (O::kGuardsFront && front_is_nan) return {O::kFrontKey, 0};
  return {O::key(best), static_cast<std::make_unsigned_t<Position>>(index)};
}

/// Merges over the x dimension of a block of (threads a row, rows a block); lane 0 of each row's
/// first warp gets the winner. Called by all threads.
template <class C>
__device__ C merge_row_of_block(C mine) {
  struct Partials {
    C of_warp[kCooperativeThreads / kWarp];
  };
  auto& partials = shared_object<Partials>();
  const int warps = static_cast<int>(blockDim.x) / kWarp;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  mine = merge_lanes<kWarp>(mine);
  if (warps == 1) return mine;
  C* row_partials = partials.of_warp + (threadIdx.y * warps);
  sync_block();  // the row before this one has been read
  if (lane_id() == 0) row_partials[warp] = mine;
  sync_block();
  if (warp == 0) {
    mine = merge_lanes<kWarp>(C::at(row_partials[min(lane_id(), warps - 1)]));
  }
  return mine;
}

/// grid (blocks a row, row groups), block (threads a row, rows). `partials` [rows, blocks a row]
/// and `arrived` [rows] are used only where a row has several blocks.
template <class O, class Position>
__global__ void __launch_bounds__(kCooperativeThreads)
    cooperative_kernel(Rows<typename O::Storage> problem,
                       Candidate<O, std::make_unsigned_t<Position>>* partials,
                       std::uint32_t* arrived) {
  const auto threads = static_cast<Position>(gridDim.x * blockDim.x);
  const auto thread = static_cast<Position>((blockIdx.x * blockDim.x) + threadIdx.x);
  const auto cols = static_cast<Position>(problem.cols);
  const std::int64_t rows_at_once = static_cast<std::int64_t>(gridDim.y) * blockDim.y;
  const std::int64_t first_row = static_cast<std::int64_t>(blockIdx.y) * blockDim.y;
  // All threads of the block go round together, also those whose row is past the end.
  for (std::int64_t base = first_row; base < problem.rows; base += rows_at_once) {
    const std::int64_t row = base + threadIdx.y;
    const bool live = row < problem.rows;
    auto mine = Candidate<O, std::make_unsigned_t<Position>>::none();
    if (live) mine = scan_strided<O>(problem.input + (row * problem.cols), cols, thread, threads);
    mine = merge_row_of_block(mine);
    if (gridDim.x == 1) {
      if (live && threadIdx.x == 0) problem.indices[row] = mine.answer();
      continue;
    }
    // Several blocks a row: blockDim.y is 1, and row is live.
    auto* row_partials = partials + (row * gridDim.x);
    bool& is_last = shared_object<bool>();
    if (threadIdx.x == 0) {
      row_partials[blockIdx.x] = mine;
      fence_device();
      is_last = atomic_increment(arrived + row) == gridDim.x - 1;
    }
    sync_block();
    if (!is_last) continue;
    fence_device();
    mine = Candidate<O, std::make_unsigned_t<Position>>::none();
    if (threadIdx.x < gridDim.x) mine = mine.at(row_partials[threadIdx.x]);
    mine = merge_row_of_block(mine);
    if (threadIdx.x == 0) problem.indices[row] = mine.answer();
  }
}

}  // namespace redux::argminmax
