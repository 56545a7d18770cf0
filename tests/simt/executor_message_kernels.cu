// Data that one block hands to another by a flag.
#include "common/launch.hpp"
#include "common/memory.cuh"
#include "common/warp.cuh"
#include "simt/executor_kernels.hpp"

namespace redux {
namespace {

using simt_tests::Arguments;
using simt_tests::Message;
using simt_tests::Word;

// work[0]: data; work[1]: the flag; work[2]: a word that does not matter.
__device__ void send(Word* work, Word how) {
  Word* flag = work + 1;
  work[0] = 42;  // here: data
  if (how == Message::kFences || how == Message::kNoReaderFence) fence_device();
  if (how == Message::kBlockFences) __threadfence_block();
  if (how == Message::kReleaseElsewhere) publish_release(work + 2, 1U);
  if (how == Message::kAcquireIsNoFence) static_cast<void>(observe_acquire(work + 2));
  if (how == Message::kHelpers || how == Message::kReleaseNoAcquire) {
    publish_release(flag, 1U);
  } else {
    publish(flag, 1U);
  }
}

__device__ Word receive(const Word* work, Word how) {
  const Word* flag = work + 1;
  if (how == Message::kHelpers || how == Message::kAcquireNoRelease) {
    while (observe_acquire(flag) == 0) {
    }
    return work[0];  // here: read after acquire
  }
  while (observe(flag) == 0) {
  }
  if (how == Message::kBlockFences) {
    __threadfence_block();
  } else if (how != Message::kNoReaderFence && how != Message::kReleaseNoAcquire) {
    fence_device();
  }
  return work[0];  // here: message read
}

__global__ void message_kernel(Arguments a) {
  if (blockIdx.x == 0) send(a.work, a.n);
  if (blockIdx.x == 1) a.out[0] = receive(a.work, a.n);
}

// The last block adds up what all have left, as in the CUDA sample threadFenceReduction; a.n: the
// reader's fence, without which the memory model promises nothing.
__global__ void last_block_kernel(Arguments a) {
  auto& last = shared_object<bool>();
  Word* partials = a.work + 1;
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = blockIdx.x + 1;
    fence_device();
    last = atomicInc(a.work, gridDim.x - 1) == gridDim.x - 1;
  }
  sync_block();
  if (!last) return;
  if (a.n != 0) fence_device();
  auto& sum = shared_object<Word>();
  if (threadIdx.x == 0) sum = 0;
  sync_block();
  for (Word i = threadIdx.x; i < gridDim.x; i += blockDim.x) {
    atomicAdd(&sum, partials[i]);  // here: partials
  }
  sync_block();
  if (threadIdx.x == 0) a.out[0] = sum;
}
__global__ void last_block_no_fence_kernel(Arguments a) {
  auto& last = shared_object<bool>();
  if (threadIdx.x == 0) {
    a.work[1 + blockIdx.x] = 1;
    last = atomicInc(a.work, gridDim.x - 1) == gridDim.x - 1;
  }
  sync_block();
  if (!last) return;
  fence_device();
  if (threadIdx.x < gridDim.x) a.out[threadIdx.x] = a.work[1 + threadIdx.x];  // here: no fence
}

// Many threads write, one tells; one looks, many read. Barriers carry it from and to the others.
__global__ void block_message_kernel(Arguments a) {
  Word* data = a.work + 2;
  const Word t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t * t;
    sync_block();
    if (t == 0) publish_release(a.work, 1U);
    return;
  }
  if (t == 0) {
    while (observe_acquire(a.work) == 0) {
    }
  }
  if (a.n != 0) sync_block();
  a.out[t] = data[blockDim.x - 1 - t];  // here: block message
}
// The same within a warp each, by __syncwarp.
__global__ void warp_message_kernel(Arguments a) {
  Word* data = a.work + 2;
  const Word t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t * t;
    __syncwarp();
    if (t == 0) publish_release(a.work, 1U);
    return;
  }
  if (t == 0) {
    while (observe_acquire(a.work) == 0) {
    }
  }
  if (a.n != 0) __syncwarp();
  a.out[t] = data[31 - t];  // here: warp message
}

}  // namespace
}  // namespace redux

namespace simt_tests {
using namespace redux;
const Start message = start<message_kernel>;
const Start last_block = start<last_block_kernel>;
const Start last_block_no_fence = start<last_block_no_fence_kernel>;
const Start block_message = start<block_message_kernel>;
const Start warp_message = start<warp_message_kernel>;
}  // namespace simt_tests
