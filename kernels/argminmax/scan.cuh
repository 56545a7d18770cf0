// One thread's share of a row, read 16 bytes at a time.
#pragma once

#include "argminmax/candidate.cuh"
#include "argminmax/rows.hpp"

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
/// neighbours do not wait for each other. With Masked only elements in [0, cols) count.
template <class O, bool Masked>
__device__ Seen<O> best_of(const Pack<typename O::Storage>& pack, int position, int cols) {
  constexpr int kWidth = Pack<typename O::Storage>::kWidth;
  Seen<O> seen[kWidth];
#pragma unroll
  for (int i = 0; i < kWidth; ++i) {
    const auto at = static_cast<unsigned>(position) + i;  // unsigned: position may be negative
    const bool counts = !Masked || at < static_cast<unsigned>(cols);
    seen[i] = {counts ? O::comparable(widen(pack.values[i])) : O::worst(), static_cast<int>(at)};
  }
#pragma unroll
  for (int half = 1; half < kWidth; half *= 2) {
#pragma unroll
    for (int i = 0; i < kWidth; i += 2 * half) seen[i].follow(seen[i + half]);
  }
  return seen[0];
}

/// Which vectors (16 bytes, from the boundary at or before the row's start on) a group of threads
/// reads: one run of `chunk` of them a part, because DRAM likes neighbours together. The last part
/// takes what is left.
struct Share {
  int part = 0;    ///< this group's number in the row
  int parts = 1;   ///< groups that the row is cut for
  int chunk = 0;   ///< vectors a part
  int thread = 0;  ///< this thread's number in its group
  int threads = 1;
};

/// The vector at `position` of a row. One that may reach outside the tensor is read element by
/// element, the row's own only. Whoever calls masks what is not the row's.
template <class Storage>
__device__ Pack<Storage> load_within(const Storage* row, int position, int cols, bool interior) {
  constexpr int kWidth = Pack<Storage>::kWidth;
  if (interior || (position >= 0 && position <= cols - kWidth)) return load_pack(row + position);
  Pack<Storage> pack{};
#pragma unroll
  for (int i = 0; i < kWidth; ++i) {
    const auto at = static_cast<unsigned>(position) + i;
    if (at < static_cast<unsigned>(cols)) pack.values[i] = row[static_cast<int>(at)];
  }
  return pack;
}

/// The best of a thread's elements of `row`, taken in rising order so that a strict comparison
/// keeps the lowest index. `InFlight` 16-byte loads are issued before the first is used. Loads past
/// the share's end repeat its last vector, which can change nothing. The loop stays rolled: these
/// kernels are short, and fetching instructions is a good part of their time.
///
/// Aligned promises that every row starts and ends on a 16-byte boundary; OneRound then promises
/// that chunk <= InFlight * threads. Unaligned rows are read from the boundary before them to the
/// one behind, so their first and last vectors hold elements of the neighbours, which are masked.
///
/// Positions are formed so that none passes cols, which may be 2^31 - 1: vectors (at most cols / 2
/// + 1) plus one round (InFlight * threads, under 2^15) stay below 2^31, and a position is a
/// vector's number times its width less the misalignment, in unsigned arithmetic.
template <class O, int InFlight, bool Aligned, bool OneRound = false>
__device__ Candidate<O> scan_row(const Rows<typename O::Storage>& tensor, std::int64_t row,
                                 const Share& share) {
  using Storage = typename O::Storage;
  constexpr int kWidth = Pack<Storage>::kWidth;
  const int cols = static_cast<int>(tensor.cols);
  const Storage* elements = tensor.input + (row * cols);
  const int before = Aligned ? 0 : elements_past_alignment(elements);
  // Far enough from both ends of the tensor for any vector that touches the row.
  const bool interior = row * cols >= kWidth && (tensor.rows - 1 - row) * cols >= kWidth;
  const int vectors =
      static_cast<int>((static_cast<unsigned>(cols) + before + kWidth - 1) / kWidth);
  const int begin = share.part * share.chunk;
  const int last =
      (Aligned || share.part < share.parts - 1 ? min(begin + share.chunk, vectors) : vectors) - 1;
  Seen<O> best{O::worst(), static_cast<int>(Candidate<O>::kNone)};
  typename O::Value front = O::worst();
  if (O::kGuardsFront && !Aligned && begin + share.thread == 0) front = widen(elements[0]);

  const auto round = [&](int first) {
    Pack<Storage> packs[InFlight];
    int at[InFlight];
#pragma unroll
    for (int i = 0; i < InFlight; ++i) {
      const int vector = min(first + (i * share.threads), last);
      at[i] = static_cast<int>((static_cast<unsigned>(vector) * kWidth) - before);
      if constexpr (Aligned) {
        packs[i] = load_pack(elements + at[i]);
      } else {
        packs[i] = load_within(elements, at[i], cols, interior);
      }
    }
    if (O::kGuardsFront && Aligned && at[0] == 0) front = widen(packs[0].values[0]);
#pragma unroll
    for (int i = 0; i < InFlight; ++i) best.follow(best_of<O, !Aligned>(packs[i], at[i], cols));
  };
  if constexpr (OneRound && Aligned) {
    round(min(begin + share.thread, last));
  } else {
#pragma unroll 1
    for (int first = begin + share.thread; first <= last; first += InFlight * share.threads) {
      round(first);
    }
  }
  if (O::kGuardsFront && front != front) return {O::kFrontKey, 0};
  return {O::key(best.value), static_cast<std::uint32_t>(best.index)};
}

}  // namespace redux::argminmax
