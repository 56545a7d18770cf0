// A tile of columns in the registers of a block: for axes that are not the innermost one.
//
// A tile is `positions` long along the axis and `columns` wide, a power of two up to 32 (columns
// past the tensor's edge are idle lanes). Lanes lie across the columns, so neighbours read
// neighbours; a thread has kPerThread positions of one column, one behind the other.
#pragma once

#include "cumminmax/launch_lines.cuh"
#include "cumminmax/tile.cuh"

namespace redux::cumminmax {

inline constexpr int kColumnWarps = 8;
inline constexpr int kColumnThreads = kColumnWarps * kWarp;

/// How [outer, length, inner] is cut; made on the host.
struct ColumnPlan {
  int columns = 1;          ///< of a tile: a power of two, 32 at most
  int per_thread = 1;       ///< positions
  std::int64_t groups = 1;  ///< tiles side by side across `inner`
  std::int64_t tiles = 1;   ///< one behind the other along the axis
  [[nodiscard]] __host__ __device__ int positions() const {
    return kColumnThreads / columns * per_thread;
  }
};

/// Tiles of `columns` columns, `per_thread` positions a thread.
inline ColumnPlan cut_columns(const AxisView& view, int columns, int per_thread) {
  ColumnPlan plan{columns, per_thread};
  plan.groups = ceil_div(view.inner, columns);
  plan.tiles = ceil_div(view.length, plan.positions());
  return plan;
}

/// Where a tile and this thread's part of it lie.
struct ColumnPlace {
  std::int64_t tile;     ///< along the axis
  std::int64_t column;   ///< of the tensor, in [0, inner) or past it
  std::int64_t first;    ///< position along the axis where the tile begins
  std::int64_t element;  ///< of the tensor: the tile's first position in this column
  int in_tile;           ///< this thread's first position, from `first` on
  bool live;             ///< the column exists
};

/// `t` counts the tiles of a position before those of the next: when a block comes to one, those in
/// front of it have mostly been done.
template <class Storage>
__device__ ColumnPlace place_of(const Lines<Storage>& lines, const ColumnPlan& plan,
                                std::int64_t t) {
  const std::int64_t across = lines.outer * plan.groups;
  ColumnPlace place;
  place.tile = quotient(t, across);
  const std::int64_t beside = t - (place.tile * across);
  const std::int64_t outer = quotient(beside, plan.groups);
  place.column = ((beside - (outer * plan.groups)) * plan.columns) + (threadIdx.x % plan.columns);
  place.first = place.tile * plan.positions();
  place.element = (((outer * lines.length) + place.first) * lines.inner) + place.column;
  place.in_tile = static_cast<int>(threadIdx.x / plan.columns) * plan.per_thread;
  place.live = place.column < lines.inner;
  return place;
}

/// What is in front of this thread's positions within the tile, and in `total` the best of the
/// tile's column. All threads call it, and have passed a barrier since the last call.
template <class O>
__device__ Pair<O, int> scan_segments(Pair<O, int> mine, int columns, Pair<O, int>& total) {
  using Local = Pair<O, int>;
  struct Runs {
    Word128 of_warp[kColumnWarps][kWarp];
  };
  auto& runs = shared_object<Runs>();
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int column = lane_id() % columns;
  for (int offset = columns; offset < kWarp; offset *= 2) {
    Local before{shuffle_up(mine.value, offset), shuffle_up(mine.index, offset)};
    if (lane_id() >= offset) {
      before.follow(mine);
      mine = before;
    }
  }
  if (lane_id() >= kWarp - columns) runs.of_warp[warp][column] = slot_of(mine);
  Local in_warp = Local::none();
  if (columns < kWarp) {
    in_warp = {shuffle_up(mine.value, columns), shuffle_up(mine.index, columns)};
    if (lane_id() < columns) in_warp = Local::none();
  }
  sync_block();
  Local in_front = Local::none();
  total = Local::none();
#pragma unroll
  for (int w = 0; w < kColumnWarps; ++w) {
    if (w == warp) in_front = total;
    total.follow(pair_of<Local>(runs.of_warp[w][column]));
  }
  in_front.follow_any(in_warp);
  return in_front;
}

/// The best of all threads' pairs of the same column, whatever their order; all threads get it.
template <class O>
__device__ Pair<O, std::int64_t> reduce_column(Pair<O, std::int64_t> mine, int columns) {
  using Carry = Pair<O, std::int64_t>;
  struct Bests {
    Word128 of_warp[kColumnWarps][kWarp];
  };
  auto& bests = shared_object<Bests>();
  for (int offset = kWarp / 2; offset >= columns; offset /= 2) {
    mine.merge({shuffle_xor(mine.value, offset), shuffle_xor(mine.index, offset)});
  }
  const int column = lane_id() % columns;
  if (lane_id() < columns) bests.of_warp[threadIdx.x / kWarp][column] = slot_of(mine);
  sync_block();
  for (int w = 0; w < kColumnWarps; ++w) mine.merge(pair_of<Carry>(bests.of_warp[w][column]));
  return mine;
}

}  // namespace redux::cumminmax
