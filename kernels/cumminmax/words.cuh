// How tiles of lookback hand their best element to later ones.
#pragma once

#include "common/memory.cuh"
#include "cumminmax/tile.cuh"

namespace redux::cumminmax {

inline constexpr std::size_t kHeaderBytes =
    128;  ///< call number and counter, on a line of their own

struct Header {
  std::uint32_t call;   ///< of the last call that has ended
  std::uint32_t ended;  ///< blocks of the running call
};

/// The best element of a tile, or of the row up to its end, as one word: the value's bits, then 16
/// bits of the call's number, one that says that the row's beginning is in it, and 47 of index.
template <class O>
struct Word {
  static constexpr std::uint64_t kWhole = std::uint64_t{1} << 47U;
  __device__ static Word128 pack(const Pair<O, std::int64_t>& best, bool whole,
                                 std::uint64_t call) {
    return {word_of(best.value),
            (call << 48U) | (whole ? kWhole : 0) | static_cast<std::uint64_t>(best.index)};
  }
  __device__ static bool is_of(const Word128& word, std::uint64_t call) {
    return word.high >> 48U == call;
  }
  __device__ static bool is_whole(const Word128& word) { return (word.high & kWhole) != 0; }
  __device__ static Pair<O, std::int64_t> best(const Word128& word) {
    return {value_of<typename O::Storage>(word.low),
            static_cast<std::int64_t>(word.high & (kWhole - 1))};
  }
};

/// The best element in front of tile `tile` of its row, whose words start at `words`; in all
/// threads.
template <class O, int Warps>
__device__ Pair<O, std::int64_t> look_back(const Word128* words, std::int64_t tile,
                                           std::uint64_t call) {
  using Carry = Pair<O, std::int64_t>;
  struct Found {
    Word128 of_warp[Warps];
  };
  auto& found = shared_object<Found>();
  const auto thread = static_cast<std::int64_t>(threadIdx.x);
  Carry carry = Carry::none();
  for (std::int64_t next = tile - 1;; next -= Warps * kWarp) {
    bool whole = next - thread < 0;
    if (next - thread >= 0) {
      Word128 word = observe(words + (next - thread));
      while (!Word<O>::is_of(word, call)) word = observe(words + (next - thread));
      carry.merge(Word<O>::best(word));
      whole = Word<O>::is_whole(word);
    }
    if (sync_block_or(whole)) break;
  }
  carry = reduce_lanes(carry);
  if (lane_id() == 0) found.of_warp[threadIdx.x / kWarp] = slot_of(carry);
  sync_block();
  return reduce_lanes(lane_id() < Warps ? pair_of<Carry>(found.of_warp[lane_id()]) : Carry::none());
}

}  // namespace redux::cumminmax
