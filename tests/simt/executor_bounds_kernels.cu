// Accesses that no GPU allows, or that read what nobody wrote.
#include "common/element.cuh"
#include "common/launch.hpp"
#include "common/memory.cuh"
#include "common/reuse.cuh"
#include "common/warp.cuh"
#include "simt/executor_kernels.hpp"

namespace redux {
namespace {

using simt_tests::Arguments;
using simt_tests::Word;

// a.n: an index, as a signed number of words.
__global__ void read_at_kernel(Arguments a) {
  a.out[0] = a.in[static_cast<int>(a.n)];  // here: read
}
__global__ void write_at_kernel(Arguments a) {
  if (threadIdx.x == 3 && blockIdx.x == 1) {
    a.out[static_cast<int>(a.n)] = 7;  // here: write
  }
}
__global__ void read_null_kernel(Arguments a) {
  a.out[0] = a.elsewhere[2];  // here: read null
}
__global__ void write_null_kernel(Arguments a) {
  a.elsewhere[0] = a.n;  // here: write null
}
__global__ void read_elsewhere_kernel(Arguments a) {
  a.out[0] = a.elsewhere[1];  // here: read elsewhere
}
__global__ void write_elsewhere_kernel(Arguments a) {
  a.elsewhere[1] = a.n;  // here: write elsewhere
}
__global__ void write_input_kernel(Arguments a) {
  const_cast<Word*>(a.in)[1] = a.n;  // here: write input
}
__global__ void misaligned_vector_kernel(Arguments a) {
  const auto* from = reinterpret_cast<const std::int32_t*>(a.in) + a.n;
  const Pack<std::int32_t> pack = load_pack(from);  // here: vector
  a.out[0] = 0;
  for (const std::int32_t value : pack.values) a.out[0] += static_cast<Word>(value);
}
__global__ void global_load_of_shared_kernel(Arguments a) {
  auto& word = shared_object<Word>();
  word = 7;
  a.out[0] = load_once(&word);  // here: not global
}
__global__ void misaligned_plain_kernel(Arguments a) {
  const std::uint64_t wide = *reinterpret_cast<const std::uint64_t*>(a.in + 1);  // here: plain
  a.out[0] = static_cast<Word>(wide);
}
// A copy of bytes asks for no alignment.
__global__ void unaligned_copy_kernel(Arguments a) {
  std::uint64_t wide = 0;
  memcpy(&wide, reinterpret_cast<const char*>(a.in) + 3, sizeof(wide));
  memcpy(a.out, &wide, sizeof(wide));
}

__global__ void read_shared_of_block_0_kernel(Arguments a) {
  auto& word = shared_object<Word>();
  auto* slot = reinterpret_cast<std::uint64_t*>(a.work);
  if (blockIdx.x == 0) {
    word = 5;
    publish(slot, static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&word)));
    while (observe(slot + 1) == 0) {
    }
  } else {
    while (observe(slot) == 0) {
    }
    a.out[0] = *reinterpret_cast<const Word*>(observe(slot));  // here: shared of block 0
    publish(slot + 1, std::uint64_t{1});
  }
}
__global__ void shared_past_end_kernel(Arguments a) {
  Word* words = shared_object<Word[8]>();
  words[a.n] = 1;  // here: past end
}
__global__ void shared_before_kernel(Arguments a) {
  shared_object<Word, 1>() = 0;
  Word* words = shared_object<Word[8]>();
  a.out[0] = words[static_cast<int>(a.n)];  // here: before
}
__global__ void dynamic_past_end_kernel(Arguments a) {
  dynamic_shared<Word>()[a.n] = 1;  // here: dynamic
}

__global__ void unwritten_shared_kernel(Arguments a) {
  Word* words = shared_object<Word[8]>();
  words[threadIdx.x] = 1;
  sync_block();
  if (threadIdx.x == 0) a.out[0] = words[a.n];  // here: unwritten shared
}
__global__ void unwritten_output_kernel(Arguments a) {
  a.out[1] = 1;
  a.out[1] += a.out[a.n];  // here: unwritten output
}
__global__ void unwritten_work_kernel(Arguments a) {
  a.out[0] = a.work[a.n];  // here: unwritten work
}
__global__ void partly_written_kernel(Arguments a) {
  auto* bytes = reinterpret_cast<unsigned char*>(a.work);
  for (Word i = 0; i < a.n; ++i) bytes[i] = 1;
  a.out[0] = a.work[0];  // here: partly written
}
__global__ void atomic_on_unwritten_kernel(Arguments a) {
  a.out[0] = atomicAdd(a.work + a.n, 1U);  // here: atomic on unwritten
}

__device__ Word sum_of(const Word* words, Word count) {
  Word sum = 0;
  for (Word i = 0; i <= count; ++i) sum += words[i];  // here: helper
  return sum;
}
__global__ void wrong_helper_kernel(Arguments a) {
  a.out[0] = sum_of(a.in, a.n);  // here: caller of the helper
}

}  // namespace
}  // namespace redux

namespace simt_tests {
using namespace redux;
const Start read_at = start<read_at_kernel>;
const Start write_at = start<write_at_kernel>;
const Start read_null = start<read_null_kernel>;
const Start write_null = start<write_null_kernel>;
const Start read_elsewhere = start<read_elsewhere_kernel>;
const Start write_elsewhere = start<write_elsewhere_kernel>;
const Start write_input = start<write_input_kernel>;
const Start misaligned_vector = start<misaligned_vector_kernel>;
const Start global_load_of_shared = start<global_load_of_shared_kernel>;
const Start misaligned_plain = start<misaligned_plain_kernel>;
const Start unaligned_copy = start<unaligned_copy_kernel>;
const Start read_shared_of_block_0 = start<read_shared_of_block_0_kernel>;
const Start shared_past_end = start<shared_past_end_kernel>;
const Start shared_before = start<shared_before_kernel>;
const Start dynamic_past_end = start<dynamic_past_end_kernel>;
const Start unwritten_shared = start<unwritten_shared_kernel>;
const Start unwritten_output = start<unwritten_output_kernel>;
const Start unwritten_work = start<unwritten_work_kernel>;
const Start partly_written = start<partly_written_kernel>;
const Start atomic_on_unwritten = start<atomic_on_unwritten_kernel>;
const Start wrong_helper = start<wrong_helper_kernel>;
}  // namespace simt_tests
