// The kernel behind balanced and feature_tiled: a block takes a stretch of the path (path.cuh), its
// teams equal parts of that.
#pragma once

#include "csr_max/balanced_block.cuh"

namespace redux::csr_max {

/// grid (blocks, tiles): tiles one after the other, so that a slice of the table stays in L2.
template <class T, Reads R>
__global__ void __launch_bounds__(kBalancedThreads, 2)
    balanced_kernel(Csr<typename T::Storage, typename T::Index> graph, int lanes,
                    std::int64_t stretch, Pieces pieces, bool early) {
  using Block = BalancedBlock<T, R>;
  auto& shared = shared_object<typename Block::Shared>();
  const auto thread = static_cast<int>(threadIdx.x);
  const int team = thread / lanes;
  const int teams = kBalancedThreads / lanes;
  const std::int64_t items = graph.nodes + graph.edges;
  const std::int64_t begin = blockIdx.x * stretch;
  if (thread < 2 * kWarp) {  // a warp for each end
    const std::int64_t item = min(begin + (thread / kWarp * stretch), items);
    PathPlace place = find_by_warp(graph.row_ptr, graph.nodes, item);
    place = behind_light_node(graph.row_ptr, graph.nodes, stretch, place);
    if (thread == 0) shared.from = place;
    if (thread == kWarp) shared.to = place;
  }
  if (early) ask_for_all(graph);
  sync_block();
  const PathPlace from = shared.from;
  const PathPlace to = shared.to;
  const LaneView<T, R> view(graph, blockIdx.y, lanes, thread % lanes);
  const std::int64_t first = from.node + from.edge;
  const std::int64_t last = to.node + to.edge;
  const std::int64_t each = max((last - first + teams - 1) / teams, std::int64_t{1});
  const auto last_team = static_cast<int>((last - first - 1) / each);  // that has anything to do
  const auto place_of = [&](int t, std::int64_t low) {
    return find_between(graph.row_ptr, low, to.node, min(first + (t * each), last));
  };
  const PathPlace mine = place_of(team, from.node);
  TeamWalk<T, R> walk;
  const int left = walk.walk(graph, view, mine, place_of(team + 1, mine.node));
  shared.tail[thread] = walk.tail.saved();
  if (thread % lanes == 0) shared.left[team] = left;
  sync_block();

  const std::int64_t blocks = gridDim.x;
  pieces.saved += blockIdx.y * blocks * 2 * lanes;
  pieces.count += blockIdx.y * blocks;
  const Block block{graph, view, shared, pieces, stretch, lanes, team, teams, thread};
  const bool began_before = from.node < graph.nodes && graph.row_ptr[from.node] < from.edge;
  if (began_before && from.node == to.node) {  // the middle of a hub
    block.merge_teams(walk.tail, shared.tail);
    if (team == 0) *block.piece(blockIdx.x, 0) = walk.tail.saved();
    return block.arrive(from.node);
  }
  if ((left & kEndsNode) != 0) {
    if (block.merge_back(walk.head, team)) {
      view.store(walk.head, mine.node);
    } else {
      *block.piece(blockIdx.x, 0) = walk.head.saved();
    }
  }
  bool began_here = false;
  if (team == last_team && (left & kLeavesNode) != 0) {
    began_here = (left & kPassesNode) == 0;
    if (!began_here) began_here = block.merge_back(walk.tail, team);
    *block.piece(blockIdx.x, began_here ? 1 : 0) = walk.tail.saved();
  }
  if (began_before) block.arrive(from.node);
  if (sync_block_or(began_here)) block.arrive(to.node);
}

}  // namespace redux::csr_max
