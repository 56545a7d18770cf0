// Pairs between the lanes of a warp, between warps, and as words of memory.
#pragma once

#include "common/memory.cuh"
#include "common/warp.cuh"
#include "cumminmax/order.cuh"

namespace redux::cumminmax {

/// a / b for non-negative numbers, in 32 bits where both fit: 64-bit division is a long routine.
/// One row of tiles needs none.
__device__ inline std::int64_t quotient(std::int64_t a, std::int64_t b) {
  if (a < b) return 0;
  if (((a | b) >> 32) == 0) return static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b);
  return a / b;
}

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

/// Inclusive scan over the lanes of a warp, of which the first `Lanes` count.
template <int Lanes = kWarp, class O, class Index>
__device__ Pair<O, Index> scan_lanes(Pair<O, Index> mine) {
#pragma unroll
  for (int offset = 1; offset < Lanes; offset *= 2) {
    const Pair<O, Index> before{shuffle_up(mine.value, offset), shuffle_up(mine.index, offset)};
    const bool takes = O::takes_over(mine.value, before.value);
    const bool keeps = lane_id() < offset ? true : takes;
    mine.value = keeps ? mine.value : before.value;
    mine.index = keeps ? mine.index : before.index;
  }
  return mine;
}

/// The pair of the lane before; none for lane 0.
template <class O, class Index>
__device__ Pair<O, Index> shift_lanes(const Pair<O, Index>& mine) {
  const Pair<O, Index> before{shuffle_up(mine.value, 1), shuffle_up(mine.index, 1)};
  return lane_id() == 0 ? Pair<O, Index>::none() : before;
}

/// Best of each `Lanes` lanes, in all of them, whatever their order.
template <int Lanes = kWarp, class O, class Index>
__device__ Pair<O, Index> reduce_lanes(Pair<O, Index> mine) {
#pragma unroll
  for (int offset = Lanes / 2; offset > 0; offset /= 2) {
    mine.merge({shuffle_xor(mine.value, offset), shuffle_xor(mine.index, offset)});
  }
  return mine;
}

/// What is in front of this warp's run within the tile, and in `total` the best of the tile. All
/// threads of the block call it, and have passed a barrier since the last call.
template <class O, int Warps>
__device__ Pair<O, int> scan_warps(const Pair<O, int>& run, Pair<O, int>& total) {
  using Local = Pair<O, int>;
  struct Runs {
    Word128 of_warp[Warps];
  };
  total = run;
  if constexpr (Warps == 1) return Local::none();
  auto& runs = shared_object<Runs>();
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  if (lane_id() == 0) runs.of_warp[warp] = slot_of(run);
  sync_block();
  const Local mine = scan_lanes<Warps>(pair_of<Local>(runs.of_warp[lane_id() % Warps]));
  total = {shuffle(mine.value, Warps - 1), shuffle(mine.index, Warps - 1)};
  const Local in_front{shuffle(mine.value, max(warp - 1, 0)),
                       shuffle(mine.index, max(warp - 1, 0))};
  return warp == 0 ? Local::none() : in_front;
}

}  // namespace redux::cumminmax
