// The kernel behind lookback_column and transposed_tile: one pass over columns, carries from words.
#pragma once

#include "cumminmax/column_tile.cuh"
#include "cumminmax/words.cuh"

namespace redux::cumminmax {

inline constexpr int kColumnBlocks = 3;  ///< a multiprocessor, at least: what one wave counts on

/// The best element in front of tile `tile` in this thread's column, in all threads of that column.
/// `words`: the column's in tile 0; the next tile's is `stride` on. Windows of kBatch tiles a
/// segment are read until one holds a whole word of every column.
template <class O>
__device__ Pair<O, std::int64_t> look_back_columns(const Word128* words, std::int64_t stride,
                                                   std::int64_t tile, int columns,
                                                   std::uint64_t call) {
  constexpr int kBatch = 4;
  struct Flags {
    std::uint32_t whole[2][kColumnWarps];
  };
  auto& flags = shared_object<Flags>();
  const int segments = kColumnThreads / columns;
  const int segment = static_cast<int>(threadIdx.x) / columns;
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const std::uint32_t all_columns = kAllLanes >> (kWarp - columns);
  auto carry = Pair<O, std::int64_t>::none();
  for (int turn = 0;; ++turn) {
    const std::int64_t last = tile - 1 - segment - (std::int64_t{turn} * kBatch * segments);
    Word128 seen[kBatch];
#pragma unroll
    for (int i = 0; i < kBatch; ++i) {
      const std::int64_t at = last - (std::int64_t{i} * segments);
      if (at >= 0) seen[i] = observe(words + (at * stride));
    }
    bool whole = last - (std::int64_t{kBatch - 1} * segments) < 0;
#pragma unroll
    for (int i = 0; i < kBatch; ++i) {
      const std::int64_t at = last - (std::int64_t{i} * segments);
      if (at < 0) continue;
      while (!Word<O>::is_of(seen[i], call)) seen[i] = observe(words + (at * stride));
      carry.merge(Word<O>::best(seen[i]));
      whole |= Word<O>::is_whole(seen[i]);
    }
    std::uint32_t found = warp_ballot(whole);
    for (int offset = kWarp / 2; offset >= columns; offset /= 2) found |= found >> offset;
    if (lane_id() == 0) flags.whole[turn % 2][warp] = found;
    sync_block();
    for (int w = 0; w < kColumnWarps; ++w) found |= flags.whole[turn % 2][w];
    if ((found & all_columns) == all_columns) break;
  }
  return reduce_column<O>(carry, columns);
}

/// The elements of a tile: in registers, read and written directly. For tiles whose rows fill
/// sectors of memory.
template <class O, int PerThread>
struct DirectTile {
  using Storage = typename O::Storage;
  Storage values[PerThread];

  __device__ void load(const Lines<Storage>& lines, const ColumnPlan& /*plan*/,
                       const ColumnPlace& place) {
#pragma unroll
    for (int i = 0; i < PerThread; ++i) {
      const bool inside = place.live && place.first + place.in_tile + i < lines.length;
      const std::int64_t at = place.element + ((place.in_tile + i) * lines.inner);
      values[i] = inside ? lines.input[at] : O::worst();
    }
  }
  __device__ Storage get(int i, const Lines<Storage>& /*lines*/, const ColumnPlace& /*p*/) const {
    return values[i];
  }
  __device__ void put(int i, const Lines<Storage>& lines, const ColumnPlace& place,
                      const Pair<O, std::int64_t>& best) {
    if (!place.live || place.first + place.in_tile + i >= lines.length) return;
    const std::int64_t at = place.element + ((place.in_tile + i) * lines.inner);
    lines.values[at] = best.value;
    lines.indices[at] = best.index;
  }
  __device__ void store(const Lines<Storage>& /*lines*/, const ColumnPlan& /*plan*/,
                        const ColumnPlace& /*place*/) {}
};

template <class O, class Elements, int PerThread>
__global__ void __launch_bounds__(kColumnThreads, kColumnBlocks)
    scan_columns_once(Lines<typename O::Storage> lines, ColumnPlan plan, Header* header,
                      Word128* words) {
  auto& shared_call = shared_object<Call>();
  Call begun{};
  const bool waits = plan.tiles > 1;
  const std::int64_t across = lines.outer * plan.groups;
  const auto thread = static_cast<int>(threadIdx.x);
  for (std::int64_t t = blockIdx.x; t < plan.tiles * across; t += gridDim.x) {
    const ColumnPlace place = place_of(lines, plan, t);
    Elements elements;
    elements.load(lines, plan, place);
    if (waits && t == blockIdx.x && thread == 0) {
      begun = begin_call(header);
      shared_call.number = begun.number;
    }
    Pair<O, int> mine{elements.get(0, lines, place), place.in_tile};
#pragma unroll
    for (int i = 1; i < PerThread; ++i) {
      mine.follow({elements.get(i, lines, place), place.in_tile + i});
    }
    Pair<O, int> total;
    const Pair<O, int> in_front = scan_segments<O>(mine, plan.columns, total);  // a barrier
    const std::uint64_t call = waits ? shared_call.number : 0;
    Pair<O, std::int64_t> up_to{total.value, place.first + total.index};
    Word128* word = words + (t * plan.columns) + (thread % plan.columns);
    if (waits && thread < plan.columns) publish(word, Word<O>::pack(up_to, place.tile == 0, call));
    auto running = Pair<O, std::int64_t>::none();
    if (place.tile > 0) {
      const std::int64_t stride = across * plan.columns;
      running = look_back_columns<O>(word - (place.tile * stride), stride, place.tile, plan.columns,
                                     call);
      auto whole = running;
      whole.follow(up_to);
      if (thread < plan.columns) publish(word, Word<O>::pack(whole, true, call));
    }
    if (in_front.index >= 0) running.follow({in_front.value, place.first + in_front.index});
#pragma unroll
    for (int i = 0; i < PerThread; ++i) {
      running.follow({elements.get(i, lines, place), place.first + place.in_tile + i});
      elements.put(i, lines, place, running);
    }
    elements.store(lines, plan, place);
    sync_block();  // before the next tile's use of shared memory
  }
  if (waits && thread == 0) end_call(header, begun);
}

}  // namespace redux::cumminmax
