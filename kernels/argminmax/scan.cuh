// One thread's share of a row, read 16 bytes at a time.
#pragma once

#include "argminmax/candidate.cuh"

namespace redux::argminmax {

/// The elements that one of `lanes` threads looks at, in rising order so that a strict comparison
/// keeps the lowest index. The row may start at any element: up to 15 bytes in front of the first
/// 16-byte boundary and behind the last are read one by one. `InFlight` loads are issued before the
/// first is used. Positions fit in int: cols <= 2^31 - 1, and vectors (cols / 2 at most) plus one
/// step (InFlight * lanes, under 2^21) stay below 2^31.
template <class O, int InFlight>
__device__ Candidate<O> scan_row(const typename O::Storage* row, int cols, int lane, int lanes) {
  using Storage = typename O::Storage;
  using Value = typename O::Value;
  constexpr int kWidth = Pack<Storage>::kWidth;
  Value best = O::worst();
  int index = Candidate<O>::kNone;
  const auto consider = [&](Value value, int position) {
    if (O::better(value, best)) {
      best = value;
      index = position;
    }
  };
  const auto consider_pack = [&](const Pack<Storage>& pack, int position) {
#pragma unroll
    for (int i = 0; i < kWidth; ++i) consider(widen(pack.values[i]), position + i);
  };

  Value front = O::worst();
  if constexpr (O::kGuardsFront) {
    if (lane == 0) front = widen(row[0]);
  }
  const int head = min(cols, elements_to_alignment(row));
  const int vectors = (cols - head) / kWidth;
  for (int i = lane; i < head; i += lanes) consider(widen(row[i]), i);

  const Storage* aligned = row + head;
  const int step = InFlight * lanes;
  int vector = lane;
  for (; vector + step - lanes < vectors; vector += step) {
    Pack<Storage> packs[InFlight];
#pragma unroll
    for (int i = 0; i < InFlight; ++i) {
      packs[i] = load_pack(aligned + (static_cast<std::int64_t>(vector + (i * lanes)) * kWidth));
    }
#pragma unroll
    for (int i = 0; i < InFlight; ++i) {
      consider_pack(packs[i], head + ((vector + (i * lanes)) * kWidth));
    }
  }
  if (vector < vectors) {  // fewer than InFlight are left: still all in flight together
    Pack<Storage> packs[InFlight];
#pragma unroll
    for (int i = 0; i < InFlight - 1; ++i) {
      if (vector + (i * lanes) < vectors) {
        packs[i] = load_pack(aligned + (static_cast<std::int64_t>(vector + (i * lanes)) * kWidth));
      }
    }
#pragma unroll
    for (int i = 0; i < InFlight - 1; ++i) {
      if (vector + (i * lanes) < vectors) {
        consider_pack(packs[i], head + ((vector + (i * lanes)) * kWidth));
      }
    }
  }
  for (int i = head + (vectors * kWidth) + lane; i < cols; i += lanes) consider(widen(row[i]), i);

  Candidate<O> mine{O::key(best), static_cast<std::uint32_t>(index)};
  if constexpr (O::kGuardsFront) {
    if (front != front) mine = {O::kFrontKey, 0};
  }
  return mine;
}

}  // namespace redux::argminmax
