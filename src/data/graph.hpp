// Graphs in compressed sparse rows: the kinds of SEMANTICS, Matrix Market files and pairs of .npy
// files. row_ptr has nodes + 1 entries; the neighbours of node v are col_idx[row_ptr[v]] up to, not
// including, col_idx[row_ptr[v + 1]].
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.hpp"
#include "core/graph.hpp"

namespace redux {

/// Every kind that is generated.
std::span<const std::string_view> graph_kinds();
/// Whether the kind takes a share in percent: hub (of the edges, default 100), with_empty (of the
/// nodes, default 30).
bool takes_share(std::string_view kind);
/// Whether the kind takes the edges of all nodes in place of a degree.
bool takes_edges(std::string_view kind);
/// What is wrong with the parameters of a generated graph, or empty.
std::string graph_fault(const GraphSource& source);

struct GraphExtents {
  std::int64_t nodes = 0;
  std::int64_t edges = 0;

  bool operator==(const GraphExtents&) const = default;
};

/// How large the graph is. Degrees of a power law depend on the seed. Files are read to their end
/// and checked: throws Failure(usage) naming the file, the place and what is allowed there.
GraphExtents graph_extents(const GraphSource& source, std::uint64_t seed);

struct GraphArrays {
  std::vector<std::byte> row_ptr;
  std::vector<std::byte> col_idx;
};

/// The arrays in `index` (int32 or int64, which has to hold nodes and edges). Generated ones are a
/// function of source and seed alone, on every machine and for any number of threads. Throws as
/// graph_extents does.
GraphArrays make_graph(const GraphSource& source, std::uint64_t seed, DType index);

/// Names the first bad place, or empty: row_ptr starts at 0, never falls and ends at the number of
/// edges; every column is in [0, nodes). Parallel: what any launch over the arrays relies on is
/// checked before it.
std::string csr_fault(std::span<const std::int32_t> row_ptr, std::span<const std::int32_t> col_idx);
std::string csr_fault(std::span<const std::int64_t> row_ptr, std::span<const std::int64_t> col_idx);

}  // namespace redux
