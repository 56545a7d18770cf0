// A tile of a row in the registers of a block: loading, scanning and writing it.
#pragma once

#include "cumminmax/lanes.cuh"
#include "cumminmax/lines.hpp"

namespace redux::cumminmax {

/// `Warps` warps hold a tile of Warps * 32 * Chunks 16-byte vectors. A warp has a run of them,
/// read in Chunks rounds of a vector a lane, all in flight at once. Positions within a tile are
/// 32-bit.
template <class O, int Warps, int Chunks, bool Aligned>
struct Tile {
  using Storage = typename O::Storage;
  using Local = Pair<O, int>;
  using Carry = Pair<O, std::int64_t>;
  static constexpr int kWidth = Pack<Storage>::kWidth;
  static constexpr int kElements = Warps * kWarp * Chunks * kWidth;

  Pack<Storage> packs[Chunks];
  Local before[Chunks];  ///< best in front of this lane's vector, within the warp's run

  __device__ static int offset_of(int chunk) {
    const int warp = Warps == 1 ? 0 : static_cast<int>(threadIdx.x) / kWarp;
    return ((((warp * Chunks) + chunk) * kWarp) + lane_id()) * kWidth;
  }

  /// `row` + [begin, begin + kElements), less what is past `length`.
  __device__ void load(const Storage* row, std::int64_t begin, std::int64_t length) {
#pragma unroll
    for (int k = 0; k < Chunks; ++k) {
      const std::int64_t left = length - begin - offset_of(k);
      const Storage* from = row + begin + offset_of(k);
      if (Aligned) {
        if (left > 0) {
          packs[k] = load_pack(from);
        } else {
#pragma unroll
          for (int i = 0; i < kWidth; ++i) packs[k].values[i] = O::worst();
        }
      } else {
#pragma unroll
        for (int i = 0; i < kWidth; ++i) packs[k].values[i] = i < left ? from[i] : O::worst();
      }
    }
  }

  /// Scans the warp's run; the best of it, in all lanes.
  __device__ Local scan_run() {
    Local run = Local::none();
#pragma unroll
    for (int k = 0; k < Chunks; ++k) {
      Local mine{packs[k].values[0], offset_of(k)};
#pragma unroll
      for (int i = 1; i < kWidth; ++i) mine.follow({packs[k].values[i], offset_of(k) + i});
      mine = scan_lanes(mine);
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
      const std::int64_t left = lines.length - begin - offset_of(k);
      if (left <= 0) break;
      Local best = in_front;
      best.follow_any(before[k]);
      Carry running = carry;
      if (best.index >= 0) running.follow({best.value, begin + best.index});
      Pack<Storage> values;
      std::int64_t indices[kWidth];
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        running.follow({packs[k].values[i], begin + offset_of(k) + i});
        values.values[i] = running.value;
        indices[i] = running.index;
      }
      Storage* to_values = lines.values + first + offset_of(k);
      std::int64_t* to_indices = lines.indices + first + offset_of(k);
      if (Aligned) {
        *reinterpret_cast<Pack<Storage>*>(to_values) = values;
#pragma unroll
        for (int i = 0; i < kWidth; i += 2) {
          *reinterpret_cast<Pack<std::int64_t>*>(to_indices + i) = {indices[i], indices[i + 1]};
        }
      } else {
#pragma unroll
        for (int i = 0; i < kWidth; ++i) {
          if (i >= left) break;
          to_values[i] = values.values[i];
          to_indices[i] = indices[i];
        }
      }
    }
  }
};

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
