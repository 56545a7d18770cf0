// Shares no comparison code with any variant: plain loops over values widened exactly.
#include "csr_max/reference.hpp"

#include <atomic>
#include <cmath>
#include <limits>
#include <vector>

#include "csr_max/csr.hpp"

namespace redux::csr_max {
namespace {

float widen(Float16 value) {
  return to_float(value);
}
float widen(BFloat16 value) {
  return to_float(value);
}
template <class T>
T widen(T value) {
  return value;
}

template <class S, class V>
S narrow(V value) {
  if constexpr (std::is_same_v<S, Float16>) {
    return to_float16(value);
  } else if constexpr (std::is_same_v<S, BFloat16>) {
    return to_bfloat16(value);
  } else {
    return value;
  }
}

template <class V>
constexpr V least() {
  using Limits = std::numeric_limits<V>;
  return Limits::has_infinity ? -Limits::infinity() : Limits::min();
}

template <class T>
void reduce_node(const Csr<typename T::Storage, typename T::Index>& graph, std::int64_t node) {
  using S = typename T::Storage;
  using V = decltype(widen(S{}));
  const std::int64_t begin = graph.row_ptr[node];
  const std::int64_t end = graph.row_ptr[node + 1];
  S* out = graph.out + (node * graph.width);
  const V start = begin == end && graph.zero_empty != 0 ? V{0} : least<V>();
  std::vector<V> largest(static_cast<std::size_t>(graph.width), start);
  for (std::int64_t e = begin; e < end; ++e) {
    const S* row = graph.features + (graph.col_idx[e] * graph.width);
    for (std::int64_t f = 0; f < graph.width; ++f) {
      const V value = widen(row[f]);
      V& held = largest[static_cast<std::size_t>(f)];
      if constexpr (std::is_floating_point_v<V>) {
        if (std::isnan(value)) {
          if (T::kPropagate) held = value;
          continue;
        }
        if (std::isnan(held)) continue;
      }
      if (value > held) held = value;
    }
  }
  for (std::int64_t f = 0; f < graph.width; ++f) {
    out[f] = narrow<S>(largest[static_cast<std::size_t>(f)]);
  }
}

/// Nodes that are some edge's column.
template <class Index>
std::int64_t named_nodes(const Index* col_idx, std::int64_t edges, std::int64_t nodes) {
  std::vector<unsigned char> named(static_cast<std::size_t>(nodes), 0);
#pragma omp parallel for schedule(static)
  for (std::int64_t e = 0; e < edges; ++e) {
    const std::atomic_ref<unsigned char> mark(named[static_cast<std::size_t>(col_idx[e])]);
    mark.store(1, std::memory_order_relaxed);
  }
  std::int64_t count = 0;
  for (const unsigned char one : named) count += one;
  return count;
}

}  // namespace

void reference(const Problem& problem) {
  with_types(*problem.the_case, [&]<class T>(T) {
    const auto graph = csr_of<typename T::Storage, typename T::Index>(problem);
#pragma omp parallel for schedule(dynamic, 256)
    for (std::int64_t node = 0; node < graph.nodes; ++node) reduce_node<T>(graph, node);
  });
}

std::int64_t compulsory_bytes(const Problem& problem) {
  const Case& c = *problem.the_case;
  const std::int64_t edges = edges_of(c);
  const std::int64_t nodes = nodes_of(c);
  const View& columns = problem.inputs[1];
  const std::int64_t rows = c.attributes.index == Index::int64
                                ? named_nodes(columns.as<const std::int64_t>(), edges, nodes)
                                : named_nodes(columns.as<const std::int32_t>(), edges, nodes);
  return static_cast<std::int64_t>(problem.inputs[0].bytes() + columns.bytes() +
                                   problem.outputs[0].bytes()) +
         (rows * width_of(c) * static_cast<std::int64_t>(size_of(c.dtype)));
}

}  // namespace redux::csr_max
