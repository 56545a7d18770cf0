// Thread-block clusters (sm_90 and later): barriers and another block's shared memory.
#pragma once

#include <cstdint>

namespace redux {

#ifdef REDUX_SIMT

using simt::cluster_arrive;
using simt::cluster_blocks;
using simt::cluster_rank;
using simt::cluster_wait;

inline void store_to_rank(std::uint64_t* mine, std::uint32_t rank, std::uint64_t value) {
  *static_cast<std::uint64_t*>(simt::shared_of_rank(mine, rank)) = value;
}

#else

__device__ inline std::uint32_t cluster_rank() {
  std::uint32_t rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}

/// Blocks in this block's cluster.
__device__ inline std::uint32_t cluster_blocks() {
  std::uint32_t blocks;
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
  return blocks;
}

/// Arrives without waiting; what this thread wrote to any block's shared memory is visible to those
/// that wait.
__device__ inline void cluster_arrive() {
  asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}

__device__ inline void cluster_wait() {
  asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

/// Writes to the same shared object in the block of that rank. That block must have started and
/// must not have ended: put a cluster barrier before and after.
__device__ inline void store_to_rank(std::uint64_t* mine, std::uint32_t rank, std::uint64_t value) {
  const auto address = static_cast<std::uint32_t>(__cvta_generic_to_shared(mine));
  std::uint32_t remote;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(remote) : "r"(address), "r"(rank));
  asm volatile("st.shared::cluster.u64 [%0], %1;" ::"r"(remote), "l"(value) : "memory");
}

#endif

}  // namespace redux
