// Which tiles lookback cuts rows into.
#pragma once

#include "cumminmax/deep_tile.cuh"

namespace redux::cumminmax {

/// Tiles by their number of chunks: 1 and 2 in registers, to be quick; 4 and 8 deep; more fill a
/// multiprocessor.
struct TilePlan {
  static constexpr int kMost = 8;  ///< chunks of a tile that leaves room for another block

  int chunks = 1;
  bool aligned = false;

  [[nodiscard]] constexpr int warps() const { return chunks > kMost ? 16 : 8; }
  [[nodiscard]] constexpr int threads() const { return warps() * kWarp; }
  [[nodiscard]] constexpr bool is_deep() const { return chunks > 2; }
  /// Blocks for which a multiprocessor has the registers.
  [[nodiscard]] constexpr int resident() const {
    if (chunks > kMost) return 1;
    return chunks == kMost ? 2 : 3;
  }
  /// 16-byte vectors of a tile.
  [[nodiscard]] constexpr std::int64_t vectors() const { return std::int64_t{chunks} * threads(); }
  [[nodiscard]] std::int64_t of_row(const Case& c) const {
    return ceil_div(axis_of(c).length, vectors() * vector_width(c));
  }
  /// Dynamic.
  [[nodiscard]] constexpr std::size_t shared_bytes() const {
    return is_deep() ? static_cast<std::size_t>(vectors()) * 16 : 0;
  }
  /// Blocks for which it has the shared memory, too. A multiprocessor has at least what one block
  /// may ask for. More than one wave would wait for itself.
  [[nodiscard]] int resident_on(const DeviceFacts& device) const {
    const std::size_t stages = static_cast<std::size_t>(warps()) * 2560;  // write_run's, at most
    const std::size_t bytes = shared_bytes() + stages + 2048;
    const auto room = std::min<std::size_t>(
        device.shared_bytes_per_block / bytes,
        static_cast<std::size_t>(device.max_threads_per_multiprocessor / threads()));
    return std::min(resident(), static_cast<int>(room));
  }
};

/// Chunks of the largest tile: what the registers of 16 warps hold.
constexpr int most_chunks(std::size_t element_bytes) {
  if (element_bytes == 8) return 16;
  return element_bytes == 4 ? 12 : TilePlan::kMost;
}

/// As few tiles as still give every multiprocessor one: each looks at all before it. The largest
/// where that gives every other multiprocessor two, since their loads overlap the stores of the
/// tile before.
inline TilePlan plan_tiles(const Case& c, const DeviceFacts& device) {
  const AxisView view = axis_of(c);
  const std::int64_t row = ceil_div(view.length, vector_width(c));
  const std::int64_t vectors = view.outer * row;
  TilePlan plan{.aligned = rows_can_align(c) || view.outer == 1};
  const auto take = [&](int chunks) {
    TilePlan larger = plan;
    larger.chunks = chunks;
    if (larger.resident_on(device) > 0) plan = larger;
    return plan.chunks == chunks;
  };
  while (plan.chunks < TilePlan::kMost && vectors > 2 * device.multiprocessors * plan.vectors()) {
    if (!take(2 * plan.chunks)) return plan;
  }
  const TilePlan largest{.chunks = most_chunks(size_of(c.dtype))};
  if (2 * vectors >= 3 * largest.vectors() * device.multiprocessors && row >= largest.vectors()) {
    take(largest.chunks);
  }
  return plan;
}

/// Calls `use(Tag<tile>{})`.
template <class O, class Use>
auto with_tile(const TilePlan& plan, Use&& use) {
  const auto with = [&]<bool Aligned>() {
    constexpr int kLargest = most_chunks(sizeof(typename O::Storage));
    constexpr TilePlan kPlan{.chunks = kLargest};
    if (plan.chunks == 1) return use(Tag<Tile<O, 8, 1, Aligned>>{});
    if (plan.chunks == 2) return use(Tag<Tile<O, 8, 2, Aligned>>{});
    if (plan.chunks == 4) return use(Tag<DeepTile<O, 8, 4, Aligned>>{});
    if (plan.chunks == 8) return use(Tag<DeepTile<O, 8, 8, Aligned>>{});
    return use(Tag<DeepTile<O, kPlan.warps(), kLargest, Aligned>>{});
  };
  return plan.aligned ? with.template operator()<true>() : with.template operator()<false>();
}

}  // namespace redux::cumminmax
