// How the six dtypes are written by the generators: through their bits, so that a NaN keeps its
// sign and payload.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/half.hpp"

namespace redux::data {

/// `kBits` wide floats with `kMantissa` stored mantissa bits.
template <class T, class B, int kMantissa>
struct FloatBits {
  using Type = T;
  using Bits = B;
  static constexpr bool kFloating = true;
  static constexpr Bits kSign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
  static constexpr Bits kInfinity =
      static_cast<Bits>((Bits{1} << (8 * sizeof(Bits) - 1)) - (Bits{1} << kMantissa));
  static constexpr Bits kLargest = static_cast<Bits>(kInfinity - 1);
  static constexpr Bits kPayload = static_cast<Bits>((Bits{1} << kMantissa) - 1);
  static constexpr Bits kLeastNormal = static_cast<Bits>(Bits{1} << kMantissa);
  /// Finite values, -0 and +0 being one.
  static constexpr std::uint64_t kValues = (2 * std::uint64_t{kLargest}) + 1;

  /// Finite value number `rank` in ascending order, 0 being the lowest.
  static constexpr Bits ranked(std::uint64_t rank) {
    return rank >= kLargest ? static_cast<Bits>(rank - kLargest)
                            : static_cast<Bits>(kSign | (kLargest - rank));
  }
};

template <class T>
struct Traits;

template <>
struct Traits<Float16> : FloatBits<Float16, std::uint16_t, 10> {
  static constexpr Bits from(double value) { return to_float16(static_cast<float>(value)).bits; }
};
template <>
struct Traits<BFloat16> : FloatBits<BFloat16, std::uint16_t, 7> {
  static constexpr Bits from(double value) { return to_bfloat16(static_cast<float>(value)).bits; }
};
template <>
struct Traits<float> : FloatBits<float, std::uint32_t, 23> {
  static constexpr Bits from(double value) {
    return std::bit_cast<Bits>(static_cast<float>(value));
  }
};
template <>
struct Traits<double> : FloatBits<double, std::uint64_t, 52> {
  static constexpr Bits from(double value) { return std::bit_cast<Bits>(value); }
};

template <class T>
requires std::is_integral_v<T>
struct Traits<T> {
  using Type = T;
  using Bits = std::make_unsigned_t<T>;
  static constexpr bool kFloating = false;
  /// One less than the number of values: that of int64 does not fit 64 bits.
  static constexpr Bits ranked(std::uint64_t rank) {
    return static_cast<Bits>(rank + static_cast<Bits>(std::numeric_limits<T>::min()));
  }
};

/// Values that ranked() can give, less one.
template <class T>
constexpr std::uint64_t last_rank() {
  if constexpr (Traits<T>::kFloating) {
    return Traits<T>::kValues - 1;
  } else {
    return std::numeric_limits<typename Traits<T>::Bits>::max();
  }
}

/// A whole number as the dtype holds it: rounded by floats, held at the ends where it would exceed
/// them.
template <class T>
constexpr typename Traits<T>::Bits from_whole(std::int64_t value) {
  using Bits = typename Traits<T>::Bits;
  if constexpr (Traits<T>::kFloating) {
    const Bits bits = Traits<T>::from(static_cast<double>(value));
    const auto magnitude = static_cast<Bits>(bits & ~Traits<T>::kSign);
    return magnitude < Traits<T>::kInfinity
               ? bits
               : static_cast<Bits>((bits & Traits<T>::kSign) | Traits<T>::kLargest);
  } else {
    using Limits = std::numeric_limits<T>;
    if (value > Limits::max()) return static_cast<Bits>(Limits::max());
    if (value < Limits::min()) return static_cast<Bits>(Limits::min());
    return static_cast<Bits>(value);
  }
}

}  // namespace redux::data
