// What the teams of a block left over of their stretches, and how blocks share a hub.
//
// Leftovers of teams are merged through shared memory. Only a node of more edges than a block's
// stretch is shared by blocks: each saves its piece in scratch and counts itself in at the block
// where the node began; the last to arrive merges the pieces and writes. The count goes back to
// zero by itself, so that nothing has to be cleared between calls.
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

  static constexpr int kInFlight = 4;

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

  /// All threads: merges what all teams have in `saved`, which is overwritten; the first team gets
  /// the result.
  __device__ void merge_teams(Part& part, Saved* saved) const {
    for (int half = teams / 2; half > 0; half /= 2) {
      if (team < half) {
        part.merge(saved[thread + (half * lanes)]);
        saved[thread] = part.saved();
      }
      sync_block();
    }
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
    for (std::int64_t block = first + team; block <= last; block += kInFlight * teams) {
      Saved some[kInFlight];  // past the last one that one again, which changes nothing
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) {
        const std::int64_t from = min(block + (i * teams), last);
        some[i] = *piece(from, from == first ? 1 : 0);
      }
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) best.merge(some[i]);
    }
    shared.head[thread] = best.saved();
    sync_block();
    merge_teams(best, shared.head);
    if (team == 0) view.store(best, node);
  }
};

}  // namespace redux::csr_max
