// How the blocks that share a node come to its maximum: each saves its piece in scratch and counts
// itself in; the last to arrive merges the pieces and writes. The count goes back to zero by
// itself, so that nothing has to be cleared between calls.
#pragma once

#include "common/memory.cuh"
#include "csr_max/lane_view.cuh"

namespace redux::csr_max {

/// A block of 1 << kLogThreads threads as teams of 1 << log_lanes lanes, and its view of the
/// pieces.
template <class T, Reads R, int kLogThreads>
struct HubBlock {
  using Part = RowPart<T, R>;

  const LaneView<T, R>& view;
  Pieces pieces;  ///< of this tile
  int log_lanes;
  int thread;

  /// `blocks`: that share nodes, along x.
  __device__ HubBlock(const LaneView<T, R>& of_lane, const Pieces& all, std::uint32_t blocks,
                      int log_of_lanes)
      : view(of_lane), pieces(all), log_lanes(log_of_lanes), thread(threadIdx.x) {
    const std::uint64_t before = std::uint64_t{blockIdx.y} * blocks;
    pieces.saved += (before * 2) << log_lanes;
    pieces.count += before;
  }

  [[nodiscard]] __device__ int team() const { return thread >> log_lanes; }
  [[nodiscard]] __device__ int lane() const { return thread & ((1 << log_lanes) - 1); }
  [[nodiscard]] __device__ Saved* piece(std::uint64_t block, bool begins_in_it) const {
    return pieces.saved + (((block * 2) + (begins_in_it ? 1 : 0)) << log_lanes) + lane();
  }

  /// All threads: merges what all teams have in `saved`, which is overwritten; the first team gets
  /// the result.
  __device__ void merge_teams(Part& part, Saved* saved) const {
    for (int half = (1 << kLogThreads) >> (log_lanes + 1); half > 0; half /= 2) {
      if (team() < half) {
        part.merge(saved[thread + (half << log_lanes)]);
        saved[thread] = part.saved();
      }
      sync_block();
    }
  }

  /// All threads: this block's piece of the node, which blocks `first` to `last` share, is saved.
  /// The last of them to come here merges all pieces and writes. `saved` and `is_last` are shared
  /// memory, a word a thread and a flag.
  __device__ void arrive(std::uint32_t node, std::uint32_t first, std::uint32_t last, Saved* saved,
                         bool& is_last) const {
    constexpr int kInFlight = 8;
    const int teams = 1 << (kLogThreads - log_lanes);
    fence_device();
    sync_block();
    if (thread == 0) {
      is_last = atomic_count_to(pieces.count + first, last - first) == last - first;
    }
    sync_block();
    if (!is_last) return;
    fence_device();
    Part best;
    best.clear();
    for (std::uint32_t block = first + team(); block <= last; block += kInFlight * teams) {
      Saved some[kInFlight];  // past the last one that one again, which changes nothing
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) {
        const std::uint32_t from = min(block + (i * teams), last);
        some[i] = *piece(from, from == first);
      }
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) best.merge(some[i]);
    }
    saved[thread] = best.saved();
    sync_block();
    merge_teams(best, saved);
    if (team() == 0) view.store(best, node);
  }
};

}  // namespace redux::csr_max
