// Pairs between the lanes of a warp, and as words of memory.
#pragma once

#include "common/memory.cuh"
#include "common/warp.cuh"
#include "cumminmax/order.cuh"

namespace redux::cumminmax {

/// A pair in memory: 16 bytes without padding, written and read at once.
template <class O, class Index>
__device__ Word128 slot_of(const Pair<O, Index>& pair) {
  return {word_of(pair.value), static_cast<std::uint64_t>(static_cast<std::int64_t>(pair.index))};
}
/// `P` is the Pair that slot_of() got.
template <class P>
__device__ P pair_of(const Word128& slot) {
  return {value_of<typename P::Storage>(slot.low),
          static_cast<decltype(P::index)>(static_cast<std::int64_t>(slot.high))};
}

/// Inclusive scan over the lanes of a warp.
template <class O, class Index>
__device__ Pair<O, Index> scan_lanes(Pair<O, Index> mine) {
#pragma unroll
  for (int offset = 1; offset < kWarp; offset *= 2) {
    Pair<O, Index> before{shuffle_up(mine.value, offset), shuffle_up(mine.index, offset)};
    if (lane_id() >= offset) {
      before.follow(mine);
      mine = before;
    }
  }
  return mine;
}

/// The pair of the lane before; none for lane 0.
template <class O, class Index>
__device__ Pair<O, Index> shift_lanes(const Pair<O, Index>& mine) {
  const Pair<O, Index> before{shuffle_up(mine.value, 1), shuffle_up(mine.index, 1)};
  return lane_id() == 0 ? Pair<O, Index>::none() : before;
}

/// Best of all lanes, in all lanes, whatever their order.
template <class O, class Index>
__device__ Pair<O, Index> reduce_lanes(Pair<O, Index> mine) {
#pragma unroll
  for (int offset = kWarp / 2; offset > 0; offset /= 2) {
    mine.merge({shuffle_xor(mine.value, offset), shuffle_xor(mine.index, offset)});
  }
  return mine;
}

}  // namespace redux::cumminmax
