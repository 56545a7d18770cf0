// csr_max, features [nodes, F] -> [nodes, F]: a team of lanes a destination node, 16 bytes (four
// float32 features) a lane, eight neighbours in flight.
//
// A team has as many lanes, 1 to 32, as a row has 16-byte parts; longer rows are cut into tiles.
// Rows that do not start on 16-byte boundaries are read word by word, with a guard for each. Where
// nodes are few, several teams share a node's edges, each a run of them, and merge through shared
// memory, so that all rows of a node are on their way at once. Wins on small graphs of even degree:
// three dependent loads (row_ptr, ids, rows) are all its latency. A hub is one block's work, and
// `balanced` is there for that. Any degree, any alignment.
#include "csr_max/lane_view.cuh"
#include "csr_max/launch_csr.cuh"

namespace redux::csr_max {
namespace {

constexpr int kThreads = 256;
constexpr int kInFlight = 8;

/// grid (groups of nodes, tiles). `split` teams a node.
template <class T, Reads R>
__global__ void __launch_bounds__(kThreads)
    vector4(Csr<typename T::Storage, typename T::Index> graph, int lanes, int split, bool early) {
  using Part = RowPart<T, R>;
  struct Shared {
    Saved of_thread[kThreads];
  };
  if (early) ask_for_all(graph);
  const auto thread = static_cast<int>(threadIdx.x);
  const int team = thread / lanes;
  const int share = team % split;
  const std::int64_t node =
      (static_cast<std::int64_t>(blockIdx.x) * (kThreads / (lanes * split))) + (team / split);
  const LaneView<T, R> view(graph, blockIdx.y, lanes, thread % lanes);
  Part best;
  best.clear();
  std::int64_t degree = 0;
  if (node < graph.nodes) {
    const std::int64_t begin = graph.row_ptr[node];
    degree = graph.row_ptr[node + 1] - begin;
    // Share s of the edges begins where s even parts of them end.
    const auto start_of = [&](int s) {
      return begin + (degree / split * s) + min(degree % split, static_cast<std::int64_t>(s));
    };
    const std::int64_t first = start_of(share);
    const std::int64_t end = start_of(share + 1);
    std::uint32_t ids[kInFlight];
    const auto load_ids = [&](std::int64_t e) {
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) {  // past the last edge that one again: no change
        ids[i] = static_cast<std::uint32_t>(graph.col_idx[min(e + i, end - 1)]);
      }
    };
    if (first < end) load_ids(first);
    for (std::int64_t e = first; e < end; e += kInFlight) {
      Part parts[kInFlight];
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) view.load(parts[i], ids[i]);
      // Here, because without something in between the assembler loads one row after the other to
      // save registers.
      if (end - e > kInFlight) load_ids(e + kInFlight);
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) best.merge(parts[i]);
    }
  }
  if (split > 1) {
    auto& shared = shared_object<Shared>();
    shared.of_thread[thread] = best.saved();
    sync_block();
    if (share > 0) return;
    for (int s = 1; s < split; ++s) best.merge(shared.of_thread[thread + (s * lanes)]);
  }
  if (node >= graph.nodes) return;
  if (degree == 0) best.fill(view.empty);
  view.store(best, node);
}

auto kernel_for(Reads reads) {
  return [reads]<class T>(T) {
    return with_reads<T>(reads, []<Reads R>(Reading<R>) { return vector4<T, R>; });
  };
}

struct Plan {
  Tiling tiling;
  int split = 1;
  std::int64_t groups = 0;
};

/// More teams a node only where that leaves each some four edges and the device room for all.
Plan plan_for(const Case& c, const DeviceFacts& device) {
  Plan plan{.tiling = tiling_of(c)};
  const std::int64_t teams = std::max<std::int64_t>(nodes_of(c) * plan.tiling.tiles, 1);
  while (plan.split < 8 && plan.tiling.lanes * plan.split < kThreads &&
         edges_of(c) / std::max<std::int64_t>(nodes_of(c), 1) >= 8 * plan.split &&
         teams * plan.tiling.lanes * plan.split * 2 <= device.resident_threads()) {
    plan.split *= 2;
  }
  plan.groups = ceil_div(nodes_of(c), kThreads / (plan.tiling.lanes * plan.split));
  return plan;
}

std::string unsupported(const Case& c, const DeviceFacts& device) {
  const Plan plan = plan_for(c, device);
  return first_of(past_row_limits(c, plan.tiling.tiles), past_the_grid(plan.groups));
}

Geometry geometry_of(const Case& c, const DeviceFacts& device) {
  const Plan plan = plan_for(c, device);
  return {.grid = {static_cast<std::uint32_t>(plan.groups),
                   static_cast<std::uint32_t>(plan.tiling.tiles)},
          .block = {kThreads},
          .kernels = is_empty(c) ? 0 : 1,
          .function = function_of(c, kernel_for(reads_of(c)))};
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  const Plan plan = plan_for(c, *exec.device);
  launch_csr(problem, exec, geometry_of(c, *exec.device), kernel_for(reads_of(problem)),
             plan.tiling.lanes, plan.split, is_small(c));
}

const RegisterVariant vector4_variant{
    {"csr_max"},
    Variant{.name = "vector4",
            .side = Side::cuda,
            .about =
                "16 bytes a lane, eight neighbours in flight, teams share a node; wins on small "
                "graphs of even degree",
            .source = __FILE__,
            .unsupported = unsupported,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::csr_max
