// csr_max, features [nodes, F] -> [nodes, F]: a team of lanes a destination node, 16 bytes (four
// float32 features) a lane, eight neighbours in flight.
//
// A team has as many lanes, 1 to 32, as a row has 16-byte parts; longer rows are cut into tiles.
// Rows that do not start on 16-byte boundaries are read word by word, with a guard for each. Where
// nodes are few, several teams share a node's edges, each a run of them, and merge through shared
// memory, so that all rows of a node are on their way at once. Wins on small graphs of even degree:
// three dependent loads (row_ptr, ids, rows) are all its latency. A hub is one block's work, and
// `balanced` is there for that. Any degree, any alignment.
#include "csr_max/launch_csr.cuh"
#include "csr_max/row_run.cuh"

namespace redux::csr_max {
namespace {

constexpr int kLogThreads = 7;
constexpr int kThreads = 1 << kLogThreads;
constexpr int kInFlight = 8;

/// grid (groups of nodes, tiles). `split` teams a node.
template <class T, Reads R>
__global__ void __launch_bounds__(kThreads)
    vector4(Csr<typename T::Storage, typename T::Index> graph, int log_lanes, int log_split,
            bool early) {
  using Part = RowPart<T, R>;
  struct Shared {
    Saved of_thread[kThreads];
  };
  using Index = typename T::Index;
  const auto thread = static_cast<int>(threadIdx.x);
  const int lanes = 1 << log_lanes;
  const int split = 1 << log_split;
  const int share = (thread >> log_lanes) & (split - 1);
  const std::uint32_t node =
      (blockIdx.x << (kLogThreads - log_lanes - log_split)) + (thread >> (log_lanes + log_split));
  const LaneView<T, R> view(graph, blockIdx.y, lanes, thread & (lanes - 1));
  Part best;
  best.clear();
  Index degree = 0;
  if (node < graph.nodes) {
    const Index begin = graph.row_ptr[node];
    const Index end = graph.row_ptr[node + 1];
    if (early) ask_for_all(graph);  // while those two are on their way
    degree = end - begin;
    // Share s of the edges begins where s even parts of them end (a division would take longer than
    // the loads do on a small graph, hence powers of two).
    const auto start_of = [&](int s) { return (std::int64_t{degree} * s) >> log_split; };
    merge_run<kInFlight>(best, view, graph.col_idx + begin + start_of(share),
                         static_cast<Index>(start_of(share + 1) - start_of(share)));
  }
  if (split > 1) {
    auto& shared = shared_object<Shared>();
    shared.of_thread[thread] = best.saved();
    sync_block();
    if (share > 0) return;
    for (int s = 1; s < split; ++s) best.merge(shared.of_thread[thread + (s << log_lanes)]);
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
  int log_split = 0;
  std::int64_t groups = 0;
};

Plan plan_for(const Case& c, const DeviceFacts& device) {
  Plan plan{.tiling = tiling_of(c)};
  plan.log_split = log_split_for(c, device, plan.tiling, kThreads);
  plan.groups = ceil_div(nodes_of(c), kThreads >> (plan.tiling.log_lanes() + plan.log_split));
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
             plan.tiling.log_lanes(), plan.log_split, is_small(c));
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
