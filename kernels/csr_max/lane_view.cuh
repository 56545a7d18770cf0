// A lane's part of the table, of every row of it, and of the output.
#pragma once

#include "common/warp.cuh"
#include "csr_max/row_part.cuh"

namespace redux::csr_max {

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
