// A lane's part of the table, of every row of it, and of the output.
#pragma once

#include "common/prefetch.cuh"
#include "common/warp.cuh"
#include "csr_max/row_part.cuh"

namespace redux::csr_max {

/// Small graphs (is_small) spend their time on loads that wait for one another: row_ptr, then ids,
/// then rows. All threads of the grid together ask for ids and table before they are needed, so
/// that only the first of the three comes from memory. Block and thread numbers along x count.
template <class Graph>
__device__ void ask_for_all(const Graph& graph) {
  constexpr std::uint32_t kLine = 128;
  const std::uint32_t me = blockIdx.x + (threadIdx.x * gridDim.x);
  const std::uint32_t all = gridDim.x * blockDim.x;
  const auto ask = [&](const void* from, std::uint32_t bytes) {
    const auto* lines = static_cast<const unsigned char*>(from);
    for (std::uint32_t at = me * kLine; at < bytes; at += all * kLine) prefetch_to_l2(lines + at);
  };
  const auto count = [](std::int64_t n) { return static_cast<std::uint32_t>(n); };
  ask(graph.col_idx, count(graph.edges) * sizeof(*graph.col_idx));
  ask(graph.features, count(graph.nodes) * count(graph.width) * sizeof(*graph.features));
}

/// A lane's view of the problem: its words of every row of the table and of the output.
template <class T, Reads R>
struct LaneView {
  using Part = RowPart<T, R>;
  using Word = typename Part::Word;
  using Graph = Csr<typename T::Storage, typename T::Index>;

  typename Part::Place place;
  const unsigned char* features;  ///< of row 0
  unsigned char* out;             ///< likewise
  std::uint32_t pitch;            ///< bytes from row to row
  typename Part::Register empty;

  __device__ LaneView(const Graph& graph, std::uint32_t tile, int lanes, int lane)
      : pitch(static_cast<std::uint32_t>(graph.width) * sizeof(typename T::Storage)),
        empty(graph.zero_empty != 0 ? 0 : least_register<typename T::Storage>()) {
    place = Part::place_of(pitch / sizeof(Word), tile, lanes, lane);
    features =
        reinterpret_cast<const unsigned char*>(graph.features) + (place.first * sizeof(Word));
    out = reinterpret_cast<unsigned char*>(graph.out) + (place.first * sizeof(Word));
  }

  __device__ void load(Part& part, std::uint32_t node) const {
    const unsigned char* at = features + (static_cast<std::uint64_t>(node) * pitch);
    part.load(reinterpret_cast<const Word*>(at), place);
  }
  __device__ void store(const Part& part, std::uint32_t node) const {
    unsigned char* at = out + (static_cast<std::uint64_t>(node) * pitch);
    part.store(reinterpret_cast<Word*>(at), place);
  }
};

}  // namespace redux::csr_max
