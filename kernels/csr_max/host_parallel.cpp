// csr_max on all host threads (OpenMP): [nodes, F] features -> [nodes, F].
//
// Work is dealt out dynamically in shares of about as many edges each, whatever the nodes in them:
// a share's nodes are found by a binary search in row_ptr, where a node counts as one edge more, so
// that nodes without any cost something, too. Hubs are cut: each thread folds a piece of the hub's
// edges, and the pieces are merged. Wins from some ten thousand edges up.
#include <algorithm>

#include "core/registry.hpp"
#include "csr_max/host_rows.hpp"

// Part of OpenMP. Declared here because Clang's tools cannot read the omp.h that GCC installs.
extern "C" int omp_get_max_threads();

namespace redux::csr_max {
namespace {

constexpr std::int64_t kSerialElements = 65536;  // gathered: not worth a thread
constexpr std::int64_t kShareElements = 1 << 18U;
constexpr std::int64_t kHubShares = 4;  // a node of more shares than this is cut

/// The first node that starts at or behind `place` in the order of nodes and edges.
template <class Graph>
std::int64_t node_at(const Graph& graph, std::int64_t place) {
  std::int64_t low = 0;
  std::int64_t high = graph.nodes;
  while (low < high) {
    const std::int64_t middle = low + ((high - low) / 2);
    if (graph.row_ptr[middle] + middle < place) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

template <class T, class Graph>
void reduce_hub(const Graph& graph, std::int64_t node, std::int64_t share) {
  const std::int64_t begin = graph.row_ptr[node];
  const std::int64_t end = graph.row_ptr[node + 1];
  const std::int64_t pieces = ceil_div(end - begin, share);
  RowMaximum<T> whole(graph);
  whole.clear();
#pragma omp parallel
  {
    RowMaximum<T> mine(graph);
    mine.clear();
#pragma omp for schedule(dynamic)
    for (std::int64_t p = 0; p < pieces; ++p) {
      mine.fold(begin + (p * share), std::min(begin + ((p + 1) * share), end));
    }
#pragma omp critical(csr_max_hub)
    whole.fold(mine);
  }
  whole.write(node);
}

template <class T, class Graph>
void reduce_in_shares(const Graph& graph) {
  const std::int64_t share = std::max<std::int64_t>(kShareElements / graph.width, 16);
  const std::int64_t hub = kHubShares * share;
  const std::int64_t places = graph.nodes + graph.edges;
  const std::int64_t shares = ceil_div(places, share);
  const auto is_hub = [&graph, hub](std::int64_t node) {
    return graph.row_ptr[node + 1] - graph.row_ptr[node] > hub;
  };
#pragma omp parallel
  {
    RowMaximum<T> mine(graph);
#pragma omp for schedule(dynamic)
    for (std::int64_t s = 0; s < shares; ++s) {
      const std::int64_t end = node_at(graph, std::min((s + 1) * share, places));
      for (std::int64_t node = node_at(graph, s * share); node < end; ++node) {
        if (!is_hub(node)) mine.reduce_nodes(node, node + 1);
      }
    }
  }
  for (std::int64_t node = 0; node < graph.nodes; ++node) {
    if (is_hub(node)) reduce_hub<T>(graph, node, share);
  }
}

void run(const Problem& problem, const Exec& /*exec*/) {
  if (is_empty(*problem.the_case)) return;
  with_types(*problem.the_case, [&]<class T>(T) {
    const auto graph = csr_of<typename T::Storage, typename T::Index>(problem);
    const std::int64_t elements = (graph.nodes + graph.edges) * graph.width;
    if (omp_get_max_threads() == 1 || elements < kSerialElements) {
      RowMaximum<T>(graph).reduce_nodes(0, graph.nodes);
    } else {
      reduce_in_shares<T>(graph);
    }
  });
}

const RegisterVariant host_parallel{{"csr_max"},
                                    Variant{.op = {},
                                            .name = "host_parallel",
                                            .side = Side::host,
                                            .about = "all host threads (OpenMP), shares of as many "
                                                     "edges, hubs cut; wins on larger graphs",
                                            .source = __FILE__,
                                            .run = run}};

}  // namespace
}  // namespace redux::csr_max
