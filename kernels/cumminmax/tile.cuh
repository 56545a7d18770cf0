// A tile of a row in the registers of a block: loading, scanning and writing it.
#pragma once

#include "cumminmax/lanes.cuh"
#include "cumminmax/lines.hpp"
#include "cumminmax/write_run.cuh"

namespace redux::cumminmax {

/// `Warps` warps hold a tile of Warps * 32 * Chunks 16-byte vectors. A warp has a run of them,
/// read in Chunks rounds of a vector a lane, all in flight at once. Positions within a tile are
/// 32-bit.
template <class O, int Warps, int Chunks, bool Aligned>
struct Tile {
  using Storage = typename O::Storage;
  using Local = Pair<O, int>;
  using Carry = Pair<O, std::int64_t>;
  static constexpr int kWarps = Warps;
  static constexpr int kChunks = Chunks;
  static constexpr int kWidth = Pack<Storage>::kWidth;
  static constexpr int kElements = Warps * kWarp * Chunks * kWidth;

  Pack<Storage> packs[Chunks];
  Local before[Chunks];  ///< best in front of this lane's vector, within the warp's run

  __device__ static int offset_of(int chunk) {
    const int warp = Warps == 1 ? 0 : static_cast<int>(threadIdx.x) / kWarp;
    return ((((warp * Chunks) + chunk) * kWarp) + lane_id()) * kWidth;
  }

  /// Of the run's vectors of that chunk, in elements from the tile's beginning.
  __device__ static int run_offset(int chunk) { return offset_of(chunk) - (lane_id() * kWidth); }

  /// `row` + [begin, begin + kElements), less what is past `length`.
  __device__ void load(const Storage* row, std::int64_t begin, std::int64_t length) {
#pragma unroll
    for (int k = 0; k < Chunks; ++k) {
      packs[k] = load_some(row + begin + offset_of(k), length - begin - offset_of(k));
    }
  }
  /// A vector of which `left` elements are there: all or none where rows are aligned.
  __device__ static Pack<Storage> load_some(const Storage* from, std::int64_t left) {
    if (Aligned && left > 0) return load_pack(from);
    Pack<Storage> pack;
#pragma unroll
    for (int i = 0; i < kWidth; ++i) pack.values[i] = !Aligned && i < left ? from[i] : O::worst();
    return pack;
  }

  /// The best of this lane's vector in a chunk.
  __device__ Local best_of_vector(int chunk) const {
    Local best{packs[chunk].values[0], offset_of(chunk)};
#pragma unroll
    for (int i = 1; i < kWidth; ++i) {
      best.follow({packs[chunk].values[i], offset_of(chunk) + i});
    }
    return best;
  }

  /// The best of the warp's run, in all lanes: what scan_run() gives, sooner.
  __device__ Local best_of_run() const {
    Local best = best_of_vector(0);
#pragma unroll
    for (int k = 1; k < Chunks; ++k) best.follow(best_of_vector(k));
    return reduce_lanes(best);
  }

  // As DeepTile has them.
  __device__ void fetch(const Storage* row, std::int64_t begin, std::int64_t length) {
    load(row, begin, length);
  }
  __device__ Tile fetched() const {
    return *this;
  }
  __device__ void scan_ahead() {
    scan_run();
  }

  /// Scans the warp's run; the best of it, in all lanes.
  __device__ Local scan_run() {
    Local run = Local::none();
#pragma unroll
    for (int k = 0; k < Chunks; ++k) {
      const Local mine = scan_lanes(best_of_vector(k));
      before[k] = run;
      before[k].follow(shift_lanes(mine));
      if (lane_id() == 0) before[k] = run;
      run.follow({shuffle(mine.value, kWarp - 1), shuffle(mine.index, kWarp - 1)});
    }
    return run;
  }

  /// Writes values and indices, given what is in front of the warp's run: in the tile, and in the
  /// row before it.
  __device__ void store(const Lines<Storage>& lines, std::int64_t row, std::int64_t begin,
                        const Local& in_front, const Carry& carry) const {
    const std::int64_t first = (row * lines.length) + begin;
#pragma unroll
    for (int k = 0; k < Chunks; ++k) {
      Local best = in_front;
      best.follow_any(before[k]);
      Carry running = carry;
      if (best.index >= 0) running.follow({best.value, begin + best.index});
      write_chunk(lines, first, begin, k, running);
    }
  }

  /// A chunk, given what is in front of this lane's vector. The tile begins at `first` in memory.
  __device__ void write_chunk(const Lines<Storage>& lines, std::int64_t first, std::int64_t begin,
                              int chunk, Carry running) const {
    constexpr int kStages = Warps == 1 ? kWarpsOfRows : Warps;
    Storage values[kWidth];
    std::int64_t indices[kWidth];
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      running.follow({packs[chunk].values[i], begin + offset_of(chunk) + i});
      values[i] = running.value;
      indices[i] = running.index;
    }
    const std::int64_t at = first + run_offset(chunk);
    const std::int64_t left = lines.length - begin - run_offset(chunk);
    write_run<kStages, Aligned>(lines.values + at, values, left);
    write_run<kStages, Aligned>(lines.indices + at, indices, left);
  }
};

}  // namespace redux::cumminmax
