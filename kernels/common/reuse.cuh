// Loads and stores that say whether something will be read again, so that caches keep what is.
#pragma once

#include "common/element.cuh"

namespace redux {

/// One 16-byte load of what is read again and again, by whichever block: it stays in the caches. (A
/// table whose rows were gathered by load_pack was gone from L2 before it was read twice.) `from`
/// is 16-byte aligned.
template <class Storage>
__device__ inline Pack<Storage> load_pack_again(const Storage* from) {
#ifdef REDUX_SIMT
  simt::require_global(from, 16);
  return *reinterpret_cast<const Pack<Storage>*>(from);
#elif defined(__CUDA_ARCH__)
  uint4 raw;
  asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(raw.x), "=r"(raw.y), "=r"(raw.z), "=r"(raw.w)
               : "l"(from));
  return __builtin_bit_cast(Pack<Storage>, raw);
#else
  return *reinterpret_cast<const Pack<Storage>*>(from);
#endif
}

/// One element of global memory that is read once, and so is the first to leave the caches.
template <class Element>
__device__ inline Element load_once(const Element* from) {
#ifdef REDUX_SIMT
  simt::require_global(from, alignof(Element));
  return *from;
#elif defined(__CUDA_ARCH__)
  return __ldcs(from);
#else
  return *from;
#endif
}

/// One 16-byte store of what nobody reads soon: it is the first to leave the caches. `to` is
/// 16-byte aligned.
template <class Storage>
__device__ inline void store_pack_once(Storage* to, const Pack<Storage>& pack) {
#if defined(__CUDA_ARCH__) && !defined(REDUX_SIMT)
  __stcs(reinterpret_cast<uint4*>(to), __builtin_bit_cast(uint4, pack));
#else
  store_pack(to, pack);
#endif
}

}  // namespace redux
