// The host side that all csr_max variants share: a case as a graph with a table of features.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "core/case.hpp"
#include "core/half.hpp"
#include "core/problem.hpp"

namespace redux::csr_max {

/// The problem as kernels see it: row_ptr [nodes + 1], col_idx [edges], features [nodes, width],
/// out [nodes, width]. All members are 8 bytes wide: a struct without padding.
template <class S, class I>
struct Csr {
  using Storage = S;
  using Index = I;
  const I* row_ptr;
  const I* col_idx;
  const S* features;
  S* out;
  std::int64_t nodes;
  std::int64_t edges;
  std::int64_t width;       ///< features a node
  std::int64_t zero_empty;  ///< not 0: nodes without neighbours get 0, else the least value
};

inline std::int64_t nodes_of(const Case& c) {
  return c.shape.dims[0];
}
inline std::int64_t edges_of(const Case& c) {
  return c.shape.dims[1];
}
inline std::int64_t width_of(const Case& c) {
  return c.shape.dims[2];
}
inline bool is_empty(const Case& c) {
  return nodes_of(c) == 0 || width_of(c) == 0;
}

template <class S, class I>
Csr<S, I> csr_of(const Problem& problem) {
  const Case& c = *problem.the_case;
  return {problem.inputs[0].as<I>(),
          problem.inputs[1].as<I>(),
          problem.inputs[2].as<S>(),
          problem.outputs[0].as<S>(),
          nodes_of(c),
          edges_of(c),
          width_of(c),
          c.attributes.empty == Empty::zero ? 1 : 0};
}

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

/// The types of elements and indices, and whether a NaN wins.
template <class S, class I, bool Propagate>
struct Types {
  using Storage = S;
  using Index = I;
  static constexpr bool kPropagate = Propagate;
};

/// Calls `use(Types<...>{})` for the case. Integers have no NaN, so for them there is one policy.
template <class Use>
auto with_types(const Case& c, Use&& use) {
  const auto indexed = [&]<class S, bool P>() {
    return c.attributes.index == Index::int64 ? use(Types<S, std::int64_t, P>{})
                                              : use(Types<S, std::int32_t, P>{});
  };
  const auto of = [&]<class S>() {
    if constexpr (std::is_integral_v<S>) {
      return indexed.template operator()<S, true>();
    } else {
      return c.attributes.nan == Nan::propagate ? indexed.template operator()<S, true>()
                                                : indexed.template operator()<S, false>();
    }
  };
  switch (c.dtype) {
    case DType::float16:
      return of.template operator()<Float16>();
    case DType::bfloat16:
      return of.template operator()<BFloat16>();
    case DType::float32:
      return of.template operator()<float>();
    case DType::float64:
      return of.template operator()<double>();
    case DType::int32:
      return of.template operator()<std::int32_t>();
    case DType::int64:
      break;
  }
  return of.template operator()<std::int64_t>();
}

/// Why that many blocks cannot be launched along x, or empty.
inline std::string past_the_grid(std::int64_t blocks) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (blocks <= kMost) return {};
  return "needs " + std::to_string(blocks) + " blocks, at most " + std::to_string(kMost) +
         " fit a grid";
}

}  // namespace redux::csr_max
