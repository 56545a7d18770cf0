// The larger of two elements, on their bits in registers: 32 bits hold an element of 4 bytes or two
// of 2, 64 bits one of 8. Where a NaN wins any NaN may come out; of -0 and +0 either may.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "common/element.cuh"

namespace redux {

template <class S>
using RegisterOf = std::conditional_t<sizeof(S) == 8, std::uint64_t, std::uint32_t>;

/// `NanWins`: a NaN is larger than all else; otherwise any number is larger than a NaN.
template <bool NanWins, class V>
__device__ V larger_value(V a, V b) {
  // One condition, so that there is no branch: no comparison holds for a NaN but "not equal".
  if constexpr (std::is_floating_point_v<V>) return a >= b || (NanWins ? a != a : b != b) ? a : b;
  return a >= b ? a : b;
}

/// One half of a register, in its low 16 bits.
template <class S, bool NanWins>
__device__ std::uint32_t larger_half(std::uint32_t a, std::uint32_t b) {
  const S x{static_cast<std::uint16_t>(a)};
  const S y{static_cast<std::uint16_t>(b)};
  const float wide = larger_value<NanWins>(widen(x), widen(y));
  return wide == widen(y) || (wide != wide && widen(x) == widen(x)) ? y.bits : x.bits;
}

#if !defined(REDUX_SIMT) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
// sm_80 and later: one instruction, of two halves too.
#define REDUX_MAXIMUM(name, operation)                                     \
  __device__ inline std::uint32_t name(std::uint32_t a, std::uint32_t b) { \
    std::uint32_t result;                                                  \
    asm(operation " %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));         \
    return result;                                                         \
  }
REDUX_MAXIMUM(nan_maximum_f16x2, "max.NaN.f16x2")
REDUX_MAXIMUM(maximum_f16x2, "max.f16x2")
REDUX_MAXIMUM(nan_maximum_bf16x2, "max.NaN.bf16x2")
REDUX_MAXIMUM(maximum_bf16x2, "max.bf16x2")
#undef REDUX_MAXIMUM

__device__ inline float nan_maximum(float a, float b) {
  float result;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}
__device__ inline float maximum(float a, float b) {
  float result;
  asm("max.f32 %0, %1, %2;" : "=f"(result) : "f"(a), "f"(b));
  return result;
}
#endif

/// The larger of the elements of type S that two registers hold; of each half where they hold two.
template <class S, bool NanWins>
__device__ RegisterOf<S> larger(RegisterOf<S> a, RegisterOf<S> b) {
#if !defined(REDUX_SIMT) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if constexpr (std::is_same_v<S, Float16>) {
    return NanWins ? nan_maximum_f16x2(a, b) : maximum_f16x2(a, b);
  } else if constexpr (std::is_same_v<S, BFloat16>) {
    return NanWins ? nan_maximum_bf16x2(a, b) : maximum_bf16x2(a, b);
  } else if constexpr (std::is_same_v<S, float>) {
    const auto x = __builtin_bit_cast(float, a);
    const auto y = __builtin_bit_cast(float, b);
    return __builtin_bit_cast(std::uint32_t, NanWins ? nan_maximum(x, y) : maximum(x, y));
  }
#endif
  if constexpr (sizeof(S) == 2) {
    return larger_half<S, NanWins>(a & 0xFFFFU, b & 0xFFFFU) |
           (larger_half<S, NanWins>(a >> 16U, b >> 16U) << 16U);
  } else {
    const auto x = __builtin_bit_cast(S, a);
    const auto y = __builtin_bit_cast(S, b);
    return __builtin_bit_cast(RegisterOf<S>, larger_value<NanWins>(x, y));
  }
}

/// -infinity, or the least integer: what any element is at least as large as. Twice where a
/// register holds two.
template <class S>
__device__ constexpr RegisterOf<S> least_register() {
  if constexpr (std::is_same_v<S, Float16>) {
    return 0xFC00FC00U;
  } else if constexpr (std::is_same_v<S, BFloat16>) {
    return 0xFF80FF80U;
  } else if constexpr (std::is_floating_point_v<S>) {
    return __builtin_bit_cast(RegisterOf<S>, -std::numeric_limits<S>::infinity());
  } else {
    return __builtin_bit_cast(RegisterOf<S>, std::numeric_limits<S>::min());
  }
}

/// One element in a register (of two halves, the low one), and back.
template <class S>
__device__ RegisterOf<S> register_of(S value) {
  if constexpr (sizeof(S) == 2) {
    return value.bits;
  } else {
    return __builtin_bit_cast(RegisterOf<S>, value);
  }
}
template <class S>
__device__ S element_of(RegisterOf<S> held) {
  if constexpr (sizeof(S) == 2) {
    return S{static_cast<std::uint16_t>(held)};
  } else {
    return __builtin_bit_cast(S, held);
  }
}

}  // namespace redux
