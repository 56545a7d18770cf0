// CUDA C++ as far as kernels use it, for a host compiler: the device side of the executor under
// the language's names. Semantics are those of compute capability 9.0. __launch_bounds__ is
// accepted and not enforced.
#pragma once

#include <math.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "backend/simt/device_api.hpp"

#define __CUDA_ARCH__ 900
#define __host__
// Inlined always: GCC does not instrument what a call itself reads or writes, such as an argument
// partials[i] passed by value. (It warns of functions that are not declared inline besides.)
#define __device__ __attribute__((always_inline))
#pragma GCC diagnostic ignored "-Wattributes"

#define __global__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define threadIdx (::redux::simt::thread_index())
#define blockIdx (::redux::simt::block_index())
#define blockDim (::redux::simt::block_extent())
#define gridDim (::redux::simt::grid_extent())
inline constexpr int warpSize = 32;

inline void __syncthreads() {
  ::redux::simt::sync_block(::redux::simt::Vote::none, 0);
}
inline int __syncthreads_count(int predicate) {
  return ::redux::simt::sync_block(::redux::simt::Vote::count, predicate);
}
inline int __syncthreads_and(int predicate) {
  return ::redux::simt::sync_block(::redux::simt::Vote::all, predicate);
}
inline int __syncthreads_or(int predicate) {
  return ::redux::simt::sync_block(::redux::simt::Vote::any, predicate);
}
inline void __threadfence_block() {
  ::redux::simt::fence(::redux::simt::Fence::block);
}
inline void __threadfence() {
  ::redux::simt::fence(::redux::simt::Fence::device);
}
inline void __threadfence_system() {
  ::redux::simt::fence(::redux::simt::Fence::system);
}
inline void __syncwarp(std::uint32_t mask = 0xFFFFFFFFU) {
  ::redux::simt::warp_exchange(::redux::simt::WarpOperation::sync, mask, {}, 0);
}
[[noreturn]] inline void __trap() {
  ::redux::simt::trap("__trap");
}

// Shuffles: `width` cuts the warp into groups; a source beyond the group gives the own value.
template <class T>
T __shfl_sync(std::uint32_t mask, T value, int source, int width = 32) {
  const int lane = static_cast<int>(::redux::simt::active_lane());
  return ::redux::simt::shuffle(mask, value, (lane & ~(width - 1)) | (source & (width - 1)));
}
template <class T>
T __shfl_up_sync(std::uint32_t mask, T value, unsigned delta, int width = 32) {
  const int lane = static_cast<int>(::redux::simt::active_lane());
  const int source = lane - static_cast<int>(delta);
  return ::redux::simt::shuffle(mask, value, source < (lane & ~(width - 1)) ? lane : source);
}
template <class T>
T __shfl_down_sync(std::uint32_t mask, T value, unsigned delta, int width = 32) {
  const int lane = static_cast<int>(::redux::simt::active_lane());
  const int source = lane + static_cast<int>(delta);
  return ::redux::simt::shuffle(mask, value, source > (lane | (width - 1)) ? lane : source);
}
template <class T>
T __shfl_xor_sync(std::uint32_t mask, T value, int lane_mask, int width = 32) {
  const int lane = static_cast<int>(::redux::simt::active_lane());
  const int source = lane ^ (lane_mask & 31);
  return ::redux::simt::shuffle(mask, value, source > (lane | (width - 1)) ? lane : source);
}

inline std::uint32_t __ballot_sync(std::uint32_t mask, int predicate) {
  using ::redux::simt::WarpOperation;
  const ::redux::simt::LaneWord word{predicate != 0 ? 1U : 0U, 0};
  return static_cast<std::uint32_t>(
      ::redux::simt::warp_exchange(WarpOperation::ballot, mask, word, 0).low);
}
inline int __any_sync(std::uint32_t mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0 ? 1 : 0;
}
inline int __all_sync(std::uint32_t mask, int predicate) {
  return __ballot_sync(mask, predicate) == mask ? 1 : 0;
}
inline std::uint32_t __activemask() {
  return 1U << ::redux::simt::active_lane();  // no more than itself is promised
}
template <class T>
std::uint32_t __match_any_sync(std::uint32_t mask, T value) {
  ::redux::simt::LaneWord word{};
  __builtin_memcpy(&word, &value, sizeof(T));
  return static_cast<std::uint32_t>(
      ::redux::simt::warp_exchange(::redux::simt::WarpOperation::match_any, mask, word, 0).low);
}
template <class T>
std::uint32_t __match_all_sync(std::uint32_t mask, T value, int* predicate) {
  ::redux::simt::LaneWord word{};
  __builtin_memcpy(&word, &value, sizeof(T));
  const auto same = static_cast<std::uint32_t>(
      ::redux::simt::warp_exchange(::redux::simt::WarpOperation::match_all, mask, word, 0).low);
  *predicate = same != 0 ? 1 : 0;
  return same;
}

