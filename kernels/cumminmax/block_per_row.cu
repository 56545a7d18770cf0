// cummax / cummin along rows: one block a row, which walks over it tile by tile.
//
// The carry stays in registers; a tile costs one barrier for its warps' totals and one before the
// next. It wins for many rows of some thousand elements and more: nobody waits for another block.
// With fewer rows than multiprocessors the rest of the device is idle (lookback), and a row of
// some hundred elements leaves warps without any (warp_per_row). Any alignment, 64-bit positions.
#include "cumminmax/launch_lines.cuh"
#include "cumminmax/tile.cuh"

namespace redux::cumminmax {
namespace {

template <class O, int Warps, int Chunks, bool Aligned>
__global__ void __launch_bounds__(Warps* kWarp) block_per_row(Lines<typename O::Storage> lines) {
  using T = Tile<O, Warps, Chunks, Aligned>;
  const std::int64_t row = blockIdx.x;
  const typename O::Storage* elements = lines.input + (row * lines.length);
  auto carry = Pair<O, std::int64_t>::none();
  T mine;
  mine.load(elements, 0, lines.length);
  for (std::int64_t begin = 0; begin < lines.length; begin += T::kElements) {
    Pair<O, int> total;
    const Pair<O, int> in_front = scan_warps<O, Warps>(mine.scan_run(), total);
    mine.store(lines, row, begin, in_front, carry);
    carry.follow({total.value, begin + total.index});
    if (begin + T::kElements < lines.length) {
      mine.load(elements, begin + T::kElements, lines.length);
      sync_block();  // the totals of this tile have been read
    }
  }
}

struct Plan {
  int warps = 8;
  int chunks = 2;
  bool aligned = false;
};

Plan plan_for(const Case& c) {
  const AxisView view = axis_of(c);
  const std::int64_t vectors = ceil_div(view.length, vector_width(c));
  Plan plan{.aligned = rows_can_align(c)};
  if (vectors <= 2 * kWarp * 4) plan.warps = 4;
  if (vectors > 8 * kWarp * 2) plan.chunks = 4;
  return plan;
}

auto kernel_for(const Plan& plan) {
  return [=]<class O>(Tag<O>) {
    if (plan.warps == 4) {
      return plan.aligned ? block_per_row<O, 4, 2, true> : block_per_row<O, 4, 2, false>;
    }
    if (plan.chunks == 2) {
      return plan.aligned ? block_per_row<O, 8, 2, true> : block_per_row<O, 8, 2, false>;
    }
    return plan.aligned ? block_per_row<O, 8, 4, true> : block_per_row<O, 8, 4, false>;
  };
}

std::string unsupported(const Case& c, const DeviceFacts& device) {
  return first_of(needs_rows(c, device), past_the_grid(axis_of(c).outer));
}

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  const Plan plan = plan_for(c);
  return {.grid = {static_cast<std::uint32_t>(axis_of(c).outer)},
          .block = {static_cast<std::uint32_t>(plan.warps * kWarp)},
          .kernels = is_empty(c) ? 0 : 1,
          .function = function_of(c, kernel_for(plan))};
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  Plan plan = plan_for(c);
  plan.aligned = rows_are_aligned(problem);
  launch_lines(problem, exec, geometry_of(c, *exec.device), kernel_for(plan));
}

const RegisterVariant block_per_row_variant{
    {"cummax", "cummin"},
    Variant{.name = "block_per_row",
            .side = Side::cuda,
            .about = "one block walks over a row tile by tile; wins for many rows of some thousand "
                     "elements",
            .source = __FILE__,
            .unsupported = unsupported,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::cumminmax
