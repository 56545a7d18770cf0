// What "takes over" means for cummax and cummin. With the latest index on ties, pairs of a value
// and its index are totally ordered, so the scan is an inclusive maximum: associative, idempotent
// and, where indices are compared too, commutative.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "common/element.cuh"
#include "core/case.hpp"
#include "core/op.hpp"

namespace redux::cumminmax {

template <class S, bool Largest>
struct Order {
  using Storage = S;
  using Value = typename Widened<S>::type;

  /// Whether the element at the later position replaces the earlier one: it does on ties, and a NaN
  /// always does, while nothing but a NaN replaces a NaN.
  __device__ static bool takes_over(Storage later, Storage earlier) {
    const Value a = widen(later);
    const Value b = widen(earlier);
    const bool beats = Largest ? a >= b : a <= b;
    if constexpr (std::is_floating_point_v<Value>) {
      return (static_cast<int>(beats) | static_cast<int>(a != a)) != 0;  // "||" makes branches
    }
    return beats;
  }

  /// Bits of a value that any element takes over.
  __device__ static Storage worst() {
    if constexpr (std::is_same_v<S, Float16>) {
      return {static_cast<std::uint16_t>(Largest ? 0xFC00U : 0x7C00U)};
    } else if constexpr (std::is_same_v<S, BFloat16>) {
      return {static_cast<std::uint16_t>(Largest ? 0xFF80U : 0x7F80U)};
    } else {
      using Limits = std::numeric_limits<S>;
      if constexpr (Limits::has_infinity) return Largest ? -Limits::infinity() : Limits::infinity();
      return Largest ? Limits::min() : Limits::max();
    }
  }
};

/// An element and its position, of 32 bits within a tile and of 64 within a row. A negative index
/// says that there is none.
template <class O, class Index>
struct Pair {
  using Storage = typename O::Storage;
  Storage value;
  Index index;

  __device__ static Pair none() { return {O::worst(), -1}; }
  /// This one comes earlier in the row; `later` is an element.
  __device__ void follow(const Pair& later) {
    const bool takes = O::takes_over(later.value, value);
    value = takes ? later.value : value;
    index = takes ? later.index : index;
  }
  /// The same where there may be none.
  __device__ void follow_any(const Pair& later) {
    if (later.index >= 0) follow(later);
  }
  /// The same where either may be the earlier one. (A reference to the later one would be an
  /// address to the compiler, and both pairs in local memory.)
  __device__ void merge(const Pair& other) {
    const bool takes = other.index > index ? O::takes_over(other.value, value)
                                           : !O::takes_over(value, other.value);
    if (takes) *this = other;
  }
};

template <class T>
struct Tag {
  using type = T;
};

/// Calls `use(Tag<Order<...>>{})` for the case's dtype and op.
template <class Use>
auto with_order(const Case& c, Use&& use) {
  const auto directed = [&]<class S>() {
    return c.op->name == "cummax" ? use(Tag<Order<S, true>>{}) : use(Tag<Order<S, false>>{});
  };
  switch (c.dtype) {
    case DType::float16:
      return directed.template operator()<Float16>();
    case DType::bfloat16:
      return directed.template operator()<BFloat16>();
    case DType::float32:
      return directed.template operator()<float>();
    case DType::float64:
      return directed.template operator()<double>();
    case DType::int32:
      return directed.template operator()<std::int32_t>();
    case DType::int64:
      break;
  }
  return directed.template operator()<std::int64_t>();
}

}  // namespace redux::cumminmax
