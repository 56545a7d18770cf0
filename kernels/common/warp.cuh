// Warp and block helpers: shared memory, shuffles and whole-warp reductions.
#pragma once

#include <cstdint>

#include "common/element.cuh"

namespace redux {

inline constexpr int kWarp = 32;
inline constexpr unsigned kAllLanes = 0xFFFFFFFFU;

__device__ inline int lane_id() {
  return static_cast<int>(threadIdx.x % kWarp);
}

__device__ inline void sync_block() {
  __syncthreads();
}

/// The same, and whether it holds for any thread of the block.
__device__ inline bool sync_block_or(bool holds) {
  return __syncthreads_or(holds ? 1 : 0) != 0;
}

/// Static shared memory of type T, one object a (T, Tag) and kernel.
template <class T, int Tag = 0>
__device__ T& shared_object() {
#ifdef REDUX_SIMT
  static const char key = 0;  // its address is the object's name
  return *static_cast<T*>(simt::shared_object(&key, sizeof(T), alignof(T), __PRETTY_FUNCTION__));
#else
  __shared__ T object;
  return object;
#endif
}

/// The dynamic shared memory that the launch asked for, 16-byte aligned.
template <class T>
__device__ T* dynamic_shared() {
#ifdef REDUX_SIMT
  return static_cast<T*>(simt::dynamic_shared());
#else
  extern __shared__ uint4 dynamic_shared_words[];
  return reinterpret_cast<T*>(dynamic_shared_words);
#endif
}

/// The value of that lane. All lanes of the warp take part, here and below.
template <class T>
__device__ T shuffle(const T& value, int lane) {
  return value_of<T>(__shfl_sync(kAllLanes, word_of(value), lane));
}
/// The value of the lane `delta` before this one, or the own one where there is none.
template <class T>
__device__ T shuffle_up(const T& value, int delta) {
  return value_of<T>(__shfl_up_sync(kAllLanes, word_of(value), delta));
}

/// The value of the lane whose number differs by `lane_mask`, within groups of `width` lanes. All
/// lanes of the warp take part.
template <class T>
__device__ T shuffle_xor(T value, int lane_mask, int width = kWarp) {
  return value_of<T>(__shfl_xor_sync(kAllLanes, word_of(value), lane_mask, width));
}

/// A bit a lane for which it holds.
__device__ inline std::uint32_t warp_ballot(bool holds) {
  return __ballot_sync(kAllLanes, holds ? 1 : 0);
}

/// How many lanes it holds for.
__device__ inline int warp_count(bool holds) {
#ifdef REDUX_SIMT
  return __builtin_popcount(warp_ballot(holds));
#else
  return __popc(warp_ballot(holds));
#endif
}

/// Largest and smallest over all 32 lanes, which all get it: one instruction from sm_80 on.
__device__ inline std::uint32_t warp_max(std::uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_max_sync(kAllLanes, value);
#else
  for (int offset = kWarp / 2; offset > 0; offset /= 2) {
    value = max(value, shuffle_xor(value, offset));
  }
  return value;
#endif
}

__device__ inline std::uint32_t warp_min(std::uint32_t value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_min_sync(kAllLanes, value);
#else
  for (int offset = kWarp / 2; offset > 0; offset /= 2) {
    value = min(value, shuffle_xor(value, offset));
  }
  return value;
#endif
}

/// 64 bits in two steps: the largest upper half, then the largest lower half among those with it.
__device__ inline std::uint64_t warp_max(std::uint64_t value) {
  const auto high = static_cast<std::uint32_t>(value >> 32U);
  const std::uint32_t best_high = warp_max(high);
  const std::uint32_t low = high == best_high ? static_cast<std::uint32_t>(value) : 0U;
  return (static_cast<std::uint64_t>(best_high) << 32U) | warp_max(low);
}

__device__ inline std::uint64_t warp_min(std::uint64_t value) {
  return ~warp_max(~value);
}

}  // namespace redux
