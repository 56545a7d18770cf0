// csr_max, features [nodes, F] -> [nodes, F]: for small graphs, the latency of three loads that
// wait for one another, and no more where there are hubs.
//
// Nodes of up to 64 edges are dealt with as vector4 does: teams of lanes a node, 16 bytes a lane.
// The edges of heavier ones are taken in windows of 64 edges, aligned in col_idx, by blocks of
// their own that run at the same time: one compares all of row_ptr with its window and finds the at
// most two heavy nodes there; windows of a node are merged through scratch (hub_block.cuh). Blocks
// without a heavy node end at once. Wins while all blocks fit the device together; as each window
// reads row_ptr, graphs of more than 4096 nodes are unsupported. Any degree, any alignment.
#include "csr_max/heavy_window.cuh"
#include "csr_max/launch_csr.cuh"

namespace redux::csr_max {
namespace {

constexpr int kLogThreads = 7;
constexpr int kThreads = 1 << kLogThreads;
constexpr int kInFlight = 8;
constexpr std::int64_t kMostNodes = 4096;

using Shared = WindowShared<kThreads>;

/// `split` teams a node. All threads.
template <class T, Reads R>
__device__ void light_nodes(const Csr<typename T::Storage, typename T::Index>& graph,
                            const LaneView<T, R>& view, int log_lanes, int log_split,
                            Shared& shared) {
  using Index = typename T::Index;
  const auto thread = static_cast<int>(threadIdx.x);
  const int split = 1 << log_split;
  const int share = (thread >> log_lanes) & (split - 1);
  const std::uint32_t node =
      (blockIdx.x << (kLogThreads - log_lanes - log_split)) + (thread >> (log_lanes + log_split));
  RowPart<T, R> best;
  best.clear();
  Index begin = 0;
  Index end = kWindow + 1;
  if (node < graph.nodes) {
    begin = graph.row_ptr[node];
    end = graph.row_ptr[node + 1];
  }
  ask_for_all(graph);  // while those two are on their way
  const int degree = static_cast<int>(min(end - begin, Index{kWindow + 1}));
  if (degree <= kWindow) {
    const int first = (degree * share) >> log_split;
    const int last = (degree * (share + 1)) >> log_split;
    merge_run<kInFlight>(best, view, graph.col_idx + begin + first, Index{last - first});
  }
  shared.of_thread[thread] = best.saved();
  sync_block();
  if (share > 0 || degree > kWindow) return;
  for (int s = 1; s < split; ++s) best.merge(shared.of_thread[thread + (s << log_lanes)]);
  if (degree == 0) best.fill(view.empty);
  view.store(best, node);
}

/// grid (blocks of light nodes, then windows; tiles)
template <class T, Reads R>
__global__ void __launch_bounds__(kThreads, 6)
    split_hubs(Csr<typename T::Storage, typename T::Index> graph, int log_lanes, int log_split,
               std::uint32_t light_blocks, Pieces pieces) {
  auto& shared = shared_object<Shared>();
  const LaneView<T, R> view(graph, blockIdx.y, 1 << log_lanes,
                            static_cast<int>(threadIdx.x) & ((1 << log_lanes) - 1));
  if (blockIdx.x < light_blocks) {
    light_nodes<T, R>(graph, view, log_lanes, log_split, shared);
  } else {
    const HubBlock<T, R, kLogThreads> block(view, pieces, gridDim.x - light_blocks, log_lanes);
    heavy_window<kInFlight>(graph, block, blockIdx.x - light_blocks, shared);
  }
}

auto kernel_for(Reads reads) {
  return [reads]<class T>(T) {
    return with_reads<T>(reads, []<Reads R>(Reading<R>) { return split_hubs<T, R>; });
  };
}

struct Plan {
  Tiling tiling;
  int log_split = 0;
  std::int64_t light_blocks = 0;
  std::int64_t windows = 0;
};

Plan plan_for(const Case& c, const DeviceFacts& device) {
  Plan plan{.tiling = tiling_of(c)};
  plan.log_split = log_split_for(c, device, plan.tiling, kThreads);
  plan.light_blocks = ceil_div(nodes_of(c), kThreads >> (plan.tiling.log_lanes() + plan.log_split));
  plan.windows = ceil_div(edges_of(c), kWindow);
  return plan;
}

std::string unsupported(const Case& c, const DeviceFacts& device) {
  if (nodes_of(c) > kMostNodes) return "takes at most 4096 nodes: each block reads all of row_ptr";
  if (!is_small(c)) return "takes at most 2 MiB of ids and features: all is asked for at once";
  return past_row_limits(c, plan_for(c, device).tiling.tiles);
}

std::size_t scratch_bytes(const Case& c, const DeviceFacts& device) {
  const Plan plan = plan_for(c, device);
  return piece_bytes(plan.tiling, plan.windows);
}

Geometry geometry_of(const Case& c, const DeviceFacts& device) {
  const Plan plan = plan_for(c, device);
  return {.grid = {static_cast<std::uint32_t>(plan.light_blocks + plan.windows),
                   static_cast<std::uint32_t>(plan.tiling.tiles)},
          .block = {kThreads},
          .kernels = is_empty(c) ? 0 : 1,
          .function = function_of(c, kernel_for(reads_of(c)))};
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  const Plan plan = plan_for(c, *exec.device);
  launch_csr(problem, exec, geometry_of(c, *exec.device), kernel_for(reads_of(problem)),
             plan.tiling.log_lanes(), plan.log_split, static_cast<std::uint32_t>(plan.light_blocks),
             pieces_in(problem.workspace, plan.tiling, plan.windows));
}

const RegisterVariant split_hubs_variant{
    {"csr_max"},
    Variant{.name = "split_hubs",
            .side = Side::cuda,
            .about = "as vector4, and hubs in windows of 64 edges, a block each; wins on small "
                     "graphs",
            .source = __FILE__,
            .workspace_alignment = kLaneBytes,
            .needs_zeroed_workspace = true,
            .unsupported = unsupported,
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::csr_max
