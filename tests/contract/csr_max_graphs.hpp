// Graphs with features, on which every variant of csr_max is checked.
#pragma once

#include <numeric>

#include "contract/contract.hpp"
#include "contract/encode.hpp"

namespace redux::contract {

using Ids = std::vector<std::int64_t>;

/// A case with its inputs. The arrays are given: nothing is generated from the case.
struct GraphProblem {
  Case c;
  std::vector<Bytes> inputs;  ///< row_ptr, col_idx, features
};

inline Bytes encode_ids(const Ids& ids, Index index) {
  if (index == Index::int64) return encode_exactly(ids);
  return encode_exactly(std::vector<std::int32_t>(ids.begin(), ids.end()));
}

/// What makes a problem of a graph.
struct GraphChoice {
  DType dtype = DType::float32;
  std::int64_t width = 1;  ///< features a node
  Nan nan = Nan::propagate;
  Empty empty = Empty::negative_infinity;
  Index index = Index::int32;
};

inline Case graph_case(const GraphChoice& choice, std::int64_t nodes, std::int64_t edges) {
  Case c = make_case("csr_max", choice.dtype, {nodes, edges, choice.width});
  c.attributes.nan = choice.nan;
  c.attributes.empty = choice.empty;
  c.attributes.index = choice.index;
  c.shape.graph = "given-" + std::to_string(nodes) + "-" + std::to_string(edges);
  return c;
}

inline GraphProblem graph_problem(const GraphChoice& choice, const Ids& row_ptr, const Ids& col_idx,
                                  Bytes features) {
  const auto nodes = static_cast<std::int64_t>(row_ptr.size()) - 1;
  return {
      graph_case(choice, nodes, static_cast<std::int64_t>(col_idx.size())),
      {encode_ids(row_ptr, choice.index), encode_ids(col_idx, choice.index), std::move(features)}};
}

/// Features of a data kind.
inline Bytes features_of(const GraphChoice& choice, std::int64_t nodes, std::string_view kind,
                         std::uint64_t seed = 5) {
  Bytes bytes(static_cast<std::size_t>(nodes * choice.width) * size_of(choice.dtype));
  fill(kind, choice.dtype, {1, nodes, choice.width}, seed, bytes);
  return bytes;
}

/// Rows of neighbours as arrays.
struct Neighbours {
  Ids row_ptr{0};
  Ids col_idx;

  void add(const Ids& ids) {
    col_idx.insert(col_idx.end(), ids.begin(), ids.end());
    row_ptr.push_back(static_cast<std::int64_t>(col_idx.size()));
  }
  [[nodiscard]] std::int64_t nodes() const { return static_cast<std::int64_t>(row_ptr.size()) - 1; }
};

/// A node of each degree, in that order, over a table of as many nodes; columns scattered, with
/// repeats. More nodes without edges where `nodes` asks for them.
inline Neighbours of_degrees(const Ids& degrees, std::int64_t nodes = 0) {
  Neighbours graph;
  const auto count = std::max(nodes, static_cast<std::int64_t>(degrees.size()));
  std::uint64_t state = 1;
  for (std::int64_t v = 0; v < count; ++v) {
    Ids ids;
    const std::int64_t degree =
        v < static_cast<std::int64_t>(degrees.size()) ? degrees[static_cast<std::size_t>(v)] : 0;
    for (std::int64_t e = 0; e < degree; ++e) {
      state = (state * 6364136223846793005U) + 1442695040888963407U;
      ids.push_back(static_cast<std::int64_t>((state >> 33U) % static_cast<std::uint64_t>(count)));
    }
    graph.add(ids);
  }
  return graph;
}

/// About the widths of warps and blocks, light nodes between heavy ones.
inline const Ids kDegrees{0, 1, 31, 32, 33, 0, 0, 63, 64, 65, 2, 127, 128, 129, 5, 1000, 0, 3};
inline constexpr std::array<std::int64_t, 14> kWidths{0,  1,  3,   31,  32,  33, 79,
                                                      80, 81, 127, 128, 129, 47, 2};

/// Every variant on one problem; data and outputs start `offset` elements past a 256-byte boundary.
inline void check_graph(Ground& ground, GraphProblem problem, Tally& tally,
                        const std::string& label = {}, std::int64_t offset = 0, int calls = 1) {
  ground.load_all(problem.inputs, places_of(problem.c, offset));
  ground.offset_outputs(offset);
  check_loaded(ground, problem.c, reference_of(problem.c, problem.inputs), tally, label, calls);
  ground.offset_outputs(0);
}

/// All degrees at every width, the policies and kinds of data in turn.
inline void check_widths(Ground& ground, DType dtype, Tally& tally, const Ids& degrees = kDegrees,
                         std::span<const std::int64_t> widths = kWidths) {
  const Neighbours graph = of_degrees(degrees);
  const auto& kinds = Registry::instance().find_op("csr_max")->data_kinds;
  std::size_t turn = static_cast<std::size_t>(dtype);
  for (const std::int64_t width : widths) {
    for (const Index index : {Index::int32, Index::int64}) {
      const bool odd = turn % 2 != 0;
      const GraphChoice choice{dtype, width, odd ? Nan::skip : Nan::propagate,
                               turn % 3 == 0 ? Empty::zero : Empty::negative_infinity, index};
      const std::string& kind = kinds[turn++ % kinds.size()];
      check_graph(ground,
                  graph_problem(choice, graph.row_ptr, graph.col_idx,
                                features_of(choice, graph.nodes(), kind)),
                  tally, kind);
    }
  }
}

/// Node v's neighbours are v - 1, v and v + 1, and the table has a NaN at feature j % F of each
/// node j: a NaN in every lane, at each of three places among a node's edges.
inline GraphProblem nan_in_every_lane(const GraphChoice& choice, std::int64_t nodes) {
  Neighbours graph;
  for (std::int64_t v = 0; v < nodes; ++v) graph.add({(v + nodes - 1) % nodes, v, (v + 1) % nodes});
  std::vector<double> values(static_cast<std::size_t>(nodes * choice.width));
  for (std::int64_t v = 0; v < nodes; ++v) {
    for (std::int64_t f = 0; f < choice.width; ++f) {
      values[static_cast<std::size_t>((v * choice.width) + f)] =
          f == v % choice.width ? std::numeric_limits<double>::quiet_NaN()
                                : static_cast<double>(((v * 7) + f) % 101) - 50;
    }
  }
  return graph_problem(choice, graph.row_ptr, graph.col_idx, encode(choice.dtype, values));
}

}  // namespace redux::contract
