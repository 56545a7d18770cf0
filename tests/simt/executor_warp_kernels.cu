// Operations between the lanes of a warp.
#include "common/launch.hpp"
#include "common/warp.cuh"
#include "simt/executor_kernels.hpp"

namespace redux {
namespace {

using simt_tests::Arguments;
using simt_tests::Word;

// Rows of 32 results, one for each width 1, 2, 4, 8, 16, 32. a.n: the argument.
template <class Shuffle>
__device__ void for_widths(const Arguments& a, Shuffle shuffle) {
  int row = 0;
  for (int width = 1; width <= 32; width *= 2, ++row) {
    a.out[(row * 32) + lane_id()] = shuffle(1000 + lane_id(), width);
  }
}
__global__ void shuffle_index_kernel(Arguments a) {
  const int from = static_cast<int>(a.n);
  for_widths(a, [&](Word value, int width) { return __shfl_sync(kAllLanes, value, from, width); });
}
__global__ void shuffle_up_kernel(Arguments a) {
  for_widths(a,
             [&](Word value, int width) { return __shfl_up_sync(kAllLanes, value, a.n, width); });
}
__global__ void shuffle_down_kernel(Arguments a) {
  for_widths(a,
             [&](Word value, int width) { return __shfl_down_sync(kAllLanes, value, a.n, width); });
}
__global__ void shuffle_xor_lanes_kernel(Arguments a) {
  const int flip = static_cast<int>(a.n);
  for_widths(a, [&](Word value, int width) { return shuffle_xor(value, flip, width); });
}

struct Small {
  std::uint16_t bits;
};
struct Large {
  std::uint64_t low;
  double high;
};

// Each lane's neighbour in types of 2, 4, 8 and 16 bytes.
__global__ void shuffle_types_kernel(Arguments a) {
  const auto lane = static_cast<Word>(lane_id());
  const Small small = shuffle_xor(Small{static_cast<std::uint16_t>(40000 + lane)}, 1);
  const float single = shuffle_xor(static_cast<float>(lane) + 0.5F, 1);
  const std::uint64_t wide = shuffle_xor((std::uint64_t{lane} << 32U) | 7U, 1);
  // No word of a GPU's registers: only here.
  const Large large = __shfl_xor_sync(kAllLanes, Large{lane, static_cast<double>(lane) * 2}, 1);
  Word* mine = a.out + (6 * lane);
  mine[0] = small.bits;
  mine[1] = static_cast<Word>(single * 2);
  mine[2] = static_cast<Word>(wide >> 32U);
  mine[3] = static_cast<Word>(wide);
  mine[4] = static_cast<Word>(large.low);
  mine[5] = static_cast<Word>(large.high);
}

__global__ void votes_kernel(Arguments a) {
  const auto lane = static_cast<Word>(lane_id());
  Word* mine = a.out + (5 * lane);
  mine[0] = __ballot_sync(kAllLanes, lane % 3 == 0 ? 8 : 0);
  mine[1] = static_cast<Word>(__any_sync(kAllLanes, lane == 31));
  mine[2] = static_cast<Word>(__any_sync(kAllLanes, 0));
  mine[3] = static_cast<Word>(__all_sync(kAllLanes, lane != 31));
  mine[4] = static_cast<Word>(__all_sync(kAllLanes, 5));
}

// One lane asks while all others wait for it: it names no one and waits for no one.
__global__ void active_mask_kernel(Arguments a) {
  const auto lane = static_cast<Word>(lane_id());
  Word mask = 1U << lane;
  if (lane == a.n) mask = __activemask();
  __syncwarp();
  a.out[lane] = mask;
}

__global__ void matches_kernel(Arguments a) {
  const auto lane = static_cast<Word>(lane_id());
  int all = -1;
  Word* mine = a.out + (6 * lane);
  mine[0] = __match_any_sync(kAllLanes, lane / 8);
  mine[1] = __match_any_sync(kAllLanes, (std::uint64_t{lane % 2} << 40U) | 1U);
  mine[2] = __match_all_sync(kAllLanes, 77U, &all);
  mine[3] = static_cast<Word>(all);
  mine[4] = __match_all_sync(kAllLanes, std::uint64_t{lane / 31} << 33U, &all);
  mine[5] = static_cast<Word>(all);
}

__global__ void reductions_kernel(Arguments a) {
  const auto lane = static_cast<Word>(lane_id());
  const int signed_value = static_cast<int>(lane) - 10;
  Word* mine = a.out + (10 * lane);
  mine[0] = __reduce_add_sync(kAllLanes, 0x10000000U + lane);  // wraps
  mine[1] = __reduce_min_sync(kAllLanes, 5U + lane);
  mine[2] = __reduce_max_sync(kAllLanes, static_cast<Word>(signed_value));
  mine[3] = static_cast<Word>(__reduce_add_sync(kAllLanes, signed_value));
  mine[4] = static_cast<Word>(__reduce_min_sync(kAllLanes, signed_value));
  mine[5] = static_cast<Word>(__reduce_max_sync(kAllLanes, signed_value));
  mine[6] = __reduce_and_sync(kAllLanes, ~(1U << (lane % 4)));
  mine[7] = __reduce_or_sync(kAllLanes, 1U << (lane % 5));
  mine[8] = __reduce_xor_sync(kAllLanes, lane == 3 ? 6U : 1U);
  mine[9] = __reduce_add_sync(lane < 7 ? 0x7FU : ~0x7FU, 1U);
}

// The halves of a warp do different things, each with its own mask.
__global__ void halves_kernel(Arguments a) {
  const auto lane = static_cast<Word>(lane_id());
  if (lane < 16) {
    a.out[lane] = __shfl_xor_sync(0xFFFFU, lane, 15, 16);
  } else {
    const Word sum = __reduce_add_sync(0xFFFF0000U, lane);
    a.out[lane] = sum + __shfl_sync(0xFFFF0000U, lane, 17);
  }
}

// The lower half does something of its own before all come together, more than once.
__global__ void halves_then_all_kernel(Arguments a) {
  const auto lane = static_cast<Word>(lane_id());
  Word value = lane;
  for (int round = 0; round < 3; ++round) {
    if (lane < 16) value = __shfl_xor_sync(0xFFFFU, value, 1);
    value = __shfl_xor_sync(kAllLanes, value, 16);
  }
  a.out[lane] = value;
}

// Lane 0 waits for lane 1, which waits for lane 2 first.
__global__ void chained_masks_kernel(Arguments a) {
  const auto lane = static_cast<Word>(lane_id());
  Word value = lane + 1;
  if (lane == 1 || lane == 2) value += __shfl_xor_sync(6U, value, 3);
  if (lane <= 1) value += __shfl_xor_sync(3U, value, 1);
  a.out[lane] = value;
}

// The last warp of the block is short, so its mask is.
__global__ void short_warp_kernel(Arguments a) {
  const Word t = threadIdx.x;
  const Word left = blockDim.x - (t & ~31U);
  const Word mask = left < 32 ? (1U << left) - 1U : kAllLanes;
  __syncwarp(mask);
  a.out[t] = __reduce_add_sync(mask, t);
}

__global__ void nan_extremes_kernel(Arguments a) {
  if (threadIdx.x > 0) return;
  const auto* values = reinterpret_cast<const float*>(a.in);
  auto* out = reinterpret_cast<float*>(a.out);
  out[0] = fmax(values[0], values[1]);
  out[1] = fmax(values[1], values[0]);
  out[2] = fmin(values[0], values[1]);
  out[3] = fmin(values[1], values[0]);
}

__global__ void helper_extremes_kernel(Arguments a) {
  const auto lane = static_cast<Word>(lane_id());
  const std::uint64_t wide = (std::uint64_t{lane % 4} << 32U) | lane;
  Word* mine = a.out + (4 * lane);
  mine[0] = warp_max(lane ^ 21U);
  mine[1] = warp_min(lane | 6U);
  mine[2] = static_cast<Word>(warp_max(wide)) + (static_cast<Word>(warp_max(wide) >> 32U) * 100);
  mine[3] = static_cast<Word>(warp_min(wide | 2U));
}

}  // namespace
}  // namespace redux

namespace simt_tests {
using namespace redux;
const Start shuffle_index = start<shuffle_index_kernel>;
const Start shuffle_up = start<shuffle_up_kernel>;
const Start shuffle_down = start<shuffle_down_kernel>;
const Start shuffle_xor_lanes = start<shuffle_xor_lanes_kernel>;
const Start shuffle_types = start<shuffle_types_kernel>;
const Start votes = start<votes_kernel>;
const Start active_mask = start<active_mask_kernel>;
const Start matches = start<matches_kernel>;
const Start reductions = start<reductions_kernel>;
const Start halves = start<halves_kernel>;
const Start halves_then_all = start<halves_then_all_kernel>;
const Start chained_masks = start<chained_masks_kernel>;
const Start short_warp = start<short_warp_kernel>;
const Start nan_extremes = start<nan_extremes_kernel>;
const Start helper_extremes = start<helper_extremes_kernel>;
}  // namespace simt_tests
