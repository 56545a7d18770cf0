// cummax / cummin across rows: the axis cut into tiles, two passes over the data.
//
// The first kernel finds each tile's best element in each column; the second takes the best of the
// tiles in front, which needs no scan because the operator is idempotent, and scans its own tile.
// Both kernels are plain: no atomics, nothing that has to be clear beforehand. It wins for columns
// too few to fill the device with a thread each; an axis of one tile is one kernel. Tiles grow with
// the axis so that there are 64 of them at most, which bounds what a tile reads of the others.
// Reads the input twice. Any alignment, 64-bit positions.
#include "cumminmax/column_tile.cuh"

namespace redux::cumminmax {
namespace {

constexpr std::int64_t kMostTiles = 64;
constexpr int kInFlight = 8;  ///< loads of a thread

template <class O>
using Carry = Pair<O, std::int64_t>;

/// Calls `use(in_tile, element)` for this thread's positions, kInFlight loads at a time.
template <class O, class Use>
__device__ void each_element(const Lines<typename O::Storage>& lines, const ColumnPlan& plan,
                             const ColumnPlace& place, Use use) {
  typename O::Storage values[kInFlight];
  for (int base = 0; base < plan.per_thread; base += kInFlight) {
#pragma unroll
    for (int i = 0; i < kInFlight; ++i) {
      const int at = place.in_tile + base + i;
      const bool inside =
          place.live && base + i < plan.per_thread && place.first + at < lines.length;
      values[i] = inside ? lines.input[place.element + (at * lines.inner)] : O::worst();
    }
#pragma unroll
    for (int i = 0; i < kInFlight; ++i) {
      const int at = place.in_tile + base + i;
      if (base + i < plan.per_thread && place.first + at < lines.length) use(at, values[i]);
    }
  }
}

/// grid (tiles - 1) * outer * groups; bests [tiles - 1, outer, groups, columns].
template <class O>
__global__ void __launch_bounds__(kColumnThreads)
    find_bests(Lines<typename O::Storage> lines, ColumnPlan plan, Word128* bests) {
  const ColumnPlace place = place_of(lines, plan, blockIdx.x);
  auto best = Carry<O>::none();
  each_element<O>(lines, plan, place, [&](int at, const typename O::Storage& value) {
    best.follow({value, place.first + at});
  });
  best = reduce_column<O>(best, plan.columns);
  const auto thread = static_cast<int>(threadIdx.x);
  if (thread < plan.columns) {
    bests[(static_cast<std::int64_t>(blockIdx.x) * plan.columns) + thread] = slot_of(best);
  }
}

/// grid tiles * outer * groups.
template <class O>
__global__ void __launch_bounds__(kColumnThreads)
    scan_columns(Lines<typename O::Storage> lines, ColumnPlan plan, const Word128* bests) {
  const ColumnPlace place = place_of(lines, plan, blockIdx.x);
  auto mine = Pair<O, int>::none();
  each_element<O>(lines, plan, place, [&](int at, const typename O::Storage& value) {
    mine.follow({value, at});
  });
  if (mine.index < 0) mine = {O::worst(), place.in_tile};  // past the end: nobody uses it
  Pair<O, int> total;
  const Pair<O, int> in_front = scan_segments<O>(mine, plan.columns, total);
  auto running = Carry<O>::none();
  if (place.tile > 0) {
    const int column = static_cast<int>(threadIdx.x) % plan.columns;
    const std::int64_t across = lines.outer * plan.groups;
    const std::int64_t same = blockIdx.x % across;
    for (std::int64_t tile = threadIdx.x / plan.columns; tile < place.tile;
         tile += kColumnThreads / plan.columns) {
      running.merge(pair_of<Carry<O>>(bests[(((tile * across) + same) * plan.columns) + column]));
    }
    running = reduce_column<O>(running, plan.columns);
  }
  if (in_front.index >= 0) running.follow({in_front.value, place.first + in_front.index});
  if (!place.live) return;
  each_element<O>(lines, plan, place, [&](int at, const typename O::Storage& value) {
    running.follow({value, place.first + at});
    lines.values[place.element + (at * lines.inner)] = running.value;
    lines.indices[place.element + (at * lines.inner)] = running.index;
  });
}

ColumnPlan plan_for(const Case& c) {
  const AxisView view = axis_of(c);
  const auto most = 64 / static_cast<std::int64_t>(size_of(c.dtype));  // columns: whole sectors
  int columns = 1;
  while (columns < most && columns < view.inner) columns *= 2;
  ColumnPlan plan = cut_columns(view, columns, 1);
  while (plan.tiles > kMostTiles) plan = cut_columns(view, columns, plan.per_thread * 2);
  return plan;
}

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  const ColumnPlan plan = plan_for(c);
  const std::int64_t blocks = plan.tiles * axis_of(c).outer * plan.groups;
  return {.grid = {static_cast<std::uint32_t>(blocks)},
          .block = {kColumnThreads},
          .kernels = is_empty(c) ? 0 : (plan.tiles > 1 ? 2 : 1),
          .function = function_of(c, []<class O>(Tag<O>) { return scan_columns<O>; })};
}

std::size_t scratch_bytes(const Case& c, const DeviceFacts& /*device*/) {
  const ColumnPlan plan = plan_for(c);
  if (is_empty(c)) return 0;
  return static_cast<std::size_t>((plan.tiles - 1) * axis_of(c).outer * plan.groups) *
         static_cast<std::size_t>(plan.columns) * 16;
}

std::string unsupported(const Case& c, const DeviceFacts& device) {
  const ColumnPlan plan = plan_for(c);
  return first_of(unsupported_scan(c, device),
                  past_the_grid(plan.tiles * axis_of(c).outer * plan.groups));
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  const Geometry scan = geometry_of(c, *exec.device);
  if (scan.kernels == 0) return;
  const ColumnPlan plan = plan_for(c);
  Geometry find = scan;
  find.grid.x = static_cast<std::uint32_t>((plan.tiles - 1) * axis_of(c).outer * plan.groups);
  with_order(c, [&]<class O>(Tag<O>) {
    const auto lines = lines_of<typename O::Storage>(problem);
    auto* bests = static_cast<Word128*>(problem.workspace);
    if (plan.tiles > 1) launch(find_bests<O>, find, exec.stream, lines, plan, bests);
    launch(scan_columns<O>, scan, exec.stream, lines, plan, bests);
  });
}

const RegisterVariant tiled_column{
    {"cummax", "cummin"},
    Variant{.name = "tiled_column",
            .side = Side::cuda,
            .about = "the axis in tiles, two passes; wins where columns are too few to fill the "
                     "device",
            .source = __FILE__,
            .workspace_alignment = 16,
            .unsupported = unsupported,
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::cumminmax
