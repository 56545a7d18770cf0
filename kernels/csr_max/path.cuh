// How `balanced` cuts its work: along the path that goes over a graph's edges and, behind each
// node's last edge, its end (the merge path of Merrill and Garland, "Merge-based parallel sparse
// matrix-vector multiplication", SC 2016). Equal stretches of the path are equal work, whatever the
// degrees, nodes without edges included.
#pragma once

#include <type_traits>

#include "common/warp.cuh"
#include "csr_max/csr.hpp"

namespace redux::csr_max {

/// Counts nodes, edges and both together: with 32-bit indices there are at most 2^31 nodes and
/// 2^31 - 1 edges. (On small graphs 64-bit arithmetic takes as long as the loads.)
template <class Index>
using Position = std::conditional_t<sizeof(Index) == 4, std::uint32_t, std::uint64_t>;

/// A place on the path: `node` ends and `edge` edges lie before it.
template <class Index>
struct PathPlace {
  Position<Index> node;
  Position<Index> edge;
};

/// Items on the path before node's end.
template <class Index>
__device__ Position<Index> end_on_path(const Index* row_ptr, Position<Index> node) {
  return static_cast<Position<Index>>(row_ptr[node + 1]) + node;
}

/// The place that `item` items lie before, found by all lanes of a warp: the first node whose end
/// does not come before it, by 31 probes a step.
template <class Index>
__device__ PathPlace<Index> find_by_warp(const Index* row_ptr, Position<Index> nodes,
                                         Position<Index> item) {
  Position<Index> low = 0;
  Position<Index> high = nodes;
  while (low < high) {
    const Position<Index> step = ((high - low - 1) / kWarp) + 1;
    const Position<Index> probe = (lane_id() + 1) * step - 1;
    const bool before = probe < high - low && end_on_path<Index>(row_ptr, low + probe) < item;
    low += warp_count(before) * step;
    high = min(high - low, step - 1) + low;
  }
  return {low, item - low};
}

/// Moves a place that lies within a light node, of at most `most` edges, behind its end: blocks
/// share heavy nodes only.
template <class Index>
__device__ PathPlace<Index> behind_light_node(const Index* row_ptr, Position<Index> nodes,
                                              Position<Index> most, PathPlace<Index> place) {
  if (place.node >= nodes) return place;
  const auto begin = static_cast<Position<Index>>(row_ptr[place.node]);
  const auto end = static_cast<Position<Index>>(row_ptr[place.node + 1]);
  const bool within = begin < place.edge && end - begin <= most;
  return within ? PathPlace<Index>{place.node + 1, end} : place;
}

}  // namespace redux::csr_max
