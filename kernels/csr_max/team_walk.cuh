// A team's stretch of the path: edge after edge, whatever nodes they belong to.
#pragma once

#include "csr_max/lane_view.cuh"
#include "csr_max/path.cuh"

namespace redux::csr_max {

/// What a team left over of its stretch: the beginning of it may end a node that began before, the
/// end may begin one that goes on (or both are the middle of one node).
enum Left : int {
  kNothing = 0,
  kEndsNode = 1,    ///< `head` belongs to a node that began before the stretch and ends in it
  kLeavesNode = 2,  ///< `tail` belongs to a node that goes on behind the stretch
  kPassesNode = 4,  ///< and that began before it: all of the stretch is the middle of one node
};

template <class T, Reads R>
struct TeamWalk {
  using Part = RowPart<T, R>;
  using Graph = Csr<typename T::Storage, typename T::Index>;
  static constexpr int kInFlight = R == Reads::half ? 4 : 8;
  static constexpr int kFar = 0x7FFFFFFF;

  Part head;  ///< of a node that began before
  Part tail;  ///< of the node under way

  /// Writes the nodes that begin and end between the places; gives what is left over. A stretch has
  /// fewer than 2^31 edges: within it they are counted from its first.
  __device__ int walk(const Graph& graph, const LaneView<T, R>& view, const PathPlace& from,
                      const PathPlace& to) {
    const std::int64_t first = from.edge;
    const int count = static_cast<int>(to.edge - first);
    const bool began = from.node < graph.nodes && graph.row_ptr[from.node] < first;
    std::int64_t node = from.node;
    // Ends are asked for one node ahead of their use.
    const auto end_of = [&](std::int64_t v) {
      return v < to.node ? static_cast<int>(graph.row_ptr[v + 1] - first) : kFar;
    };
    int end = end_of(node);
    int next_end = end_of(node + 1);
    int start = began ? -1 : 0;
    tail.clear();
    head.clear();
    const auto finish = [&] {
      if (began && node == from.node) {
        head = tail;
      } else {
        if (start == end) tail.fill(view.empty);
        view.store(tail, node);
      }
      tail.clear();
      start = end;
      end = next_end;
      ++node;
      next_end = end_of(node + 1);
    };
    // Past the last edge that one again: loads need no guard, and what they bring is not merged, or
    // merged with itself.
    std::uint32_t ids[kInFlight];
    const auto load_ids = [&](int at) {
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) {
        ids[i] = static_cast<std::uint32_t>(graph.col_idx[first + min(at + i, count - 1)]);
      }
    };
    if (count > 0) load_ids(0);
    for (int done = 0; done < count; done += kInFlight) {
      const int some = min(count - done, kInFlight);
      Part parts[kInFlight];
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) {
        view.load(parts[i], ids[i]);
      }
      if (some < count - done) load_ids(done + kInFlight);  // while the rows are on their way
      if (end >= done + some) {                             // all of one node
#pragma unroll
        for (int i = 0; i < kInFlight; ++i) tail.merge(parts[i]);
        continue;
      }
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) {
        if (i < some) {
          while (end == done + i) finish();
          tail.merge(parts[i]);
        }
      }
    }
    while (node < to.node) finish();
    int left = kNothing;
    if (began && to.node > from.node) left |= kEndsNode;
    if (count > 0 && to.node < graph.nodes && graph.row_ptr[to.node] < to.edge) {
      left |= kLeavesNode;
      if (began && to.node == from.node) left |= kPassesNode;
    }
    return left;
  }
};

}  // namespace redux::csr_max
