// cummax / cummin along rows: tiles scanned on their own, a scan of the tiles' best, and a fold.
//
// The public issue's proposal (S3 of the sources): three plain kernels, no atomics, nothing that
// has to be clear beforehand, portable to whatever can scan a tile. The fold writes only where the
// carry still wins, so that it costs little on data whose best keeps moving and a second pass over
// the outputs where it does not. Loses two launches to lookback. Any alignment, 64-bit positions.
#include "cumminmax/launch_lines.cuh"
#include "cumminmax/tile.cuh"

namespace redux::cumminmax {
namespace {

constexpr int kWarps = 8;
constexpr int kChunks = 2;

template <class O>
using Carry = Pair<O, std::int64_t>;
template <class O, bool Aligned>
using RowTile = Tile<O, kWarps, kChunks, Aligned>;

/// grid (rows * tiles): every tile scanned on its own; bests [rows, tiles].
template <class O, bool Aligned>
__global__ void __launch_bounds__(kWarps* kWarp)
    scan_tiles(Lines<typename O::Storage> lines, std::int64_t tiles, Word128* bests) {
  using T = RowTile<O, Aligned>;
  const std::int64_t row = blockIdx.x / tiles;
  const std::int64_t begin = (blockIdx.x % tiles) * T::kElements;
  T mine;
  mine.load(lines.input + (row * lines.length), begin, lines.length);
  Pair<O, int> total;
  const Pair<O, int> in_front = scan_warps<O, kWarps>(mine.scan_run(), total);
  mine.store(lines, row, begin, in_front, Carry<O>::none());
  if (threadIdx.x == 0) bests[blockIdx.x] = slot_of(Carry<O>{total.value, begin + total.index});
}

/// A warp a row: each tile's best becomes the best up to its end.
template <class O>
__global__ void __launch_bounds__(kWarp) scan_bests(std::int64_t tiles, Word128* bests) {
  Word128* row = bests + (blockIdx.x * tiles);
  auto carry = Carry<O>::none();
  for (std::int64_t first = 0; first < tiles; first += kWarp) {
    const std::int64_t tile = first + lane_id();
    auto mine = scan_lanes(tile < tiles ? pair_of<Carry<O>>(row[tile]) : Carry<O>::none());
    auto up_to = carry;
    up_to.follow_any(mine);
    if (tile < tiles) row[tile] = slot_of(up_to);
    carry = {shuffle(up_to.value, kWarp - 1), shuffle(up_to.index, kWarp - 1)};
  }
}

/// grid (rows * (tiles - 1)): what comes before a tile goes in where it still wins.
template <class O>
__global__ void __launch_bounds__(kWarps* kWarp)
    fold_carries(Lines<typename O::Storage> lines, std::int64_t tiles, const Word128* bests) {
  constexpr int kElements = RowTile<O, true>::kElements;
  const std::int64_t row = blockIdx.x / (tiles - 1);
  const std::int64_t tile = 1 + (blockIdx.x % (tiles - 1));
  const auto carry = pair_of<Carry<O>>(bests[(row * tiles) + tile - 1]);
  const std::int64_t end = min((tile + 1) * kElements, lines.length);
  for (std::int64_t i = (tile * kElements) + threadIdx.x; i < end; i += kWarps * kWarp) {
    const std::int64_t at = (row * lines.length) + i;
    if (O::takes_over(lines.values[at], carry.value)) continue;
    lines.values[at] = carry.value;
    lines.indices[at] = carry.index;
  }
}

std::int64_t tiles_of(const Case& c) {
  return ceil_div(axis_of(c).length, std::int64_t{kWarps} * kChunks * kWarp * vector_width(c));
}

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  return {.grid = {static_cast<std::uint32_t>(axis_of(c).outer * tiles_of(c))},
          .block = {kWarps * kWarp},
          .kernels = is_empty(c) ? 0 : (tiles_of(c) > 1 ? 3 : 1),
          .function = function_of(c, []<class O>(Tag<O>) { return scan_tiles<O, true>; })};
}

std::string unsupported(const Case& c, const DeviceFacts& device) {
  return first_of(needs_rows(c, device), past_the_grid(axis_of(c).outer * tiles_of(c)));
}

std::size_t scratch_bytes(const Case& c, const DeviceFacts& /*device*/) {
  return static_cast<std::size_t>(axis_of(c).outer * tiles_of(c)) * 16;
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  const Geometry tiles = geometry_of(c, *exec.device);
  if (tiles.kernels == 0) return;
  const AxisView view = axis_of(c);
  const std::int64_t count = tiles_of(c);
  Geometry bests{.grid = {static_cast<std::uint32_t>(view.outer)}, .block = {kWarp}};
  Geometry folds = tiles;
  folds.grid.x = static_cast<std::uint32_t>(view.outer * (count - 1));
  with_order(c, [&]<class O>(Tag<O>) {
    const auto lines = lines_of<typename O::Storage>(problem);
    auto* scratch = static_cast<Word128*>(problem.workspace);
    launch(rows_are_aligned(problem) ? scan_tiles<O, true> : scan_tiles<O, false>, tiles,
           exec.stream, lines, count, scratch);
    if (count == 1) return;
    launch(scan_bests<O>, bests, exec.stream, count, scratch);
    launch(fold_carries<O>, folds, exec.stream, lines, count, scratch);
  });
}

const RegisterVariant two_pass{
    {"cummax", "cummin"},
    Variant{.name = "two_pass",
            .side = Side::cuda,
            .about = "tiles, a scan of their best, a fold: three plain kernels",
            .source = __FILE__,
            .workspace_alignment = 16,
            .unsupported = unsupported,
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::cumminmax
