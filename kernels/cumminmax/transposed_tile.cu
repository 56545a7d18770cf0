// cummax / cummin across rows of few elements: tiles staged through shared memory.
//
// With up to 32 columns a run of positions is one contiguous piece of memory. A block copies it in
// as it lies, each thread scans a stretch of one column out of shared memory, and the results are
// copied out as they lie; so all global accesses coalesce, whatever the number of columns. Carries
// pass between tiles as in lookback_column. A thread has an odd number of positions, which spreads
// its neighbours over the banks. It wins below a sector of memory (32 bytes) a row. Any alignment,
// 64-bit positions.
#include "cumminmax/column_launch.cuh"

namespace redux::cumminmax {
namespace {

constexpr std::int64_t kMostColumns = 32;

template <class O, int PerThread>
struct Staged {
  using Storage = typename O::Storage;
  struct Buffers {
    std::int64_t indices[kColumnThreads * PerThread];
    Storage values[kColumnThreads * PerThread];
  };

  /// Elements of the tile; they lie at `begin`.
  __device__ static int count(const Lines<Storage>& lines, const ColumnPlan& plan,
                              const ColumnPlace& place) {
    const auto most = static_cast<std::int64_t>(plan.positions());
    return static_cast<int>(min(most, lines.length - place.first) * lines.inner);
  }
  __device__ static std::int64_t begin(const ColumnPlace& place) {
    return place.element - place.column;
  }
  __device__ static int slot(int i, const Lines<Storage>& lines, const ColumnPlace& place) {
    return ((place.in_tile + i) * static_cast<int>(lines.inner)) + static_cast<int>(place.column);
  }
  __device__ static bool inside(int i, const Lines<Storage>& lines, const ColumnPlace& place) {
    return place.live && place.first + place.in_tile + i < lines.length;
  }

  __device__ void load(const Lines<Storage>& lines, const ColumnPlan& plan,
                       const ColumnPlace& place) {
    auto& buffers = shared_object<Buffers>();
    const int end = count(lines, plan, place);
    const Storage* from = lines.input + begin(place);
#pragma unroll
    for (int k = 0; k < PerThread; ++k) {
      const int e = (k * kColumnThreads) + static_cast<int>(threadIdx.x);
      if (e < end) buffers.values[e] = from[e];
    }
    sync_block();
  }
  __device__ Storage get(int i, const Lines<Storage>& lines, const ColumnPlace& place) const {
    return inside(i, lines, place) ? shared_object<Buffers>().values[slot(i, lines, place)]
                                   : O::worst();
  }
  __device__ void put(int i, const Lines<Storage>& lines, const ColumnPlace& place,
                      const Pair<O, std::int64_t>& best) {
    if (!inside(i, lines, place)) return;
    shared_object<Buffers>().values[slot(i, lines, place)] = best.value;
    shared_object<Buffers>().indices[slot(i, lines, place)] = best.index;
  }
  __device__ void store(const Lines<Storage>& lines, const ColumnPlan& plan,
                        const ColumnPlace& place) {
    sync_block();
    const auto& buffers = shared_object<Buffers>();
    const int end = count(lines, plan, place);
#pragma unroll
    for (int k = 0; k < PerThread; ++k) {
      const int e = (k * kColumnThreads) + static_cast<int>(threadIdx.x);
      if (e >= end) break;
      lines.values[begin(place) + e] = buffers.values[e];
      lines.indices[begin(place) + e] = buffers.indices[e];
    }
  }
};

/// 7 positions a thread, 3 where that would leave multiprocessors without a tile.
ColumnPlan plan_for(const Case& c, const DeviceFacts& device) {
  const ColumnPlan plan = cut_columns(axis_of(c), columns_for(c, kMostColumns), 7);
  if (plan.tiles * blocks_across(c, plan) >= device.multiprocessors) return plan;
  return cut_columns(axis_of(c), plan.columns, 3);
}

auto kernel_for(const ColumnPlan& plan) {
  return [=]<class O>(Tag<O>) {
    return plan.per_thread == 7 ? scan_columns_once<O, Staged<O, 7>, 7>
                                : scan_columns_once<O, Staged<O, 3>, 3>;
  };
}

Geometry geometry_of(const Case& c, const DeviceFacts& device) {
  const ColumnPlan plan = plan_for(c, device);
  return column_geometry(c, device, plan, function_of(c, kernel_for(plan)));
}

std::size_t scratch_bytes(const Case& c, const DeviceFacts& device) {
  return column_words_bytes(c, plan_for(c, device));
}

std::string unsupported(const Case& c, const DeviceFacts& device) {
  const std::int64_t inner = axis_of(c).inner;
  if (inner > kMostColumns) {
    return "the axis is " + std::to_string(inner) + " elements apart, at most " +
           std::to_string(kMostColumns) + " are staged";
  }
  return needs_columns(c, device);
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  const ColumnPlan plan = plan_for(c, *exec.device);
  launch_columns(problem, exec, geometry_of(c, *exec.device), plan, kernel_for(plan));
}

const RegisterVariant transposed_tile{
    {"cummax", "cummin"},
    Variant{.name = "transposed_tile",
            .side = Side::cuda,
            .about = "tiles of up to 32 columns staged through shared memory; wins below 32 bytes "
                     "a row",
            .source = __FILE__,
            .workspace_alignment = alignof(Word128),
            .needs_zeroed_workspace = true,
            .unsupported = unsupported,
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::cumminmax
