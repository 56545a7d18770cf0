// Copies from global to shared memory that a thread starts and goes on without waiting for.
#pragma once

#include "common/memory.cuh"

namespace redux {

/// Starts copying 16 bytes; both addresses are 16-byte aligned. The thread that started it reads
/// `to` after wait_for_copies(), others after a barrier besides. Below sm_80, and in the SIMT
/// executor, the copy is done on return.
__device__ inline void copy_async(void* to, const void* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(REDUX_SIMT)
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
#else
  *static_cast<Word128*>(to) = *static_cast<const Word128*>(from);
#endif
}

/// Waits for all copies that this thread started.
__device__ inline void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800 && !defined(REDUX_SIMT)
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

}  // namespace redux
