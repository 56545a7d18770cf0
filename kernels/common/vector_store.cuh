// Stores of 16 bytes: the compiler takes a copy of a Pack apart into its elements.
#pragma once

#include "common/element.cuh"

namespace redux {

/// One 16-byte store; `to` is 16-byte aligned.
template <class Storage>
__device__ inline void store_pack(Storage* to, const Pack<Storage>& pack) {
#if defined(__CUDA_ARCH__) && !defined(REDUX_SIMT)
  const auto raw = __builtin_bit_cast(uint4, pack);
  asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(raw.x), "r"(raw.y),
               "r"(raw.z), "r"(raw.w)
               : "memory");
#else
#ifdef REDUX_SIMT
  simt::require_alignment(to, 16);
#endif
  *reinterpret_cast<Pack<Storage>*>(to) = pack;
#endif
}

}  // namespace redux
