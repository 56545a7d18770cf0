// Accesses that nothing orders, each beside the same with what orders them. a.n: with it or
// without.
#include "common/cluster.cuh"
#include "common/launch.hpp"
#include "common/memory.cuh"
#include "common/warp.cuh"
#include "simt/executor_kernels.hpp"

namespace redux {
namespace {

using simt_tests::Arguments;
using simt_tests::Word;

__global__ void race_write_write_kernel(Arguments a) {
  auto& word = shared_object<Word>();
  if (threadIdx.x == 0) word = 1;  // here: first write
  if (a.n != 0) sync_block();
  if (threadIdx.x == 40) word = 2;  // here: second write
  sync_block();
  a.out[threadIdx.x] = word;
}
__global__ void race_write_read_kernel(Arguments a) {
  auto& word = shared_object<Word>();
  if (threadIdx.x == 0) word = 1;  // here: write before read
  if (a.n != 0) sync_block();
  if (threadIdx.x == 40) a.out[0] = word;  // here: read after write
}
__global__ void race_read_write_kernel(Arguments a) {
  Word* words = shared_object<Word[64]>();
  words[threadIdx.x] = threadIdx.x;
  sync_block();
  a.out[threadIdx.x] = words[63 - threadIdx.x];
  if (a.n != 0) sync_block();
  words[threadIdx.x] = 1;  // here: write after read
}
// a.n: 0 nothing, 1 a shuffle, 2 __syncwarp, 3 __syncwarp of other lanes only.
__global__ void race_in_a_warp_kernel(Arguments a) {
  Word* words = shared_object<Word[32]>();
  const Word t = threadIdx.x;
  words[t] = t;
  if (a.n == 1) static_cast<void>(shuffle_xor(t, 1));
  if (a.n == 2) __syncwarp();
  if (a.n == 3) __syncwarp(t % 2 == 0 ? 0x55555555U : 0xAAAAAAAAU);
  a.out[t] = words[t ^ 1U];  // here: read in a warp
}
__global__ void race_bytes_kernel(Arguments a) {
  auto* bytes = reinterpret_cast<unsigned char*>(shared_object<Word[16]>());
  bytes[threadIdx.x] = static_cast<unsigned char>(threadIdx.x);
  if (threadIdx.x == a.n && a.n > 0) bytes[a.n - 1] = 9;  // here: foreign byte
  sync_block();
  a.out[threadIdx.x] = bytes[threadIdx.x ^ 3U];
}
// Every thread reads an element of two bytes, and the even ones write theirs, beside one of another
// thread in the same word. a.n: 1 lane 7 reads that of lane 6, too.
__global__ void race_halves_kernel(Arguments a) {
  auto* halves = reinterpret_cast<std::uint16_t*>(shared_object<Word[16]>());
  const Word t = threadIdx.x;
  halves[t] = static_cast<std::uint16_t>(t);
  sync_block();
  const std::uint16_t mine = halves[t ^ (a.n == 1 && t == 7 ? 1U : 0U)];
  if (t % 2 == 0) halves[t] = static_cast<std::uint16_t>(mine + 1);
  a.out[t] = mine;
}

// All lanes read one word before a lane writes it. a.n: bit 0 __syncwarp between, bit 1 only half
// of the lanes read and wait.
__global__ void broadcast_then_write_kernel(Arguments a) {
  auto& word = shared_object<Word>();
  const Word t = threadIdx.x;
  if (t == 0) word = 7;
  sync_block();
  const bool reads = (a.n & 2U) == 0 || t < 16;
  if (reads) a.out[t] = word;
  if ((a.n & 1U) != 0 && reads) __syncwarp((a.n & 2U) == 0 ? kAllLanes : 0xFFFFU);
  if (t == 5) word = 8;  // here: write after broadcast
}
// Two warps read; thread 0 writes after a barrier of its own warp only (a.n: of the block).
__global__ void race_after_many_reads_kernel(Arguments a) {
  auto& word = shared_object<Word>();
  const Word t = threadIdx.x;
  if (t == 0) word = 7;
  sync_block();
  a.out[t] = word;
  if (a.n == 0) __syncwarp();
  if (a.n != 0) sync_block();
  if (t == 0) word = 8;  // here: write after many reads
}
// Thread 33 reads, then thread 0 reads twice and writes: its second read must not hide the first.
__global__ void race_of_second_read_kernel(Arguments a) {
  auto& word = shared_object<Word>();
  const Word t = threadIdx.x;
  if (t == 63) word = 7;
  sync_block();
  Word seen = 0;
  if (t == 33) a.out[0] = word;
  if (t == 0) {
    while (observe(reinterpret_cast<std::uint64_t*>(a.work)) == 0) {
    }
    seen = word;
    a.out[1] = seen;
    a.out[2] = *static_cast<volatile Word*>(&word);
    word = 8;  // here: write after its own reads
  }
  if (t == 33) publish(reinterpret_cast<std::uint64_t*>(a.work), std::uint64_t{1});
}

// What a call reads for an argument that is passed by value, and copies into the callee's frame.
struct Pair {
  std::uint64_t value;
  std::uint64_t index;
  Word more[4];
};
__device__ Word part_of(Pair pair, std::uint64_t by) {  // too large to be inlined by itself
  Word sum = static_cast<Word>(pair.value + (by * pair.index));
  for (std::uint64_t i = 0; i < by; ++i)
    sum = (sum ^ pair.more[i % 4]) * 3 + pair.more[(i + 1) % 4];
  for (std::uint64_t i = by; i > 0; --i)
    sum = (sum ^ pair.more[i % 4]) * 5 - pair.more[(i + 1) % 4];
  return by == 0 ? pair.more[0] : sum;
}
__global__ void race_by_value_kernel(Arguments a) {
  Pair* pairs = shared_object<Pair[64]>();
  const Word t = threadIdx.x;
  pairs[t] = {t, 1, {t, t, t, t}};
  if (a.n != 0) sync_block();
  const Word theirs = part_of(pairs[63 - t], a.n - a.n);  // here: by value
  a.out[t] = theirs + part_of(pairs[t], 2) - part_of(pairs[t], a.n + 1);
}

// A plain flag between blocks, which may only ever look as if it worked.
__global__ void race_global_plain_kernel(Arguments a) {
  if (blockIdx.x == 0) a.work[0] = 1;         // here: plain flag
  if (blockIdx.x == 1) a.out[0] = a.work[0];  // here: plain look
}
__global__ void race_between_blocks_kernel(Arguments a) {
  a.out[a.n == 0 ? 0 : blockIdx.x] = blockIdx.x;  // here: same word
}
__global__ void mixed_atomic_kernel(Arguments a) {
  if (blockIdx.x == 0) a.work[0] = 1;
  if (blockIdx.x == 1) atomicAdd(a.work, 1U);  // here: atomic beside plain
}
__global__ void mixed_plain_kernel(Arguments a) {
  if (blockIdx.x == 0) atomicAdd(a.work, 1U);
  if (blockIdx.x == 1) a.out[0] = a.work[0];  // here: plain beside atomic
}
// For two launches one after another.
__global__ void write_of_block_kernel(Arguments a) {
  if (blockIdx.x == a.n) a.work[0] = 50 + a.n;
  if (blockIdx.x != a.n) a.out[blockIdx.x] = a.work[1];
}

// Without a barrier between the store and the other's read.
__global__ void cluster_without_barrier_kernel(Arguments a) {
  auto& slot = shared_object<std::uint64_t>();
  if (cluster_rank() == 1 && threadIdx.x == 0) slot = 0;
  cluster_arrive();
  cluster_wait();
  if (cluster_rank() == 0 && threadIdx.x == 0) store_to_rank(&slot, 1, 5);  // here: store
  cluster_arrive();
  if (cluster_rank() == 1 && a.n != 0) cluster_wait();
  if (cluster_rank() == 1) a.out[threadIdx.x] = static_cast<Word>(slot);  // here: no wait
  if (cluster_rank() == 0 || a.n == 0) cluster_wait();
}
__global__ void cluster_too_early_kernel(Arguments /*a*/) {
  auto& slot = shared_object<std::uint64_t>();
  const std::uint32_t other = cluster_rank() ^ 1U;
  store_to_rank(&slot, other, 5);  // here: too early
  cluster_arrive();
  cluster_wait();
}
__global__ void cluster_too_late_kernel(Arguments /*a*/) {
  auto& slot = shared_object<std::uint64_t>();
  cluster_arrive();
  cluster_wait();
  if (cluster_rank() == 0) return;
  cluster_arrive();
  cluster_wait();
  store_to_rank(&slot, 0, 5);  // here: too late
}
__global__ void cluster_wait_alone_kernel(Arguments /*a*/) {
  cluster_wait();  // here: wait alone
}
__global__ void cluster_arrive_twice_kernel(Arguments /*a*/) {
  cluster_arrive();
  cluster_arrive();  // here: arrive twice
}
__global__ void cluster_bad_rank_kernel(Arguments a) {
  auto& slot = shared_object<std::uint64_t>();
  store_to_rank(&slot, a.n, 5);  // here: bad rank
}

}  // namespace
}  // namespace redux

