// Coordinates, barriers, shared memory, clusters and the order in which threads run.
#include "common/cluster.cuh"
#include "common/launch.hpp"
#include "common/memory.cuh"
#include "common/warp.cuh"
#include "simt/executor_kernels.hpp"

namespace redux {
namespace {

using simt_tests::Arguments;
using simt_tests::Word;

__device__ Word thread_number() {
  return (((threadIdx.z * blockDim.y) + threadIdx.y) * blockDim.x) + threadIdx.x;
}
__device__ Word block_number() {
  return (((blockIdx.z * gridDim.y) + blockIdx.y) * gridDim.x) + blockIdx.x;
}
__device__ Word number() {
  return (block_number() * blockDim.x * blockDim.y * blockDim.z) + thread_number();
}

__global__ void coordinates_kernel(Arguments a) {
  Word* mine = a.out + (6 * number());
  mine[0] = threadIdx.x;
  mine[1] = threadIdx.y;
  mine[2] = threadIdx.z;
  mine[3] = blockIdx.x;
  mine[4] = blockIdx.y;
  mine[5] = blockIdx.z;
}

// Threads from a.n on leave first; the others vote on whether their number is even, or below n.
__global__ void barrier_votes_kernel(Arguments a) {
  const Word t = threadIdx.x;
  const int even = t % 2 == 0 ? 4 : 0;  // any value that is not zero
  Word* mine = a.out + (5 * t);
  mine[0] = static_cast<Word>(__syncthreads_count(even));
  mine[1] = static_cast<Word>(__syncthreads_and(even));
  mine[2] = static_cast<Word>(__syncthreads_and(2));
  mine[3] = static_cast<Word>(__syncthreads_or(t == 5));
  mine[4] = static_cast<Word>(__syncthreads_or(0));
}

// Some leave while others already wait: those that left count as arrived and have no vote.
__global__ void barrier_votes_after_exit_kernel(Arguments a) {
  const Word t = threadIdx.x;
  if (t % 3 == a.n) return;
  a.out[2 * t] = static_cast<Word>(__syncthreads_count(1));
  a.out[(2 * t) + 1] = static_cast<Word>(__syncthreads_and(1));
}

__global__ void barrier_passes_words_kernel(Arguments a) {
  Word(&words)[1024] = shared_object<Word[1024]>();
  const Word t = thread_number();
  const Word threads = blockDim.x * blockDim.y * blockDim.z;
  for (Word round = 0; round < 3; ++round) {
    words[t] = t + round;
    sync_block();
    const Word next = words[(t + 1) % threads];
    sync_block();
    a.out[t] = next;
  }
}

__global__ void warp_barrier_passes_words_kernel(Arguments a) {
  Word(&words)[64] = shared_object<Word[64]>();
  const Word t = threadIdx.x;
  words[t] = 100 + t;
  __syncwarp();
  const Word other = words[t ^ 31U];
  __syncwarp(t % 32 < 16 ? 0xFFFFU : 0xFFFF0000U);
  __syncwarp();
  words[t] = other;
  __syncwarp();
  a.out[t] = words[(t & 32U) | ((t + 1) % 32)];
}

__global__ void blocks_of_a_large_grid_kernel(Arguments a) {
  atomicAdd(a.work, 1U);
  atomicMax(a.work + 1, blockIdx.x);
}

// Who was the how-manieth, by thread and by block.
__global__ void visit_order_kernel(Arguments a) {
  a.out[number()] = atomicAdd(a.work, 1U);
  sync_block();
  atomicAdd(a.work + 1, 1U);
}

// work[1]: the most blocks that were there at once; each stays for a few looks.
__global__ void count_resident_kernel(Arguments a) {
  if (thread_number() == 0) {
    atomicMax(a.work + 1, atomicAdd(a.work, 1U) + 1);
    for (Word i = 0; i < a.n; ++i) static_cast<void>(observe(a.work + 2));
    atomicSub(a.work, 1U);
  }
  sync_block();
}

__global__ void do_nothing_kernel(Arguments /*a*/) {}

template <int Tag>
__device__ Word& tagged() {
  return shared_object<Word, Tag>();
}

__global__ void static_objects_kernel(Arguments a) {
  if (threadIdx.x == 0) {
    tagged<0>() = 10;
    tagged<1>() = 11;
    shared_object<std::uint64_t>() = 12;
  }
  sync_block();
  a.out[threadIdx.x] = (tagged<0>() * 10000) + (tagged<1>() * 100) +
                       static_cast<Word>(shared_object<std::uint64_t>());
}

__global__ void dynamic_words_kernel(Arguments a) {
  Word* words = dynamic_shared<Word>();
  for (Word i = threadIdx.x; i < a.n; i += blockDim.x) words[i] = i * 3;
  sync_block();
  for (Word i = threadIdx.x; i < a.n; i += blockDim.x) a.out[i] = words[a.n - 1 - i];
}

__global__ void too_much_static_kernel(Arguments a) {
  shared_object<Word[8192]>()[0] = 1;
  shared_object<Word[4097]>()[0] = a.n;  // here: too much static
}

__global__ void static_beside_dynamic_kernel(Arguments a) {
  shared_object<Word[1024]>()[threadIdx.x] = a.n;  // here: static beside dynamic
}

__global__ void cluster_ranks_kernel(Arguments a) {
  if (threadIdx.x == 0) {
    a.out[2 * block_number()] = cluster_rank();
    a.out[(2 * block_number()) + 1] = cluster_blocks();
  }
}

// Each block hands its number to the next rank; a.n rounds.
__global__ void cluster_stores_kernel(Arguments a) {
  auto& slot = shared_object<std::uint64_t>();
  cluster_arrive();
  cluster_wait();
  for (Word round = 0; round < a.n; ++round) {
    if (threadIdx.x == 0) {
      const Word to = (cluster_rank() + 1) % cluster_blocks();
      store_to_rank(&slot, to, (100 * blockIdx.x) + round);
    }
    cluster_arrive();
    cluster_wait();
    a.out[(blockIdx.x * blockDim.x) + threadIdx.x] = static_cast<Word>(slot);
    cluster_arrive();
    cluster_wait();
  }
}

__global__ void trapped_kernel(Arguments a) {
  if (threadIdx.x == a.n) __trap();  // here: trap
}

}  // namespace
}  // namespace redux

namespace simt_tests {
using namespace redux;
const Start coordinates = start<coordinates_kernel>;
const Start barrier_votes = start<barrier_votes_kernel>;
const Start barrier_votes_after_exit = start<barrier_votes_after_exit_kernel>;
const Start barrier_passes_words = start<barrier_passes_words_kernel>;
const Start warp_barrier_passes_words = start<warp_barrier_passes_words_kernel>;
const Start blocks_of_a_large_grid = start<blocks_of_a_large_grid_kernel>;
const Start visit_order = start<visit_order_kernel>;
const Start count_resident = start<count_resident_kernel>;
const Start do_nothing = start<do_nothing_kernel>;
const Start static_objects = start<static_objects_kernel>;
const Start dynamic_words = start<dynamic_words_kernel>;
const Start too_much_static = start<too_much_static_kernel>;
const Start static_beside_dynamic = start<static_beside_dynamic_kernel>;
const Start cluster_ranks = start<cluster_ranks_kernel>;
const Start cluster_stores = start<cluster_stores_kernel>;
const Start trapped = start<trapped_kernel>;
}  // namespace simt_tests
