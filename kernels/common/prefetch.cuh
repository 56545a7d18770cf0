// Lines of memory asked for before they are needed.
#pragma once

namespace redux {

/// Asks for a line to be brought to the L2 cache; nobody waits for it.
__device__ inline void prefetch_to_l2(const void* address) {
#if defined(__CUDA_ARCH__) && !defined(REDUX_SIMT)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#else
  static_cast<void>(address);
#endif
}

}  // namespace redux
