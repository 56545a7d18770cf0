// Threads that wait for what does not come, and warp operations whose lanes do not fit.
#include "common/launch.hpp"
#include "common/memory.cuh"
#include "common/warp.cuh"
#include "simt/executor_kernels.hpp"

namespace redux {
namespace {

using simt_tests::Arguments;
using simt_tests::Word;

__device__ std::uint64_t* wide(Word* word) {
  return reinterpret_cast<std::uint64_t*>(word);
}

__global__ void barrier_against_shuffle_kernel(Arguments a) {
  if (threadIdx.x == 3) {
    a.out[0] = shuffle_xor(1U, 1);  // here: shuffle
  } else {
    sync_block();  // here: barrier
  }
}
__global__ void barrier_against_spin_kernel(Arguments a) {
  if (threadIdx.x < blockDim.x / 2) {
    while (observe(wide(a.work)) == 0) {  // here: spin
    }
  }
  sync_block();  // here: barrier beside spin
}
__global__ void divergent_barriers_kernel(Arguments a) {
  if (threadIdx.x % 2 == 0) {
    __syncthreads();  // here: even
    a.out[0] = 1;
  } else {
    __syncthreads();  // here: odd
    a.out[1] = 1;
  }
}
__device__ void meet() {
  sync_block();
}
__global__ void divergent_in_helper_kernel(Arguments a) {
  if (threadIdx.x == 0) {
    meet();  // here: helper by one
    a.out[0] = 1;
  } else {
    meet();  // here: helper by the others
  }
}

__global__ void exited_lane_kernel(Arguments a) {
  if (threadIdx.x == a.n) return;
  a.out[threadIdx.x] = shuffle_xor(threadIdx.x, 1);  // here: exited lane
}
__global__ void absent_lane_kernel(Arguments a) {
  a.out[threadIdx.x] = shuffle_xor(threadIdx.x, 1);  // here: absent lane
}
__global__ void mask_without_caller_kernel(Arguments a) {
  a.out[threadIdx.x] = __shfl_sync(0xFFFFU, threadIdx.x, 0);  // here: without caller
}
__global__ void mask_mismatch_kernel(Arguments a) {
  const Word mask = threadIdx.x < 16 ? 0xFFFFFFFFU : 0xFFFFFF0FU;
  a.out[threadIdx.x] = __shfl_sync(mask, threadIdx.x, 20);  // here: mismatch
}
__global__ void operation_mismatch_kernel(Arguments a) {
  if (threadIdx.x < 16) {
    a.out[threadIdx.x] = __ballot_sync(kAllLanes, 1);  // here: vote
  } else {
    a.out[threadIdx.x] = shuffle_xor(1U, 1);  // here: shuffle beside vote
  }
}
__global__ void lane_ends_kernel(Arguments a) {
  if (threadIdx.x == a.n) return;
  __syncwarp();  // here: lane ends
}
__global__ void reads_unnamed_lane_kernel(Arguments a) {
  if (threadIdx.x < 16) a.out[threadIdx.x] = __shfl_sync(0xFFFFU, 1U, 16);  // here: unnamed lane
}

__global__ void plain_loop_kernel(Arguments a) {
  const volatile Word* flag = a.in;
  while (flag[0] != a.n) {  // here: loop
  }
  a.out[0] = 1;
}
__global__ void plain_loop_of_shared_kernel(Arguments a) {
  volatile Word& flag = shared_object<Word>();
  if (threadIdx.x == 0) flag = 0;
  sync_block();
  while (flag != a.n) {  // here: loop of shared
  }
  a.out[0] = 1;
}
// The lower block waits for the highest one, which runs only where the device holds them all.
__global__ void waits_for_the_last_block_kernel(Arguments a) {
  if (threadIdx.x > 0) return;
  if (blockIdx.x + 1 == gridDim.x) {
    publish(wide(a.work), std::uint64_t{7});
    a.out[blockIdx.x] = 7;
    return;
  }
  std::uint64_t seen = observe(wide(a.work));      // here: first look
  while (seen == 0) seen = observe(wide(a.work));  // here: wait for the last
  a.out[blockIdx.x] = static_cast<Word>(seen);
}
// Looks at two words in turn; a.n: whether the other thread writes.
__global__ void spins_on_two_words_kernel(Arguments a) {
  if (threadIdx.x == 1) {
    if (a.n != 0) publish(wide(a.work + 2), std::uint64_t{1});
    return;
  }
  while (observe(wide(a.work)) == 0 && observe(wide(a.work + 2)) == 0) {  // here: two words
  }
  a.out[0] = 1;
}
// A plain look at a word that a later block writes, which is a race as soon as that block runs.
__global__ void plain_wait_kernel(Arguments a) {
  volatile Word* flag = a.work;
  if (blockIdx.x == 0) {
    while (*flag == 0) {
    }
  } else {
    *flag = 1;  // here: plain write
  }
}

// A look at a word that goes on changing, then a wait for another that the first block writes.
__global__ void waits_after_a_look_kernel(Arguments a) {
  if (threadIdx.x == 1) {
    atomic_increment(a.work);
    return;
  }
  observe(a.work);
  if (blockIdx.x == 0) publish(a.work + 1, Word{1});
  while (observe(a.work + 1) == 0) {
  }
  a.out[blockIdx.x] = 1;
}

}  // namespace
}  // namespace redux

namespace simt_tests {
using namespace redux;
const Start barrier_against_shuffle = start<barrier_against_shuffle_kernel>;
const Start barrier_against_spin = start<barrier_against_spin_kernel>;
const Start divergent_barriers = start<divergent_barriers_kernel>;
const Start divergent_in_helper = start<divergent_in_helper_kernel>;
const Start exited_lane = start<exited_lane_kernel>;
const Start absent_lane = start<absent_lane_kernel>;
const Start mask_without_caller = start<mask_without_caller_kernel>;
const Start mask_mismatch = start<mask_mismatch_kernel>;
const Start operation_mismatch = start<operation_mismatch_kernel>;
const Start lane_ends = start<lane_ends_kernel>;
const Start reads_unnamed_lane = start<reads_unnamed_lane_kernel>;
const Start plain_loop = start<plain_loop_kernel>;
const Start plain_loop_of_shared = start<plain_loop_of_shared_kernel>;
const Start waits_for_the_last_block = start<waits_for_the_last_block_kernel>;
const Start spins_on_two_words = start<spins_on_two_words_kernel>;
const Start plain_wait = start<plain_wait_kernel>;
const Start waits_after_a_look = start<waits_after_a_look_kernel>;
}  // namespace simt_tests
