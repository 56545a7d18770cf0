// cummax / cummin across rows: one pass over the data, one launch, no memset.
//
// The look-back of lookback.cu with a word for each tile and column: a block scans up to 32 columns
// of a run of positions in registers, publishes its best elements and takes its carries from the
// words of the tiles in front. It wins for columns too few to fill the device with a thread each.
// Rows of less than a sector of memory (32 bytes) waste the rest of it (transposed_tile). Any
// alignment, 64-bit positions.
#include "cumminmax/column_launch.cuh"

namespace redux::cumminmax {
namespace {

/// 64 bytes of columns: whole sectors, and more positions a tile than wider ones have. 8 positions
/// a thread, fewer where that is enough for the axis or leaves the device empty.
ColumnPlan plan_for(const Case& c, const DeviceFacts& device) {
  const AxisView view = axis_of(c);
  const int columns = columns_for(c, 64 / static_cast<std::int64_t>(size_of(c.dtype)));
  ColumnPlan plan = cut_columns(view, columns, 8);
  const auto is_too_large = [&] {
    return plan.positions() / 2 >= view.length ||
           (plan.tiles > 1 && plan.tiles * blocks_across(c, plan) < device.multiprocessors / 2);
  };
  while (plan.per_thread > 2 && is_too_large()) {
    plan = cut_columns(view, columns, plan.per_thread / 2);
  }
  return plan;
}

auto kernel_for(const ColumnPlan& plan) {
  return [=]<class O>(Tag<O>) {
    switch (plan.per_thread) {
      case 2:
        return scan_columns_once<O, DirectTile<O, 2>, 2>;
      case 4:
        return scan_columns_once<O, DirectTile<O, 4>, 4>;
      default:
        return scan_columns_once<O, DirectTile<O, 8>, 8>;
    }
  };
}

Geometry geometry_of(const Case& c, const DeviceFacts& device) {
  const ColumnPlan plan = plan_for(c, device);
  return column_geometry(c, device, plan, function_of(c, kernel_for(plan)));
}

std::size_t scratch_bytes(const Case& c, const DeviceFacts& device) {
  return column_words_bytes(c, plan_for(c, device));
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  const ColumnPlan plan = plan_for(c, *exec.device);
  launch_columns(problem, exec, geometry_of(c, *exec.device), plan, kernel_for(plan));
}

const RegisterVariant lookback_column{
    {"cummax", "cummin"},
    Variant{.name = "lookback_column",
            .side = Side::cuda,
            .about = "one pass across rows, carries from words a tile and column; wins where "
                     "columns are too few to fill the device",
            .source = __FILE__,
            .workspace_alignment = alignof(Word128),
            .needs_zeroed_workspace = true,
            .unsupported = needs_columns,
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::cumminmax
