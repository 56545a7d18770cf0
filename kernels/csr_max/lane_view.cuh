// A lane's part of the table, of every row of it, and of the output.
#pragma once

#include "common/prefetch.cuh"
#include "common/warp.cuh"
#include "csr_max/row_part.cuh"

namespace redux::csr_max {

/// Small graphs spend their time on loads that wait for one another: row_ptr, then ids, then rows.
/// All threads of the grid together ask for ids and table before they are needed, so that only the
/// first of the three comes from memory. Block and thread numbers along x count.
template <class Graph>
__device__ void ask_for_all(const Graph& graph) {
  constexpr std::int64_t kLine = 128;
  const std::int64_t me = blockIdx.x + (static_cast<std::int64_t>(threadIdx.x) * gridDim.x);
  const std::int64_t all = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const auto ask = [&](const void* from, std::int64_t bytes) {
    const auto* lines = static_cast<const unsigned char*>(from);
    for (std::int64_t at = me * kLine; at < bytes; at += all * kLine) prefetch_to_l2(lines + at);
  };
  ask(graph.col_idx, graph.edges * static_cast<std::int64_t>(sizeof(*graph.col_idx)));
  ask(graph.features,
      graph.nodes * graph.width * static_cast<std::int64_t>(sizeof(*graph.features)));
}

/// A lane's view of the problem: its words of every row of the table and of the output.
template <class T, Reads R>
struct LaneView {
  using Part = RowPart<T, R>;
  using Word = typename Part::Word;
  using Graph = Csr<typename T::Storage, typename T::Index>;

  typename Part::Place place;
  const Word* features;  ///< of row 0
  Word* out;             ///< likewise
  std::uint32_t pitch;   ///< words from row to row
  typename Part::Register empty;

  __device__ LaneView(const Graph& graph, std::int64_t tile, int lanes, int lane)
      : pitch(static_cast<std::uint32_t>(graph.width * sizeof(typename T::Storage) / sizeof(Word))),
        empty(graph.zero_empty != 0 ? 0 : least_register<typename T::Storage>()) {
    place = Part::place_of(pitch, tile, lanes, lane);
    features = reinterpret_cast<const Word*>(graph.features) + place.first;
    out = reinterpret_cast<Word*>(graph.out) + place.first;
  }

  __device__ void load(Part& part, std::uint32_t node) const {
    part.load(features + (static_cast<std::uint64_t>(node) * pitch), place);
  }
  __device__ void store(const Part& part, std::int64_t node) const {
    part.store(out + (node * pitch), place);
  }
};

}  // namespace redux::csr_max