namespace redux::simt {
template <class T>
T reduce(WarpOperation operation, std::uint32_t mask, T value) {
  static_assert(sizeof(T) == 4);
  const LaneWord word{static_cast<std::uint32_t>(value), 0};
  return static_cast<T>(static_cast<std::uint32_t>(warp_exchange(operation, mask, word, 0).low));
}

/// Atomics on integers wrap around, signed ones too.
template <class T>
T wrapped_sum(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(a) + static_cast<Unsigned>(b));
  } else {
    return a + b;
  }
}
template <class T>
T wrapped_difference(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(a) - static_cast<Unsigned>(b));
  } else {
    return a - b;
  }
}
}  // namespace redux::simt

template <class T>
T __reduce_add_sync(std::uint32_t mask, T value) {
  return ::redux::simt::reduce(::redux::simt::WarpOperation::add, mask, value);
}
template <class T>
T __reduce_min_sync(std::uint32_t mask, T value) {
  using ::redux::simt::WarpOperation;
  const auto how = std::is_signed_v<T> ? WarpOperation::minimum_signed : WarpOperation::minimum;
  return ::redux::simt::reduce(how, mask, value);
}
template <class T>
T __reduce_max_sync(std::uint32_t mask, T value) {
  using ::redux::simt::WarpOperation;
  const auto how = std::is_signed_v<T> ? WarpOperation::maximum_signed : WarpOperation::maximum;
  return ::redux::simt::reduce(how, mask, value);
}
inline std::uint32_t __reduce_and_sync(std::uint32_t mask, std::uint32_t value) {
  return ::redux::simt::reduce(::redux::simt::WarpOperation::bit_and, mask, value);
}
inline std::uint32_t __reduce_or_sync(std::uint32_t mask, std::uint32_t value) {
  return ::redux::simt::reduce(::redux::simt::WarpOperation::bit_or, mask, value);
}
inline std::uint32_t __reduce_xor_sync(std::uint32_t mask, std::uint32_t value) {
  return ::redux::simt::reduce(::redux::simt::WarpOperation::bit_xor, mask, value);
}

// Atomics on words of 4 and 8 bytes, and exchange and compare-and-swap on 16. They return what was
// there.
#define REDUX_SIMT_ATOMIC(name, expression)                                         \
  template <class T>                                                                \
  T name(T* word, std::type_identity_t<T> operand) {                                \
    return ::redux::simt::update<T>(word, operand, [](void* at, const void* with) { \
      T& old = *static_cast<T*>(at);                                                \
      const T& value = *static_cast<const T*>(with);                                \
      old = static_cast<T>(expression);                                             \
    });                                                                             \
  }
REDUX_SIMT_ATOMIC(atomicAdd, ::redux::simt::wrapped_sum(old, value))
REDUX_SIMT_ATOMIC(atomicSub, ::redux::simt::wrapped_difference(old, value))
REDUX_SIMT_ATOMIC(atomicExch, value)
REDUX_SIMT_ATOMIC(atomicMin, std::min(old, value))
REDUX_SIMT_ATOMIC(atomicMax, std::max(old, value))
REDUX_SIMT_ATOMIC(atomicAnd, old& value)
REDUX_SIMT_ATOMIC(atomicOr, old | value)
REDUX_SIMT_ATOMIC(atomicXor, old ^ value)
REDUX_SIMT_ATOMIC(atomicInc, old >= value ? 0 : old + 1)
REDUX_SIMT_ATOMIC(atomicDec, old == 0 || old > value ? value : old - 1)
#undef REDUX_SIMT_ATOMIC

template <class T>
T atomicCAS(T* word, std::type_identity_t<T> compare, std::type_identity_t<T> value) {
  struct Operands {
    T compare;
    T value;
  };
  const Operands operands{compare, value};
  T old;
  ::redux::simt::atomic_update(
      word, &old, sizeof(T),
      [](void* at, const void* with) {
        const auto& both = *static_cast<const Operands*>(with);
        if (__builtin_memcmp(at, &both.compare, sizeof(T)) == 0) {
          __builtin_memcpy(at, &both.value, sizeof(T));
        }
      },
      &operands);
  return old;
}

namespace redux::simt::language {
template <class A, class B>
std::common_type_t<A, B> min(A a, B b) {
  return b < a ? b : a;
}
template <class A, class B>
std::common_type_t<A, B> max(A a, B b) {
  return a < b ? b : a;
}
// The number where the other is a NaN, a signalling one too, and -0 < +0, as on the device.
template <class T>
T fmax(T a, T b) {
  if (a != a) return b;
  if (a == b) return __builtin_signbit(a) ? b : a;
  return b != b || a > b ? a : b;
}
template <class T>
T fmin(T a, T b) {
  if (a != a) return b;
  if (a == b) return __builtin_signbit(a) ? a : b;
  return b != b || a < b ? a : b;
}
}  // namespace redux::simt::language
