#include "backend/host/host_probes.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "backend/host/block.hpp"
#include "backend/host_memory.hpp"
#include "core/problem.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// A ceiling is a property of the machine: it must not sink in a debug build, whose kernels are
// optimised all the same.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3")
#endif

namespace redux::host {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::micro>(duration).count();
}

/// The part of `bytes` that thread `index` of `count` takes, in whole cache lines.
struct Part {
  std::size_t begin;
  std::size_t end;
};

Part part_of(std::size_t bytes, int index, int count) {
  constexpr std::size_t kLine = 64;
  const std::size_t lines = (bytes + kLine - 1) / kLine;
  const auto at = [&](int i) {
    return std::min(lines * static_cast<std::size_t>(i) / static_cast<std::size_t>(count) * kLine,
                    bytes);
  };
  return {at(index), at(index + 1)};
}

/// Calls f(begin, end) in each thread with its part.
template <class F>
void in_parts(std::size_t bytes, F f) {
#pragma omp parallel
  {
    const Part part = part_of(bytes, omp_get_thread_num(), omp_get_num_threads());
    if (part.begin < part.end) f(part.begin, part.end);
  }
}

/// Four words at once; aligned like one word, because parts start anywhere.
using Words __attribute__((vector_size(32), aligned(8), may_alias)) = std::uint64_t;

/// Eight accumulators: the loads of one would wait for each other.
__attribute__((always_inline)) inline std::uint64_t fold_words(const std::uint64_t* words,
                                                               std::size_t count) {
  const auto* packs = reinterpret_cast<const Words*>(words);
  const std::size_t whole = count / 32 * 8;
  Words a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{};
  for (std::size_t i = 0; i < whole; i += 8) {
    a ^= packs[i];
    b ^= packs[i + 1];
    c ^= packs[i + 2];
    d ^= packs[i + 3];
    e ^= packs[i + 4];
    f ^= packs[i + 5];
    g ^= packs[i + 6];
    h ^= packs[i + 7];
  }
  const Words folded = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
  std::uint64_t all = folded[0] ^ folded[1] ^ folded[2] ^ folded[3];
  for (std::size_t i = whole * 4; i < count; ++i) all ^= words[i];
  return all;
}

std::uint64_t fold_plain(const std::uint64_t* words, std::size_t count) {
  return fold_words(words, count);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) std::uint64_t fold_avx2(const std::uint64_t* words,
                                                        std::size_t count) {
  return fold_words(words, count);
}
#endif

std::uint64_t sweep(const std::byte* data, std::size_t bytes, int threads) {
  auto* fold = fold_plain;
#if defined(__x86_64__)
  if (static_cast<bool>(__builtin_cpu_supports("avx2"))) fold = fold_avx2;
#endif
  std::uint64_t all = 0;
#pragma omp parallel num_threads(threads) reduction(^ : all)
  {
    const Part part = part_of(bytes, omp_get_thread_num(), omp_get_num_threads());
    all ^= fold(reinterpret_cast<const std::uint64_t*>(data + part.begin),
                (part.end - part.begin) / sizeof(std::uint64_t));
  }
  return all;
}

#if !defined(__x86_64__)
/// Without an instruction that evicts a line: read and write more than the cache holds.
void sweep_cache() {
  static std::vector<std::uint64_t> filler(3 * last_level_cache_bytes() / sizeof(std::uint64_t));
  in_parts(filler.size() * sizeof(std::uint64_t), [](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin / sizeof(std::uint64_t); i < end / sizeof(std::uint64_t); ++i) {
      filler[i] += 1;
    }
  });
}
#endif

void empty_call(const Problem& /*problem*/, const Exec& /*exec*/) {}

double empty_call_us() {
  constexpr int kCalls = 100'000;
  void (*volatile call)(const Problem&, const Exec&) = empty_call;  // not to be inlined
  const Problem problem;
  const Exec exec;
  double best_us = 0;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto start = Clock::now();
    for (int i = 0; i < kCalls; ++i) call(problem, exec);
    const double call_us = microseconds(Clock::now() - start) / kCalls;
    if (repeat == 0 || call_us < best_us) best_us = call_us;
  }
  return best_us;
}

void keep_higher(std::optional<double>& kept, double found) {
  kept = std::max(kept.value_or(0), found);
}

}  // namespace

void evict(const void* data, std::size_t bytes) {
#if defined(__x86_64__)
  const auto* start = static_cast<const std::byte*>(data);
  constexpr std::size_t kLine = 64;
  constexpr std::size_t kWorthThreads = std::size_t{1} << 20U;
  const auto flush = [start](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; at += kLine) _mm_clflush(start + at);
    _mm_mfence();
  };
  if (bytes < kWorthThreads) {
    flush(0, bytes);
  } else {
    in_parts(bytes, flush);
  }
#else
  static_cast<void>(data);
  static_cast<void>(bytes);
  sweep_cache();
#endif
}

void parallel_copy(void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t kWorthThreads = std::size_t{1} << 20U;
  if (bytes < kWorthThreads) {
    if (bytes > 0) std::memcpy(to, from, bytes);
    return;
  }
  in_parts(bytes, [to, from](std::size_t begin, std::size_t end) {
    std::memcpy(static_cast<std::byte*>(to) + begin, static_cast<const std::byte*>(from) + begin,
                end - begin);
  });
}

void measure_ceilings(Ceilings& ceilings) {
  const double floor_us = empty_call_us();
  ceilings.host_floor_us = std::min(ceilings.host_floor_us.value_or(floor_us), floor_us);

  // Small sweeps pay for waking the threads, big ones for pages; which is best depends.
  constexpr std::size_t kLeast = std::size_t{256} << 10U;
  const std::size_t most = std::min(std::size_t{64} << 20U, free_host_bytes() / 4);
  if (most < kLeast) return;
  const Block buffer(most);
  std::byte* data = buffer.data();
  std::memset(data, 1, most);
  volatile std::uint64_t sink = 0;
  const auto gbps = [](std::size_t bytes, Clock::duration time) {
    return static_cast<double>(bytes) / std::max(microseconds(time), 1e-3) / 1e3;
  };
  for (std::size_t bytes = most; bytes >= kLeast; bytes /= 4) {
    const std::size_t half = bytes / 2 / 64 * 64;
    const int repeats = bytes < most ? 10 : 3;
    for (int repeat = 0; repeat < repeats; ++repeat) {
      // One thread too: on a busy machine all of them wait for the one that has no core.
      for (const int threads : {1, omp_get_max_threads()}) {
        evict(data, bytes);
        const auto start = Clock::now();
        sink = sink ^ sweep(data, bytes, threads);
        keep_higher(ceilings.host_read_gbps, gbps(bytes, Clock::now() - start));
      }
      evict(data, bytes);
      const auto start = Clock::now();
      parallel_copy(data, data + half, half);
      keep_higher(ceilings.host_copy_gbps, gbps(2 * half, Clock::now() - start));
    }
  }
}

}  // namespace redux::host
