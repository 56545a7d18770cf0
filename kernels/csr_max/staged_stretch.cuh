// A block's stretch of the path (path.cuh) in shared memory: where its nodes end, and the ids of
// its neighbours.
#pragma once

#include "common/memory.cuh"
#include "common/reuse.cuh"
#include "csr_max/path.cuh"

namespace redux::csr_max {

/// A place within a stretch: nodes and edges count from the stretch's first ones.
struct StagedPlace {
  int node;
  int edge;
};

/// Nodes of at most as many edges as a stretch has items are not cut by blocks, so that a block has
/// less than two stretches' items.
struct Stretch {
  const int* ends;           ///< [nodes]: behind each node's last edge
  const std::uint32_t* ids;  ///< [edges]
  int nodes;                 ///< that end in it
  int edges;
  int first_start;  ///< where its first node begins: below 0 before the stretch
  std::uint32_t first_node;

  [[nodiscard]] __device__ int start_of(int node) const {
    return node == 0 ? first_start : ends[node - 1];
  }
  /// A node that does not end here ends far behind.
  [[nodiscard]] __device__ int end_of(int node) const {
    constexpr int kFar = 0x7FFFFFFF;
    return node < nodes ? ends[node] : kFar;
  }
  /// The place that `item` items of the stretch lie before: as find_by_warp, by one thread.
  [[nodiscard]] __device__ StagedPlace find(int item) const {
    int low = 0;
    int high = nodes;
    while (low < high) {
      const int middle = (low + high) / 2;
      const bool before = ends[middle] + middle < item;
      low = before ? middle + 1 : low;
      high = before ? high : middle;
    }
    return {low, item - low};
  }
};

/// All threads: reads the stretch between the places into `items`, which has room for that many.
template <class Graph, class Index = typename Graph::Index>
__device__ Stretch stage(const Graph& graph, const PathPlace<Index>& from,
                         const PathPlace<Index>& to, std::uint32_t* items, int threads) {
  const auto thread = static_cast<int>(threadIdx.x);
  const auto nodes = static_cast<int>(to.node - from.node);
  const auto edges = static_cast<int>(to.edge - from.edge);
  const Index* row_ptr = graph.row_ptr + from.node + 1;
  const Index* col_idx = graph.col_idx + from.edge;
  for (int i = thread; i < nodes; i += threads) {
    items[i] = static_cast<std::uint32_t>(row_ptr[i] - from.edge);
  }
  std::uint32_t* ids = items + nodes;
  for (int i = thread; i < edges; i += threads) {
    ids[i] = static_cast<std::uint32_t>(load_once(col_idx + i));
  }
  const bool began_before = from.node < static_cast<Position<Index>>(graph.nodes) &&
                            static_cast<Position<Index>>(row_ptr[-1]) < from.edge;
  sync_block();
  return {reinterpret_cast<const int*>(items),  ids, nodes, edges, began_before ? -1 : 0,
          static_cast<std::uint32_t>(from.node)};
}

}  // namespace redux::csr_max
