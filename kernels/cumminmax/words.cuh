// How tiles of lookback hand their best element to later ones.
#pragma once

#include "common/memory.cuh"
#include "cumminmax/tile.cuh"

namespace redux::cumminmax {

inline constexpr std::size_t kHeaderBytes =
    128;  ///< call number and counter, on a line of their own

struct Header {
  std::uint32_t call;   ///< of the last call of which all blocks have begun
  std::uint32_t begun;  ///< blocks of the running call
};

/// What thread 0 of a block knows of the running call.
struct Call {
  std::uint32_t number;   ///< which makes the words of earlier calls invalid
  std::uint32_t earlier;  ///< blocks that had begun
};

/// Asking comes before counting (acquire), or a block might read the next call's number.
__device__ inline Call begin_call(Header* header) {
  const std::uint32_t number = observe_acquire(&header->call) + 1;
  return {number, atomic_count_to(&header->begun, gridDim.x - 1)};
}
/// The last block that began raises the number for the next call, so nothing has to be cleared in
/// between. Apart from begin_call(), so that nobody waits for the count.
__device__ inline void end_call(Header* header, const Call& call) {
  if (call.earlier == gridDim.x - 1) publish(&header->call, call.number);
}

/// The best element of a tile, or of the row up to its end, as one word: the value's bits, then 16
/// bits of the call's number, one that says that the row's beginning is in it, and 47 of index.
template <class O>
struct Word {
  static constexpr std::uint64_t kWhole = std::uint64_t{1} << 47U;
  __device__ static Word128 pack(const Pair<O, std::int64_t>& best, bool whole,
                                 std::uint64_t call) {
    return {word_of(best.value), ((call & 0xFFFFU) << 48U) | (whole ? kWhole : 0) |
                                     static_cast<std::uint64_t>(best.index)};
  }
  __device__ static bool is_of(const Word128& word, std::uint64_t call) {
    return word.high >> 48U == (call & 0xFFFFU);
  }
  __device__ static bool is_whole(const Word128& word) { return (word.high & kWhole) != 0; }
  __device__ static Pair<O, std::int64_t> best(const Word128& word) {
    return {value_of<typename O::Storage>(word.low),
            static_cast<std::int64_t>(word.high & (kWhole - 1))};
  }
};

/// The best element in front of tile `tile` of its row, whose words start at `words`; in all
/// threads. A thread a word: a window of 32 * Warps tiles takes one round trip to the L2 cache.
template <class O, int Warps>
__device__ Pair<O, std::int64_t> look_back(const Word128* words, std::int64_t tile,
                                           std::uint64_t call) {
  using Carry = Pair<O, std::int64_t>;
  struct Found {
    Word128 of_warp[Warps];
  };
  auto& found = shared_object<Found>();
  Carry carry = Carry::none();
  for (std::int64_t at = tile - 1 - static_cast<std::int64_t>(threadIdx.x);; at -= Warps * kWarp) {
    bool whole = at < 0;
    if (at >= 0) {
      Word128 word = observe(words + at);
      while (!Word<O>::is_of(word, call)) word = observe(words + at);
      carry.merge(Word<O>::best(word));
      whole = Word<O>::is_whole(word);
    }
    if (sync_block_or(whole)) break;
  }
  carry = reduce_lanes<kWarp>(carry);
  if (lane_id() == 0) found.of_warp[threadIdx.x / kWarp] = slot_of(carry);
  sync_block();
  return reduce_lanes<Warps>(pair_of<Carry>(found.of_warp[lane_id() % Warps]));
}

}  // namespace redux::cumminmax
