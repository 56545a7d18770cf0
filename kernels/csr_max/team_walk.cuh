// A team's part of a block's stretch: edge after edge, whatever nodes they belong to.
#pragma once

#include "csr_max/lane_view.cuh"
#include "csr_max/staged_stretch.cuh"

namespace redux::csr_max {

/// What a team left over of its part: the beginning of it may end a node that began before, the end
/// may begin one that goes on (or both are the middle of one node).
enum Left : int {
  kNothing = 0,
  kEndsNode = 1,    ///< `head` belongs to a node that began before the part and ends in it
  kLeavesNode = 2,  ///< `tail` belongs to a node that goes on behind the part
  kPassesNode = 4,  ///< and that began before it: all of the part is the middle of one node
};

template <class T, Reads R, int kInFlight>
struct TeamWalk {
  using Part = RowPart<T, R>;

  Part tail;  ///< of the node under way

  /// Writes the nodes that begin and end between the places, which count from the stretch's first;
  /// saves what it has of a node that began before in `head`; gives what is left over.
  __device__ int walk(const Stretch& stretch, const LaneView<T, R>& view, const StagedPlace& from,
                      const StagedPlace& to, Saved& head) {
    int node = from.node;
    int start = stretch.start_of(node);
    int end = stretch.end_of(node);
    const bool began = start < from.edge;
    tail.clear();
    const auto finish = [&] {
      if (began && node == from.node) {
        head = tail.saved();
      } else {
        if (start == end) tail.fill(view.empty);
        view.store(tail, stretch.first_node + node);
      }
      tail.clear();
      start = end;
      end = stretch.end_of(++node);
    };
    for (int edge = from.edge; edge < to.edge; edge += kInFlight) {
      const int some = min(to.edge - edge, kInFlight);
      Part parts[kInFlight];
#pragma unroll
      for (int i = 0; i < kInFlight;
           ++i) {  // past the last one that one again: loads need no guard
        view.load(parts[i], stretch.ids[edge + min(i, some - 1)]);
      }
      if (end >= edge + some) {  // all of one node, so that repeated ones change nothing
#pragma unroll
        for (int i = 0; i < kInFlight; ++i) tail.merge(parts[i]);
        continue;
      }
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) {
        if (i < some) {
          while (end == edge + i) finish();
          tail.merge(parts[i]);
        }
      }
    }
    while (node < to.node) finish();
    int left = kNothing;
    if (began && to.node > from.node) left |= kEndsNode;
    if (to.edge > stretch.start_of(to.node)) {
      left |= kLeavesNode;
      if (began && to.node == from.node) left |= kPassesNode;
    }
    return left;
  }
};

}  // namespace redux::csr_max
