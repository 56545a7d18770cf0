// The kernel behind fixed_16x32 and adaptive_block, after PyTorch's and Paddle's innermost scan (S3
// of the sources): a block of (threads a row, rows) takes 2 * threads elements of each row a step
// into shared memory, scans them by an up-sweep and a down-sweep (Brent and Kung 1982) with a
// barrier a level, and carries the last one into the next step.
#pragma once

#include <algorithm>

#include "common/warp.cuh"
#include "cumminmax/launch_lines.cuh"

namespace redux::cumminmax {

inline constexpr int kSweepThreads = 512;

template <class O>
__global__ void __launch_bounds__(kSweepThreads) sweep_rows(Lines<typename O::Storage> lines) {
  using P = Pair<O, std::int64_t>;
  struct Steps {
    typename O::Storage values[2 * kSweepThreads];
    std::int64_t indices[2 * kSweepThreads];
  };
  auto& steps = shared_object<Steps>();
  const auto width = static_cast<int>(blockDim.x);
  const auto x = static_cast<int>(threadIdx.x);
  const int base = static_cast<int>(threadIdx.y) * 2 * width;
  const auto at = [&](int i) { return P{steps.values[base + i], steps.indices[base + i]}; };
  const auto put = [&](int i, const P& pair) {
    steps.values[base + i] = pair.value;
    steps.indices[base + i] = pair.index;
  };
  const auto fold = [&](int earlier, int later) {
    P pair = at(earlier);
    pair.follow(at(later));
    put(later, pair);
  };
  const std::int64_t rows_a_turn = static_cast<std::int64_t>(gridDim.x) * blockDim.y;
  // All threads of the block go round together, also those whose row is past the end.
  for (std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * blockDim.y; first < lines.outer;
       first += rows_a_turn) {
    const std::int64_t row = first + threadIdx.y;
    const bool live = row < lines.outer;
    const std::int64_t start = row * lines.length;
    auto carry = P::none();
    for (std::int64_t begin = 0; begin < lines.length; begin += 2 * width) {
      for (int i = x; live && i < 2 * width; i += width) {
        const bool inside = begin + i < lines.length;
        P pair = inside ? P{lines.input[start + begin + i], begin + i} : P::none();
        if (i == 0) {
          carry.follow(pair);
          pair = carry;
        }
        put(i, pair);
      }
      sync_block();
      for (int count = width, d = 1; count >= 1; count /= 2, d *= 2) {
        const int left = (((2 * x) + 1) * d) - 1;
        if (live && x < count) fold(left, left + d);
        sync_block();
      }
      for (int count = 2, d = width / 2; d >= 1; count *= 2, d /= 2) {
        const int left = (2 * (x + 1) * d) - 1;
        if (live && x < count - 1) fold(left, left + d);
        sync_block();
      }
      for (int i = x; live && i < 2 * width && begin + i < lines.length; i += width) {
        const P pair = at(i);
        lines.values[start + begin + i] = pair.value;
        lines.indices[start + begin + i] = pair.index;
      }
      if (live && x == 0) carry = at((2 * width) - 1);
      sync_block();
    }
  }
}

inline constexpr auto kSweepKernel = []<class O>(Tag<O>) { return sweep_rows<O>; };

inline Geometry sweep_geometry(const Case& c, std::uint32_t threads_a_row) {
  const std::uint32_t rows = kSweepThreads / threads_a_row;
  const std::int64_t blocks = ceil_div(axis_of(c).outer, rows);
  return {.grid = {static_cast<std::uint32_t>(std::min<std::int64_t>(blocks, 2147483647))},
          .block = {threads_a_row, rows},
          .kernels = is_empty(c) ? 0 : 1,
          .function = function_of(c, kSweepKernel)};
}

}  // namespace redux::cumminmax
