// What "better" means for argmax and argmin, per element, direction and NaN policy. Every parallel
// variant merges candidates in one total order (larger key first, then lower index), so the
// grouping of merges cannot change a result.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "common/element.cuh"
#include "core/case.hpp"
#include "core/op.hpp"

namespace redux::argminmax {

template <class S, bool Largest, bool Propagate>
struct Order {
  using Storage = S;
  using Value = typename Widened<S>::type;
  using Key = std::conditional_t<sizeof(Value) == 8, std::uint64_t, std::uint32_t>;
  static constexpr bool kFloating = std::is_floating_point_v<Value>;
  static constexpr bool kGuardsFront = kFloating && !Propagate;
  static constexpr int kSignBit = (8 * static_cast<int>(sizeof(Value))) - 1;

  /// No value is strictly worse: -inf for argmax, never the lowest finite value.
  __device__ static Value worst() {
    using Limits = std::numeric_limits<Value>;
    if constexpr (kFloating) {
      return Largest ? -Limits::infinity() : Limits::infinity();
    } else {
      return Largest ? Limits::min() : Limits::max();
    }
  }

  /// Strictly better: on ties the earlier element stays. A NaN is better than any number under
  /// `propagate` and never under `skip`, where comparing with it is false.
  __device__ static bool better(Value candidate, Value best) {
    const bool beats = Largest ? candidate > best : candidate < best;
    if constexpr (Propagate) return beats || (candidate != candidate && best == best);
    return beats;
  }

  /// The value to compare in its place: under `skip` a NaN is as good as the worst value, so that
  /// comparisons may be grouped in any way.
  __device__ static Value comparable(Value value) {
    if constexpr (!kGuardsFront) {
      return value;
    } else if constexpr (Largest) {
      return fmax(value, worst());  // the number where the other is NaN: one instruction in float
    } else {
      return fmin(value, worst());
    }
  }

  /// Under `skip` a NaN in front of the row keeps its place, since nothing compares better than it:
  /// whoever reads element 0 has to look, and gives it the key that is above that of any value.
  static constexpr Key kFrontKey = ~Key{0};

  /// Unsigned and monotone: larger is better, -0 and +0 share a key, a NaN is above all numbers
  /// (`propagate`) or below them (`skip`).
  __device__ static Key key(Value value) {
    Key bits;
    if constexpr (kFloating) {
      if (value != value) return Propagate ? ~Key{0} : Key{0};
      bits = __builtin_bit_cast(Key, value + Value{0});  // -0 + 0 is +0
      const bool negative = (bits >> kSignBit) != 0;
      bits ^= negative ? ~Key{0} : Key{1} << kSignBit;
    } else {
      bits = static_cast<Key>(value) ^ (Key{1} << kSignBit);
    }
    return Largest ? bits : ~bits;
  }
};

template <class T>
struct Tag {
  using type = T;
};

/// Calls `use(Tag<Order<...>>{})` for the case's dtype, op and NaN policy.
template <class Use>
auto with_order(const Case& c, Use&& use) {
  const auto directed = [&]<class S, bool Propagate>() {
    return c.op->name == "argmax" ? use(Tag<Order<S, true, Propagate>>{})
                                  : use(Tag<Order<S, false, Propagate>>{});
  };
  const auto policed = [&]<class S>() {
    return c.attributes.nan == Nan::propagate ? directed.template operator()<S, true>()
                                              : directed.template operator()<S, false>();
  };
  switch (c.dtype) {
    case DType::float16:
      return policed.template operator()<Float16>();
    case DType::bfloat16:
      return policed.template operator()<BFloat16>();
    case DType::float32:
      return policed.template operator()<float>();
    case DType::float64:
      return policed.template operator()<double>();
    case DType::int32:
      return directed.template operator()<std::int32_t, false>();
    case DType::int64:
      break;
  }
  return directed.template operator()<std::int64_t, false>();
}

}  // namespace redux::argminmax
