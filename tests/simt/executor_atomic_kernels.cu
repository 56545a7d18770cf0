// Atomic words of 4, 8 and 16 bytes.
#include "common/launch.hpp"
#include "common/memory.cuh"
#include "common/warp.cuh"
#include "simt/executor_kernels.hpp"

namespace redux {
namespace {

using simt_tests::Arguments;
using simt_tests::Word;

// One word for each operation, from the same old value: work[i] after, out[i] what was returned.
template <class T>
__device__ void each_operation(T* words, T* old, T operand) {
  old[0] = atomicAdd(words + 0, operand);
  old[1] = atomicSub(words + 1, operand);
  old[2] = atomicExch(words + 2, operand);
  old[3] = atomicMin(words + 3, operand);
  old[4] = atomicMax(words + 4, operand);
  old[5] = atomicAnd(words + 5, operand);
  old[6] = atomicOr(words + 6, operand);
  old[7] = atomicXor(words + 7, operand);
  old[8] = atomicCAS(words + 8, words[8], operand);
  old[9] = atomicCAS(words + 9, operand, operand);
}

__global__ void atomics_unsigned_kernel(Arguments a) {
  each_operation(a.work, a.out, a.in[0]);
}
__global__ void atomics_signed_kernel(Arguments a) {
  each_operation(reinterpret_cast<int*>(a.work), reinterpret_cast<int*>(a.out),
                 static_cast<int>(a.in[0]));
}
__global__ void atomics_wide_kernel(Arguments a) {
  each_operation(reinterpret_cast<std::uint64_t*>(a.work), reinterpret_cast<std::uint64_t*>(a.out),
                 *reinterpret_cast<const std::uint64_t*>(a.in));
}
__global__ void atomics_float_kernel(Arguments a) {
  auto* words = reinterpret_cast<float*>(a.work);
  a.out[0] = static_cast<Word>(atomicAdd(words, 1.5F) * 4);
  a.out[1] = static_cast<Word>(atomicExch(words, 8.0F) * 4);
  auto* wide = reinterpret_cast<double*>(a.work + 2);
  a.out[2] = static_cast<Word>(atomicAdd(wide, 0.25) * 4);
}

// Increments that wrap after a.n, decrements that start again at a.n.
__global__ void atomic_wraps_kernel(Arguments a) {
  for (int i = 0; i < 6; ++i) a.out[i] = atomicInc(a.work, a.n);
  for (int i = 6; i < 12; ++i) a.out[i] = atomicDec(a.work + 1, a.n);
}

__global__ void atomic_sum_kernel(Arguments a) {
  atomicAdd(a.work, threadIdx.x + blockIdx.x);
  auto& shared = shared_object<Word>();
  if (threadIdx.x == 0) shared = 0;
  sync_block();
  atomicAdd(&shared, 1U);
  sync_block();
  if (threadIdx.x == 0) atomicAdd(a.work + 1, shared);
}

__global__ void compare_and_swap_wide_kernel(Arguments a) {
  auto* word = reinterpret_cast<Word128*>(a.work);
  // Every thread adds one to both halves, which nobody may see apart.
  Word128 seen = observe(word);
  for (;;) {
    if (seen.low != seen.high) __trap();
    const Word128 before = atomicCAS(word, seen, Word128{seen.low + 1, seen.high + 1});
    if (before.low == seen.low && before.high == seen.high) break;
    seen = before;
  }
  sync_block();
  if (threadIdx.x == 0) {
    const Word128 old = atomicExch(word, Word128{5, 6});
    a.out[0] = static_cast<Word>(old.low);
    a.out[1] = static_cast<Word>(old.high);
  }
}

__global__ void published_words_kernel(Arguments a) {
  auto* wide = reinterpret_cast<std::uint64_t*>(a.work);
  auto* widest = reinterpret_cast<Word128*>(a.work + 4);
  if (blockIdx.x == 1) {
    publish(widest, Word128{3, 4});
    publish(wide, std::uint64_t{1} << 40U);
    publish_release(a.work + 2, 9U);
    return;
  }
  std::uint64_t first = observe(wide);
  while (first == 0) first = observe(wide);
  Word128 second = observe(widest);
  while (second.low == 0) second = observe(widest);
  Word third = observe_acquire(a.work + 2);
  while (third == 0) third = observe_acquire(a.work + 2);
  a.out[0] = static_cast<Word>(first >> 40U);
  a.out[1] = static_cast<Word>(second.low);
  a.out[2] = static_cast<Word>(second.high);
  a.out[3] = third;
}

// The threads of many blocks go one after another through a section that a lock guards.
__global__ void spin_lock_kernel(Arguments a) {
  while (atomicCAS(a.work, 0U, 1U) != 0U) {  // here: lock
  }
  fence_device();
  a.work[1] += 1;
  fence_device();
  atomicExch(a.work, 0U);
}

// What is passed on grows with the threads, not with the rounds.
__global__ void fences_and_atomics_kernel(Arguments a) {
  for (Word i = 0; i < a.n; ++i) {
    fence_device();
    atomicAdd(a.work, 1U);
    fence_device();
  }
}

}  // namespace
}  // namespace redux

namespace simt_tests {
using namespace redux;
const Start atomics_unsigned = start<atomics_unsigned_kernel>;
const Start atomics_signed = start<atomics_signed_kernel>;
const Start atomics_wide = start<atomics_wide_kernel>;
const Start atomics_float = start<atomics_float_kernel>;
const Start atomic_wraps = start<atomic_wraps_kernel>;
const Start atomic_sum = start<atomic_sum_kernel>;
const Start compare_and_swap_wide = start<compare_and_swap_wide_kernel>;
const Start published_words = start<published_words_kernel>;
const Start spin_lock = start<spin_lock_kernel>;
const Start fences_and_atomics = start<fences_and_atomics_kernel>;
}  // namespace simt_tests