namespace simt_tests {
using namespace redux;
const Start race_write_write = start<race_write_write_kernel>;
const Start race_write_read = start<race_write_read_kernel>;
const Start race_read_write = start<race_read_write_kernel>;
const Start race_in_a_warp = start<race_in_a_warp_kernel>;
const Start race_bytes = start<race_bytes_kernel>;
const Start race_after_many_reads = start<race_after_many_reads_kernel>;
const Start race_of_second_read = start<race_of_second_read_kernel>;
const Start race_halves = start<race_halves_kernel>;
const Start race_by_value = start<race_by_value_kernel>;
const Start broadcast_then_write = start<broadcast_then_write_kernel>;
const Start race_global_plain = start<race_global_plain_kernel>;
const Start race_between_blocks = start<race_between_blocks_kernel>;
const Start mixed_atomic = start<mixed_atomic_kernel>;
const Start mixed_plain = start<mixed_plain_kernel>;
const Start write_of_block = start<write_of_block_kernel>;
const Start cluster_without_barrier = start<cluster_without_barrier_kernel>;
const Start cluster_too_early = start<cluster_too_early_kernel>;
const Start cluster_too_late = start<cluster_too_late_kernel>;
const Start cluster_wait_alone = start<cluster_wait_alone_kernel>;
const Start cluster_arrive_twice = start<cluster_arrive_twice_kernel>;
const Start cluster_bad_rank = start<cluster_bad_rank_kernel>;
}  // namespace simt_tests
