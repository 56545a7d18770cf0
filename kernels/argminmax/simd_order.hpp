// How the host search compares elements: their formats, and the integers and floats that order as
// argmax and argmin do under each NaN policy.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#define REDUX_INLINE [[gnu::always_inline]] inline

namespace redux::argminmax {

/// How elements are stored, the integer of that width, and for floats the bits of +infinity, above
/// which a magnitude is a NaN.
struct Float16Format {
  using Element = std::int16_t;
  using Key = std::int16_t;
  static constexpr Key kInfinity = 0x7C00;
};
struct BFloat16Format {
  using Element = std::int16_t;
  using Key = std::int16_t;
  static constexpr Key kInfinity = 0x7F80;
};
struct Float32Format {
  using Element = float;
  using Key = std::int32_t;
  static constexpr Key kInfinity = 0x7F800000;
};
struct Float64Format {
  using Element = double;
  using Key = std::int64_t;
  static constexpr Key kInfinity = 0x7FF0000000000000;
};
struct Int32Format {
  using Element = std::int32_t;
  using Key = std::int32_t;
};
struct Int64Format {
  using Element = std::int64_t;
  using Key = std::int64_t;
};
template <class F>
concept Floating = requires {
  F::kInfinity;
};

template <class F>
REDUX_INLINE bool is_nan(typename F::Element element) {
  using Key = typename F::Key;
  if constexpr (Floating<F>) {
    constexpr Key kMagnitude = std::numeric_limits<Key>::max();
    return static_cast<Key>(std::bit_cast<Key>(element) & kMagnitude) > F::kInfinity;
  }
  return false;
}

template <class F, bool kLargest, bool kPropagate>
struct Order {
  using Element = typename F::Element;
  using Key = typename F::Key;

  /// An integer that is larger the better the element is, and equal for equals: floats go from sign
  /// and magnitude to two's complement, which makes one of -0 and +0; NaN is best or worst of all.
  REDUX_INLINE static Key key(Element element) {
    if constexpr (Floating<F>) {
      using Limits = std::numeric_limits<Key>;
      const auto bits = std::bit_cast<Key>(element);
      const auto negative = static_cast<Key>(bits >> (Limits::digits));
      const auto sign = static_cast<Key>(kLargest ? negative : ~negative);
      const auto magnitude = static_cast<Key>(bits & Limits::max());
      const auto ordered = static_cast<Key>((magnitude ^ sign) - sign);
      return magnitude > F::kInfinity ? (kPropagate ? Limits::max() : Limits::min()) : ordered;
    } else {
      return kLargest ? element : static_cast<Key>(~element);
    }
  }

  /// What the second pass compares: as key(), but bare floats where those order as well.
  using Value = std::conditional_t<std::is_floating_point_v<Element> && !kPropagate, Element, Key>;
  REDUX_INLINE static Value value(Element element) {
    if constexpr (std::is_same_v<Value, Key>) {
      return key(element);
    } else {
      return kLargest ? element : -element;  // a NaN is greater than nothing
    }
  }

  /// A value as an integer again, as maxima over lanes are only for integers made by vectors.
  REDUX_INLINE static Key rank(Value value) {
    if constexpr (std::is_same_v<Value, Key>) {
      return value;
    } else {
      return Order<F, true, false>::key(value);
    }
  }

  /// As key(a) > key(b) for a `b` that is no NaN, without making keys where the type can compare.
  REDUX_INLINE static bool beats(Element a, Element b) {
    if constexpr (std::is_floating_point_v<Element> && kPropagate) {
      return kLargest ? !(a <= b) : !(a >= b);  // true for a NaN
    } else if constexpr (std::is_floating_point_v<Element> || !Floating<F>) {
      return kLargest ? a > b : a < b;
    } else {
      return key(a) > key(b);
    }
  }
};

}  // namespace redux::argminmax
