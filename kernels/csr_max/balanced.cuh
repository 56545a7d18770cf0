// The kernel behind balanced and feature_tiled.
//
// A block takes a stretch of the path (path.cuh), its teams equal parts of that. What a team leaves
// over is merged through shared memory. Only a node of more edges than a block's stretch is shared
// by blocks: each saves its piece in scratch and counts itself in at the block where the node
// began; the last to arrive merges the pieces and writes. The count goes back to zero by itself, so
// that nothing has to be cleared between calls.
#pragma once

#include "common/memory.cuh"
#include "csr_max/team_walk.cuh"

namespace redux::csr_max {

inline constexpr int kBalancedThreads = 256;

/// Scratch: for each block two pieces (of a node that began before it, of one that goes on), and a
/// count. A piece has 16 bytes a lane.
struct Pieces {
  Saved* saved;          ///< [tiles, blocks, 2, lanes]
  std::uint32_t* count;  ///< [tiles, blocks]
};

template <class T, Reads R>
struct BalancedBlock {
  using Part = RowPart<T, R>;
  using Graph = Csr<typename T::Storage, typename T::Index>;
  struct Shared {
    PathPlace from;
    PathPlace to;
    Saved head[kBalancedThreads];
    Saved tail[kBalancedThreads];
    int left[kBalancedThreads];  ///< a team
    bool is_last;
  };

  const Graph& graph;
  const LaneView<T, R>& view;
  Shared& shared;
  Pieces pieces;  ///< of this tile
  std::int64_t stretch;
  int lanes;
  int team;
  int teams;
  int thread;

  [[nodiscard]] __device__ Saved* piece(std::int64_t block, int which) const {
    return pieces.saved + (((block * 2) + which) * lanes) + (thread % lanes);
  }

  /// Merges the tails of the teams before `before` that the node reaches back over. False: it began
  /// before the block.
  __device__ bool merge_back(Part& part, int before) const {
    for (int t = before - 1; t >= 0; --t) {
      part.merge(shared.tail[(t * lanes) + (thread % lanes)]);
      if ((shared.left[t] & kPassesNode) == 0) return true;
    }
    return false;
  }

  /// All threads: this block's piece of a node that blocks share is saved. The last block to come
  /// here merges all of them.
  __device__ void arrive(std::int64_t node) const {
    const std::int64_t begin = graph.row_ptr[node];
    const std::int64_t first = (begin + node) / stretch;
    const std::int64_t last = end_on_path(graph.row_ptr, node) / stretch;
    fence_device();
    sync_block();
    if (thread == 0) {
      const auto others = static_cast<std::uint32_t>(last - first);
      shared.is_last = atomic_count_to(pieces.count + first, others) == others;
    }
    sync_block();
    if (!shared.is_last) return;
    fence_device();
    Part best;
    best.clear();
    for (std::int64_t block = first + team; block <= last; block += teams) {
      best.merge(*piece(block, block == first ? 1 : 0));
    }
    shared.head[thread] = best.saved();
    sync_block();
    if (team == 0) {
      for (int t = 1; t < teams; ++t) best.merge(shared.head[(t * lanes) + thread]);
      view.store(best, node);
    }
    sync_block();  // before the next use of shared memory
  }
};

/// grid (blocks, tiles): tiles one after the other, so that a slice of the table stays in L2.
template <class T, Reads R>
__global__ void __launch_bounds__(kBalancedThreads, 2)
    balanced_kernel(Csr<typename T::Storage, typename T::Index> graph, int lanes,
                    std::int64_t stretch, Pieces pieces) {
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
  const bool began_before = from.node < graph.nodes && graph.row_ptr[from.node] < from.edge;
  if (began_before) block.arrive(from.node);
  if (sync_block_or(began_here)) block.arrive(to.node);
}

}  // namespace redux::csr_max
