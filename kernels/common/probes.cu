// Floors and ceilings: an empty kernel, a read-only sweep and a copy, each as plain as can be, and
// a kernel that only takes time, for handicaps. Data are n 16-byte words. A grid of a few blocks a
// multiprocessor strides over them with eight loads in flight a thread, which is what the variants
// are up against.
#include "common/element.cuh"
#include "common/launch.hpp"
#include "common/probes.hpp"

namespace redux {
namespace {

constexpr int kInFlight = 8;
constexpr unsigned kThreads = 512;

__global__ void empty_kernel() {}

__device__ std::uint32_t fold(const Pack<std::int32_t>& pack) {
  return static_cast<std::uint32_t>(pack.values[0] ^ pack.values[1] ^ pack.values[2] ^
                                    pack.values[3]);
}

__global__ void __launch_bounds__(kThreads)
    read_kernel(const std::int32_t* data, std::size_t words, std::uint64_t* sink) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  std::size_t at = (static_cast<std::size_t>(blockIdx.x) * blockDim.x) + threadIdx.x;
  std::uint32_t folded = 0;
  for (; at + ((kInFlight - 1) * stride) < words; at += kInFlight * stride) {
    Pack<std::int32_t> packs[kInFlight];
#pragma unroll
    for (int i = 0; i < kInFlight; ++i) packs[i] = load_pack(data + (4 * (at + (i * stride))));
#pragma unroll
    for (int i = 0; i < kInFlight; ++i) folded ^= fold(packs[i]);
  }
  for (; at < words; at += stride) folded ^= fold(load_pack(data + (4 * at)));
  if (folded == 0x5EED1234U) *sink = folded;  // the compiler cannot know how rarely
}

__global__ void __launch_bounds__(kThreads)
    copy_kernel(const std::int32_t* from, std::int32_t* to, std::size_t words) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  std::size_t at = (static_cast<std::size_t>(blockIdx.x) * blockDim.x) + threadIdx.x;
  auto* target = reinterpret_cast<Pack<std::int32_t>*>(to);
  for (; at + ((kInFlight - 1) * stride) < words; at += kInFlight * stride) {
    Pack<std::int32_t> packs[kInFlight];
#pragma unroll
    for (int i = 0; i < kInFlight; ++i) packs[i] = load_pack(from + (4 * (at + (i * stride))));
#pragma unroll
    for (int i = 0; i < kInFlight; ++i) target[at + (i * stride)] = packs[i];
  }
  for (; at < words; at += stride) target[at] = load_pack(from + (4 * at));
}

#ifdef REDUX_SIMT
// Where nothing is timed there is nothing to slow down either.
__global__ void spin_kernel(std::uint64_t /*nanoseconds*/) {}
#else
__device__ std::uint64_t now_ns() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

__global__ void spin_kernel(std::uint64_t nanoseconds) {
  const std::uint64_t start = now_ns();
  while (now_ns() - start < nanoseconds) {
  }
}
#endif

Geometry full_device(const Exec& exec) {
  const auto blocks = static_cast<unsigned>(exec.device->multiprocessors) * 4;
  return {.grid = {blocks}, .block = {kThreads}};
}

}  // namespace

void probe_empty(const Exec& exec) {
  launch(empty_kernel, {.grid = {1}, .block = {1}}, exec.stream);
}

void probe_spin(const Exec& exec, std::uint64_t nanoseconds) {
  launch(spin_kernel, {.grid = {1}, .block = {1}}, exec.stream, nanoseconds);
}

void probe_read(const Exec& exec, const void* data, std::size_t bytes, void* sink) {
  launch(read_kernel, full_device(exec), exec.stream, static_cast<const std::int32_t*>(data),
         bytes / 16, static_cast<std::uint64_t*>(sink));
}

void probe_copy(const Exec& exec, const void* from, void* to, std::size_t bytes) {
  launch(copy_kernel, full_device(exec), exec.stream, static_cast<const std::int32_t*>(from),
         static_cast<std::int32_t*>(to), bytes / 16);
}

}  // namespace redux
