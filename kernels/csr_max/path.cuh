// How `balanced` cuts its work: along the path that goes over a graph's edges and, behind each
// node's last edge, its end (the merge path of Merrill and Garland, "Merge-based parallel sparse
// matrix-vector multiplication", SC 2016). Equal stretches of the path are equal work, whatever the
// degrees, nodes without edges included.
#pragma once

#include "common/warp.cuh"
#include "csr_max/csr.hpp"

namespace redux::csr_max {

/// A place on the path: `node` ends and `edge` edges lie before it.
struct PathPlace {
  std::int64_t node;
  std::int64_t edge;
};

/// Items on the path before node's end.
template <class Index>
__device__ std::int64_t end_on_path(const Index* row_ptr, std::int64_t node) {
  return row_ptr[node + 1] + node;
}

/// The place that `item` items lie before, found by all lanes of a warp: the first node whose end
/// does not come before it, by 31 probes a step.
template <class Index>
__device__ PathPlace find_by_warp(const Index* row_ptr, std::int64_t nodes, std::int64_t item) {
  std::int64_t low = 0;
  std::int64_t high = nodes;
  while (low < high) {
    const std::int64_t step = (high - low + kWarp - 1) / kWarp;
    const std::int64_t probe = low + ((lane_id() + 1) * step) - 1;
    const bool before = probe < high && end_on_path(row_ptr, probe) < item;
    low += warp_count(before) * step;
    high = min(high, low + step - 1);
  }
  return {low, item - low};
}

/// The same by one thread, where the node is known to be in [low, high].
template <class Index>
__device__ PathPlace find_between(const Index* row_ptr, std::int64_t low, std::int64_t high,
                                  std::int64_t item) {
  while (low < high) {
    const std::int64_t middle = low + ((high - low) / 2);
    const bool before = end_on_path(row_ptr, middle) < item;
    low = before ? middle + 1 : low;
    high = before ? high : middle;
  }
  return {low, item - low};
}

/// Moves a place that lies within a light node, of at most `most` edges, behind its end: blocks
/// share heavy nodes only.
template <class Index>
__device__ PathPlace behind_light_node(const Index* row_ptr, std::int64_t nodes, std::int64_t most,
                                       PathPlace place) {
  if (place.node >= nodes) return place;
  const std::int64_t begin = row_ptr[place.node];
  const std::int64_t end = row_ptr[place.node + 1];
  const bool within = begin < place.edge && end - begin <= most;
  return within ? PathPlace{place.node + 1, end} : place;
}

}  // namespace redux::csr_max
