// Elements as stored and as compared. Widening is exact, so an order of widened values is the order
// of the stored ones; 64-bit integers and doubles are never narrowed.
#pragma once

#include <cstdint>

#include "core/half.hpp"

namespace redux {

__device__ inline float widen(Float16 value) {
#if defined(__CUDA_ARCH__) && !defined(REDUX_SIMT)
  float wide;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(value.bits));
  return wide;
#else
  return to_float(value);
#endif
}

__device__ inline float widen(BFloat16 value) {
  return to_float(value);
}
__device__ inline float widen(float value) {
  return value;
}
__device__ inline double widen(double value) {
  return value;
}
__device__ inline std::int32_t widen(std::int32_t value) {
  return value;
}
__device__ inline std::int64_t widen(std::int64_t value) {
  return value;
}

/// Type of a widened element.
template <class Storage>
struct Widened {
  using type = Storage;
};
template <>
struct Widened<Float16> {
  using type = float;
};
template <>
struct Widened<BFloat16> {
  using type = float;
};

/// True in the SIMT executor, which takes a struct's padding that nobody wrote for unwritten
/// memory.
#ifdef REDUX_SIMT
inline constexpr bool kPaddingIsRead = true;
#else
inline constexpr bool kPaddingIsRead = false;
#endif

/// A value's bits as a word of 4 bytes, or of 8 where it has as many; and back.
template <class T>
__device__ auto word_of(const T& value) {
  if constexpr (sizeof(T) == 2) {
    return static_cast<std::uint32_t>(__builtin_bit_cast(std::uint16_t, value));
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(std::uint32_t, value);
  } else {
    return __builtin_bit_cast(unsigned long long, value);
  }
}
template <class T, class Word>
__device__ T value_of(Word word) {
  if constexpr (sizeof(T) == 2) {
    return __builtin_bit_cast(T, static_cast<std::uint16_t>(word));
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(T, static_cast<std::uint32_t>(word));
  } else {
    return __builtin_bit_cast(T, word);
  }
}

/// Sixteen bytes of elements: what one vector load brings.
template <class Storage>
struct alignas(16) Pack {
  static constexpr int kWidth = 16 / static_cast<int>(sizeof(Storage));
  Storage values[kWidth];
};

/// One 16-byte load that does not displace L1 lines: inputs are read once. `from` is 16-byte
/// aligned.
template <class Storage>
__device__ inline Pack<Storage> load_pack(const Storage* from) {
#ifdef REDUX_SIMT
  simt::require_global(from, 16);
  return *reinterpret_cast<const Pack<Storage>*>(from);
#elif defined(__CUDA_ARCH__)
  uint4 raw;
  asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(raw.x), "=r"(raw.y), "=r"(raw.z), "=r"(raw.w)
               : "l"(from));
  return __builtin_bit_cast(Pack<Storage>, raw);
#else
  return *reinterpret_cast<const Pack<Storage>*>(from);
#endif
}

/// One 16-byte store to global memory. `to` is 16-byte aligned. (Assigned as a struct, a pack was
/// written in two stores.)
template <class Storage>
__device__ inline void store_pack(Storage* to, const Pack<Storage>& pack) {
#ifdef REDUX_SIMT
  simt::require_global(to, 16);
  *reinterpret_cast<Pack<Storage>*>(to) = pack;
#elif defined(__CUDA_ARCH__)
  const auto raw = __builtin_bit_cast(uint4, pack);
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(raw.x), "r"(raw.y),
               "r"(raw.z), "r"(raw.w)
               : "memory");
#else
  *reinterpret_cast<Pack<Storage>*>(to) = pack;
#endif
}

/// Elements from the last 16-byte boundary to `row`, which is aligned to its element.
template <class Storage>
__device__ inline int elements_past_alignment(const Storage* row) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(row) & 15U) /
         static_cast<int>(sizeof(Storage));
}

}  // namespace redux
