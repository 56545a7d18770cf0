// One thread's share of a row, read 16 bytes at a time.
#pragma once

#include "argminmax/candidate.cuh"

namespace redux::argminmax {

/// An element with its position, while a thread works: compared by value, lower position in front.
template <class O>
struct Seen {
  typename O::Value value;
  int index;

  __device__ void follow(const Seen& later) {
    if (O::better(later.value, value)) *this = later;
  }
};

/// The best of a pack whose first element stands at `position`, as a tree so that comparisons of
/// neighbours do not wait for each other.
template <class O>
__device__ Seen<O> best_of(const Pack<typename O::Storage>& pack, int position) {
  constexpr int kWidth = Pack<typename O::Storage>::kWidth;
  Seen<O> seen[kWidth];
#pragma unroll
  for (int i = 0; i < kWidth; ++i) seen[i] = {O::comparable(widen(pack.values[i])), position + i};
#pragma unroll
  for (int half = 1; half < kWidth; half *= 2) {
#pragma unroll
    for (int i = 0; i < kWidth; i += 2 * half) seen[i].follow(seen[i + half]);
  }
  return seen[0];
}

/// Which vectors (16 bytes of a row, from its first boundary on) a group of threads reads: one run
/// of `chunk` of them a part, because DRAM likes neighbours together.
struct Share {
  int part = 0;    ///< this group's number in the row
  int parts = 1;   ///< groups that the row is cut for
  int chunk = 0;   ///< vectors a part; parts * chunk covers the row
  int thread = 0;  ///< this thread's number in its group
  int threads = 1;
};

/// The best of a thread's elements, taken in rising order so that a strict comparison keeps the
/// lowest index. `InFlight` 16-byte loads are issued before the first is used; OneRound promises
/// that chunk <= InFlight * threads. Loads past the share's end repeat its last vector, which can
/// change nothing. The loop stays rolled: these kernels are short, and fetching instructions is a
/// good part of their time.
///
/// Aligned promises that every row starts and ends on a 16-byte boundary. Else a row may start at
/// any element, and what lies in front of its first boundary and behind its last is read one by
/// one.
///
/// Positions fit in int: cols <= 2^31 - 1, and vectors (cols / 2 at most) plus one round (InFlight
/// * threads, under 2^15) stay below 2^31.
template <class O, int InFlight, bool Aligned, bool OneRound = false>
__device__ Candidate<O> scan_row(const typename O::Storage* row, int cols, const Share& share) {
  using Storage = typename O::Storage;
  constexpr int kWidth = Pack<Storage>::kWidth;
  Seen<O> best{O::worst(), static_cast<int>(Candidate<O>::kNone)};
  bool front_is_nan = false;
  const auto consider = [&](int position) {
    const auto value = widen(row[position]);
    if (O::kGuardsFront && position == 0) front_is_nan = value != value;
    best.follow({O::comparable(value), position});
  };

  int head = 0;
  if constexpr (!Aligned) {
    head = min(cols, elements_to_alignment(row));
    if (share.part == 0) {
      for (int i = share.thread; i < head; i += share.threads) consider(i);
    }
  }
  const int vectors = (cols - head) / kWidth;
  const int begin = share.part * share.chunk;
  const int last = min(begin + share.chunk, vectors) - 1;
  const auto round = [&](int first) {
    Pack<Storage> packs[InFlight];
    int at[InFlight];
#pragma unroll
    for (int i = 0; i < InFlight; ++i) {
      at[i] = head + (min(first + (i * share.threads), last) * kWidth);
      packs[i] = load_pack(row + at[i]);
    }
    if (O::kGuardsFront && at[0] == 0) {
      const auto front = widen(packs[0].values[0]);
      front_is_nan = front != front;
    }
#pragma unroll
    for (int i = 0; i < InFlight; ++i) best.follow(best_of<O>(packs[i], at[i]));
  };
  if constexpr (OneRound && Aligned) {
    round(min(begin + share.thread, last));
  } else {
#pragma unroll 1
    for (int first = begin + share.thread; first <= last; first += InFlight * share.threads) {
      round(first);
    }
  }
  if constexpr (!Aligned) {
    if (share.part == share.parts - 1) {
      // Counted from the tail's start: cols may be so large that a position plus a thread's number
      // passes 2^31, and a negative position would be read.
      const int tail = head + (vectors * kWidth);
      for (int i = share.thread; i < cols - tail; i += share.threads) consider(tail + i);
    }
  }
  if (O::kGuardsFront && front_is_nan) return {O::kFrontKey, 0};
  return {O::key(best.value), static_cast<std::uint32_t>(best.index)};
}

}  // namespace redux::argminmax
