// The kernel behind balanced and feature_tiled: a block takes a stretch of the path (path.cuh), its
// teams equal parts of that. Leftovers of teams are merged through shared memory; only a node of
// more edges than a stretch has items is shared by blocks (hub_block.cuh).
#pragma once

#include "csr_max/hub_block.cuh"
#include "csr_max/team_walk.cuh"

namespace redux::csr_max {

inline constexpr int kLogBalancedThreads = 8;
inline constexpr int kBalancedThreads = 1 << kLogBalancedThreads;

template <class T, Reads R>
struct BalancedShared {
  using Block = HubBlock<T, R, kLogBalancedThreads>;

  PathPlace<typename T::Index> from;
  PathPlace<typename T::Index> to;
  Saved head[kBalancedThreads];
  Saved tail[kBalancedThreads];
  int left[kBalancedThreads];  ///< a team
  bool is_last;

  /// Merges the tails of the teams before `before` that the node reaches back over. False: it began
  /// before the block.
  __device__ bool merge_back(RowPart<T, R>& part, const Block& block, int before) const {
    for (int t = before - 1; t >= 0; --t) {
      part.merge(tail[(t << block.log_lanes) + block.lane()]);
      if ((left[t] & kPassesNode) == 0) return true;
    }
    return false;
  }
};

/// Where this block's stretch begins and ends: two warps find them.
template <class Graph, class Shared>
__device__ void find_ends(const Graph& graph, int log_stretch, Shared& shared) {
  using Count = Position<typename Graph::Index>;
  const auto thread = static_cast<int>(threadIdx.x);
  if (thread < 2 * kWarp) {
    const auto nodes = static_cast<Count>(graph.nodes);
    const auto items = nodes + static_cast<Count>(graph.edges);
    const auto stretch = Count{1} << log_stretch;
    Count item = blockIdx.x * stretch;
    if (thread >= kWarp) item += min(stretch, items - item);
    const auto place =
        behind_light_node(graph.row_ptr, nodes, stretch, find_by_warp(graph.row_ptr, nodes, item));
    if (thread == 0) shared.from = place;
    if (thread == kWarp) shared.to = place;
  }
  sync_block();
}

/// grid (blocks, tiles): tiles one after the other, so that a slice of the table stays in L2.
/// Dynamic shared memory: 8 << `log_stretch` bytes. 6 neighbours in flight and 40 warps a
/// multiprocessor were the fastest of 2 to 8 and 16 to 64 on an H200.
template <class T, Reads R>
__global__ void __launch_bounds__(kBalancedThreads, 5)
    balanced_kernel(Csr<typename T::Storage, typename T::Index> graph, int log_lanes,
                    int log_stretch, Pieces pieces) {
  constexpr int kInFlight = R == Reads::half ? 4 : 6;
  auto& shared = shared_object<BalancedShared<T, R>>();
  find_ends(graph, log_stretch, shared);
  const auto from = shared.from;
  const auto to = shared.to;
  const Stretch staged = stage(graph, from, to, dynamic_shared<std::uint32_t>(), kBalancedThreads);
  const auto thread = static_cast<int>(threadIdx.x);
  const int lanes = 1 << log_lanes;
  const int log_teams = kLogBalancedThreads - log_lanes;
  const LaneView<T, R> view(graph, blockIdx.y, lanes, thread & (lanes - 1));
  const HubBlock<T, R, kLogBalancedThreads> block(view, pieces, gridDim.x, log_lanes);
  const int team = block.team();
  const int count = staged.nodes + staged.edges;
  const int each = (count + (1 << log_teams) - 1) >> log_teams;
  const int first = min(team * each, count);
  const int last = min(first + each, count);
  const StagedPlace mine = staged.find(first);
  TeamWalk<T, R, kInFlight> walk;
  const int left = walk.walk(staged, view, mine, staged.find(last), shared.head[thread]);
  shared.tail[thread] = walk.tail.saved();
  if (block.lane() == 0) shared.left[team] = left;
  sync_block();

  const auto share = [&](auto node) {  // of a node that goes beyond this block
    const auto begin = static_cast<Position<typename T::Index>>(graph.row_ptr[node]);
    block.arrive(static_cast<std::uint32_t>(node),
                 static_cast<std::uint32_t>((begin + node) >> log_stretch),
                 static_cast<std::uint32_t>(end_on_path(graph.row_ptr, node) >> log_stretch),
                 shared.head, shared.is_last);
  };
  const bool began_before = staged.first_start < 0;
  if (began_before && from.node == to.node) {  // the middle of a hub
    block.merge_teams(walk.tail, shared.tail);
    if (team == 0) *block.piece(blockIdx.x, false) = walk.tail.saved();
    return share(from.node);
  }
  if ((left & kEndsNode) != 0) {
    RowPart<T, R> head;
    head.restore(shared.head[thread]);
    if (shared.merge_back(head, block, team)) {
      view.store(head, staged.first_node + mine.node);
    } else {
      *block.piece(blockIdx.x, false) = head.saved();
    }
  }
  bool began_here = false;
  if (first < count && last == count && (left & kLeavesNode) != 0) {
    began_here = (left & kPassesNode) == 0 || shared.merge_back(walk.tail, block, team);
    *block.piece(blockIdx.x, began_here) = walk.tail.saved();
  }
  if (began_before) share(from.node);
  if (sync_block_or(began_here)) share(to.node);
}

}  // namespace redux::csr_max
