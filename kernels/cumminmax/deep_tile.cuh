// A large tile of a row, for blocks that fill a multiprocessor on their own.
#pragma once

#include "common/async_copy.cuh"
#include "cumminmax/tile.cuh"

namespace redux::cumminmax {

/// As Tile, and with the same uses, for more chunks than could be scanned ahead in registers. The
/// next tile comes into shared memory while this one is worked on, a lane's own vectors to its own
/// place, so that no barrier is needed. The run is scanned while it is written, when what is in
/// front of it is known. Dynamic shared memory: 16 bytes a vector (TilePlan::shared_bytes).
template <class O, int Warps, int Chunks, bool Aligned>
struct DeepTile {
  using Storage = typename O::Storage;
  using Local = Pair<O, int>;
  using Carry = Pair<O, std::int64_t>;
  using Shape = Tile<O, Warps, Chunks, Aligned>;
  static constexpr int kWarps = Warps;
  static constexpr int kChunks = Chunks;
  static constexpr int kWidth = Shape::kWidth;
  static constexpr int kElements = Shape::kElements;

  Shape held;

  __device__ static Pack<Storage>* slot(int chunk) {
    return dynamic_shared<Pack<Storage>>() + (Shape::offset_of(chunk) / kWidth);
  }

  /// Starts reading `row` + [begin, begin + kElements), less what is past `length`.
  __device__ static void fetch(const Storage* row, std::int64_t begin, std::int64_t length) {
#pragma unroll
    for (int k = 0; k < Chunks; ++k) {
      const std::int64_t left = length - begin - Shape::offset_of(k);
      const Storage* from = row + begin + Shape::offset_of(k);
      if (Aligned && left > 0) {
        copy_async(slot(k), from);
      } else {
        *slot(k) = Shape::load_some(from, left);
      }
    }
  }
  /// What fetch() read.
  __device__ static DeepTile fetched() {
    DeepTile tile;
    wait_for_copies();
#pragma unroll
    for (int k = 0; k < Chunks; ++k) tile.held.packs[k] = *slot(k);
    return tile;
  }

  __device__ Local best_of_run() const {
    return held.best_of_run();
  }
  __device__ void scan_ahead() {}

  /// Does not stop at the row's end: shuffles in a branch would double the code.
  __device__ void store(const Lines<Storage>& lines, std::int64_t row, std::int64_t begin,
                        const Local& in_front, const Carry& carry) const {
    const std::int64_t first = (row * lines.length) + begin;
    Carry run = carry;
    if (in_front.index >= 0) run.follow({in_front.value, begin + in_front.index});
#pragma unroll
    for (int k = 0; k < Chunks; ++k) {
      const Local up_to = scan_lanes(held.best_of_vector(k));
      Carry running = run;
      const Local before = shift_lanes(up_to);
      if (lane_id() > 0) running.follow({before.value, begin + before.index});
      held.write_chunk(lines, first, begin, k, running);
      run.follow({shuffle(up_to.value, kWarp - 1), begin + shuffle(up_to.index, kWarp - 1)});
    }
  }
};

}  // namespace redux::cumminmax
