// Floors and ceilings of a CUDA device.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "backend/cuda/device.hpp"
#include "common/probes.hpp"

namespace redux::cuda {
namespace {

void keep_lower(std::optional<double>& kept, double found) {
  if (found > 0) kept = std::min(kept.value_or(found), found);
}

void keep_higher(std::optional<double>& kept, double found) {
  kept = std::max(kept.value_or(0), found);
}

double gbps(std::size_t bytes, double time_us) {
  return time_us > 0 ? static_cast<double>(bytes) / time_us / 1e3 : 0;
}

}  // namespace

void Device::measure_ceilings(Ceilings& ceilings) {
  Stopwatch stopwatch;
  constexpr int kRepeats = 10;
  constexpr int kEmpty = 1000;
  const auto launch_empty = [this] {
    for (int i = 0; i < kEmpty; ++i) probe_empty(exec());
  };
  const auto head_start = [this] { enqueue_head_start(); };
  launch_empty();
  synchronize();
  const GraphExec graph = instantiate(capture(stream(), launch_empty), stream());
  for (int i = 0; i < kRepeats; ++i) {
    const double replay_us = stopwatch.time_us(
        stream(), head_start, [&] { REDUX_CUDA_CHECK(cudaGraphLaunch(graph.get(), stream())); });
    keep_lower(ceilings.graph_floor_us, replay_us / kEmpty);
    synchronize();
    keep_lower(ceilings.stream_floor_us, stopwatch.time_us(stream(), {}, launch_empty) / kEmpty);
  }

  // Just beyond three caches, where a rotation of copies also is, and far beyond.
  constexpr std::size_t kMiB = std::size_t{1} << 20U;
  constexpr std::size_t kWord = 16;
  const std::size_t least = beyond_cache_bytes() / kMiB * kMiB + kMiB;
  const std::size_t most = std::min(std::max(1024 * kMiB, 2 * least), free_bytes() / 2);
  if (most < least) return;  // no room to be cold in: better no ceiling than a false one
  const auto memory = take_arena(most + sizeof(std::uint64_t));
  std::byte* data = memory->data();
  std::byte* sink = data + most / kWord * kWord;
  REDUX_CUDA_CHECK(cudaMemsetAsync(data, 0x5A, memory->bytes(), stream()));
  for (const std::size_t size : {least, std::max(256 * kMiB, least), most}) {
    const std::size_t bytes = std::min(size, most) / kWord * kWord;
    const auto reads = static_cast<int>(std::max<std::size_t>(1024 * kMiB / bytes, 1));
    const auto read = [&] { probe_read(exec(), data, bytes, sink); };
    for (int i = 0; i < kRepeats; ++i) {
      const double time_us = stopwatch.time_us(stream(), read, [&] {
        for (int n = 0; n < reads; ++n) read();
      });
      keep_higher(ceilings.read_gbps, gbps(bytes * static_cast<std::size_t>(reads), time_us));
    }
  }
  const std::size_t half = most / 2 / kWord * kWord;
  const auto copy = [&] { probe_copy(exec(), data, data + half, half); };
  for (int i = 0; i < kRepeats; ++i) {
    keep_higher(ceilings.copy_gbps, gbps(2 * half, stopwatch.time_us(stream(), copy, copy)));
  }
}

}  // namespace redux::cuda
