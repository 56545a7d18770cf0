// 16-bit floats on the host: storage types with exact widening and round-to-nearest-even narrowing.
#pragma once

#include <bit>
#include <cstdint>

namespace redux {

/// IEEE 754 binary16 as stored.
struct Float16 {
  std::uint16_t bits = 0;
};

/// The upper half of a binary32 as stored.
struct BFloat16 {
  std::uint16_t bits = 0;
};

/// Exact: every float16 is a float32. NaN stays NaN with its payload shifted.
constexpr float to_float(Float16 value) {
  const std::uint32_t sign = static_cast<std::uint32_t>(value.bits & 0x8000U) << 16U;
  const std::uint32_t exponent = (value.bits >> 10U) & 0x1FU;
  std::uint32_t mantissa = value.bits & 0x3FFU;
  if (exponent == 0x1FU) return std::bit_cast<float>(sign | 0x7F800000U | (mantissa << 13U));
  if (exponent != 0) {
    return std::bit_cast<float>(sign | ((exponent + 112U) << 23U) | (mantissa << 13U));
  }
  if (mantissa == 0) return std::bit_cast<float>(sign);
  std::uint32_t shifted = 113;  // a denormal: normalise it, float32 has the range
  while ((mantissa & 0x400U) == 0) {
    mantissa <<= 1U;
    --shifted;
  }
  return std::bit_cast<float>(sign | (shifted << 23U) | ((mantissa & 0x3FFU) << 13U));
}

constexpr float to_float(BFloat16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16U);
}

/// Rounds to nearest, ties to even; overflows to infinity; NaN becomes a quiet NaN of its sign.
constexpr Float16 to_float16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16U) & 0x8000U);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  if (magnitude > 0x7F800000U) return {static_cast<std::uint16_t>(sign | 0x7E00U)};
  if (magnitude >= 0x477FF000U) return {static_cast<std::uint16_t>(sign | 0x7C00U)};
  if (magnitude < 0x33000000U) return {sign};  // below half the least denormal (ties to even: zero)
  std::uint32_t mantissa = (magnitude & 0x7FFFFFU) | 0x800000U;
  const std::uint32_t exponent = magnitude >> 23U;
  std::uint32_t shift = 13;
  std::uint32_t base = 0;
  if (exponent >= 113U) {
    base = (exponent - 112U) << 10U;
    mantissa &= 0x7FFFFFU;
  } else {
    shift = 126U - exponent;
  }
  const std::uint32_t half = 1U << (shift - 1U);
  const std::uint32_t rest = mantissa & ((1U << shift) - 1U);
  std::uint32_t kept = mantissa >> shift;
  if (rest > half || (rest == half && (kept & 1U) != 0)) ++kept;
  return {static_cast<std::uint16_t>(sign | (base + kept))};
}

/// Rounds to nearest, ties to even; NaN becomes a quiet NaN of its sign.
constexpr BFloat16 to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7FFFFFFFU) > 0x7F800000U) {
    return {static_cast<std::uint16_t>((bits >> 16U) | 0x40U)};
  }
  return {static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U)};
}

}  // namespace redux
