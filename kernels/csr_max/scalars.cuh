// What the variants share that take features one by one, as the source's designs do.
#pragma once

#include "common/maximum.cuh"
#include "common/warp.cuh"
#include "csr_max/csr.hpp"

namespace redux::csr_max {

/// One feature's maximum.
template <class T>
struct Scalar {
  using S = typename T::Storage;
  RegisterOf<S> held = least_register<S>();

  __device__ void merge(S value) { held = larger<S, T::kPropagate>(held, register_of(value)); }
  /// What a node gets that has as many edges.
  __device__ S answer(std::int64_t degree, bool zero_empty) const {
    return degree == 0 && zero_empty ? S{} : element_of<S>(held);
  }
};

/// Feature `f` of row `node` of the table.
template <class Graph>
__device__ typename Graph::Storage feature_of(const Graph& graph, std::int64_t node,
                                              std::int64_t f) {
  return graph.features[(node * graph.width) + f];
}

/// Maximum of feature `f` over edges [begin, end), four neighbours in flight.
template <class T, class Graph>
__device__ Scalar<T> maximum_over(const Graph& graph, std::int64_t begin, std::int64_t end,
                                  std::int64_t f) {
  constexpr int kInFlight = 4;
  Scalar<T> best;
  std::int64_t e = begin;
  for (; end - e >= kInFlight; e += kInFlight) {
    typename T::Storage values[kInFlight];
#pragma unroll
    for (int i = 0; i < kInFlight; ++i) values[i] = feature_of(graph, graph.col_idx[e + i], f);
#pragma unroll
    for (int i = 0; i < kInFlight; ++i) best.merge(values[i]);
  }
  for (; e < end; ++e) best.merge(feature_of(graph, graph.col_idx[e], f));
  return best;
}

}  // namespace redux::csr_max
