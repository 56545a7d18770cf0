// Candidates for a row's winner, and merging them over a group of lanes, a warp and a block.
#pragma once

#include "argminmax/order.cuh"
#include "common/warp.cuh"

namespace redux::argminmax {

/// The best element that somebody has seen. `index` is kNone until an element was strictly better
/// than the worst value; if that never happens the row's answer is 0.
template <class O, class Position = std::uint32_t>
struct Candidate {
  static constexpr Position kNone = std::numeric_limits<std::make_signed_t<Position>>::max();
  typename O::Key key;
  Position index;

  __device__ static Candidate none() { return {O::key(O::worst()), kNone}; }
  /// One that lies in memory: in one load, or by member where padding would be asked after.
  __device__ static Candidate at(const Candidate& place) {
    if constexpr (kPaddingIsRead) return {place.key, place.index};
    return place;
  }
  __device__ bool loses_to(const Candidate& other) const {
    return other.key > key || (other.key == key && other.index < index);
  }
  __device__ void merge(const Candidate& other) {
    if (loses_to(other)) *this = other;
  }
  __device__ std::int64_t answer() const {
    return index == kNone ? 0 : static_cast<std::int64_t>(index);
  }
};

/// The winner of each aligned group of `Lanes` lanes; all lanes of the group get it.
template <int Lanes, class C>
__device__ C merge_lanes(C mine) {
  if constexpr (Lanes == kWarp) {
    const auto best = warp_max(mine.key);
    mine.index = warp_min(mine.key == best ? mine.index : C::kNone);
    mine.key = best;
  } else {
#pragma unroll
    for (int offset = Lanes / 2; offset > 0; offset /= 2) {
      mine.merge({shuffle_xor(mine.key, offset, Lanes), shuffle_xor(mine.index, offset, Lanes)});
    }
  }
  return mine;
}

/// The winner of a block of `Threads` threads, in all lanes of warp 0 (other warps get something
/// else). Called once a kernel, by all threads.
template <int Threads, class C>
__device__ C merge_block(C mine) {
  constexpr int kWarps = Threads / kWarp;
  struct Partials {
    C of_warp[kWarps];
  };
  mine = merge_lanes<kWarp>(mine);
  if constexpr (kWarps > 1) {
    auto& partials = shared_object<Partials>();
    if (lane_id() == 0) partials.of_warp[threadIdx.x / kWarp] = mine;
    sync_block();
    if (threadIdx.x < kWarp) {  // lanes beyond the last warp repeat it
      mine = merge_lanes<kWarp>(C::at(partials.of_warp[min(lane_id(), kWarps - 1)]));
    }
  }
  return mine;
}

}  // namespace redux::argminmax
