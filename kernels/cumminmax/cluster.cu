// cummax / cummin along rows: a thread-block cluster a row, carries through distributed shared
// memory.
//
// Each of up to 16 blocks scans a tile of the row in registers and writes the tile's best element
// into the shared memory of every later block; one cluster barrier later each block has its carry.
// Nothing in global memory but the data, no workspace. It wins for few rows that fit 16 tiles,
// where a barrier in hardware is quicker than words in global memory; longer rows want lookback,
// and with many rows block_per_row waits for nobody. Needs sm_90. Any alignment.
#include "common/cluster.cuh"
#include "cumminmax/launch_lines.cuh"
#include "cumminmax/tile.cuh"

namespace redux::cumminmax {
namespace {

constexpr int kMostBlocks = 16;
constexpr int kMostWarps = 16;
constexpr int kMostChunks = 4;

/// Best elements of the blocks before, by rank.
struct Inbox {
  std::uint64_t values[kMostBlocks];
  std::uint64_t indices[kMostBlocks];
};

template <class O, int Warps, int Chunks, bool Aligned>
__global__ void __launch_bounds__(Warps* kWarp) cluster_rows(Lines<typename O::Storage> lines) {
  using T = Tile<O, Warps, Chunks, Aligned>;
  using Carry = Pair<O, std::int64_t>;
  auto& inbox = shared_object<Inbox>();
  const auto rank = static_cast<int>(cluster_rank());
  const auto blocks = static_cast<int>(cluster_blocks());
  const auto thread = static_cast<int>(threadIdx.x);
  const std::int64_t row = blockIdx.x / static_cast<unsigned>(blocks);
  const std::int64_t begin = std::int64_t{rank} * T::kElements;
  cluster_arrive();  // whoever is written to has started; waited for after the scan
  T mine;
  mine.load(lines.input + (row * lines.length), begin, lines.length);
  Pair<O, int> total;
  const Pair<O, int> in_front = scan_warps<O, Warps>(mine.scan_run(), total);
  cluster_wait();
  if (thread > rank && thread < blocks) {
    store_to_rank(&inbox.values[rank], thread, word_of(total.value));
    store_to_rank(&inbox.indices[rank], thread, static_cast<std::uint64_t>(begin + total.index));
  }
  cluster_arrive();
  cluster_wait();
  Carry carry = Carry::none();
  if (lane_id() < rank) {
    carry = {value_of<typename O::Storage>(inbox.values[lane_id()]),
             static_cast<std::int64_t>(inbox.indices[lane_id()])};
  }
  carry = reduce_lanes(carry);
  mine.store(lines, row, begin, in_front, carry);
}

struct Plan {
  int warps = 4;
  int chunks = 2;
  int blocks = 1;
  bool aligned = false;
};

/// Small blocks first, the more the better: what a block does before and after the exchange takes
/// longer than the exchange.
Plan plan_for(const Case& c) {
  const std::int64_t vectors = ceil_div(axis_of(c).length, vector_width(c));
  Plan plan{.aligned = rows_can_align(c)};
  const auto of_block = [&] { return plan.warps * kWarp * plan.chunks; };
  while (plan.blocks < kMostBlocks && plan.blocks * of_block() < vectors) plan.blocks *= 2;
  while (plan.warps < kMostWarps && plan.blocks * of_block() < vectors) plan.warps *= 2;
  if (plan.blocks * of_block() < vectors) plan.chunks = kMostChunks;
  return plan;
}

auto kernel_for(const Plan& plan) {
  return [=]<class O>(Tag<O>) {
    const auto with = [&]<bool Aligned>() {
      if (plan.chunks == kMostChunks) return cluster_rows<O, kMostWarps, kMostChunks, Aligned>;
      if (plan.warps == 4) return cluster_rows<O, 4, 2, Aligned>;
      if (plan.warps == 8) return cluster_rows<O, 8, 2, Aligned>;
      return cluster_rows<O, kMostWarps, 2, Aligned>;
    };
    return plan.aligned ? with.template operator()<true>() : with.template operator()<false>();
  };
}

std::string unsupported(const Case& c, const DeviceFacts& device) {
  if (device.compute_capability() < 90) {
    return "clusters need compute capability 9.0; this device has " +
           std::to_string(device.compute_major) + "." + std::to_string(device.compute_minor);
  }
  const std::int64_t most =
      std::int64_t{kMostChunks} * kMostWarps * kWarp * kMostBlocks * vector_width(c);
  if (axis_of(c).inner == 1 && axis_of(c).length > most) {
    return "a row has " + std::to_string(axis_of(c).length) + " elements, at most " +
           std::to_string(most) + " fit the registers of a cluster";
  }
  return first_of(needs_rows(c, device), past_the_grid(axis_of(c).outer * kMostBlocks));
}

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  const Plan plan = plan_for(c);
  return {.grid = {static_cast<std::uint32_t>(axis_of(c).outer * plan.blocks)},
          .block = {static_cast<std::uint32_t>(plan.warps * kWarp)},
          .cluster = static_cast<std::uint32_t>(plan.blocks),
          .kernels = is_empty(c) ? 0 : 1,
          .function = function_of(c, kernel_for(plan))};
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  Plan plan = plan_for(c);
  plan.aligned = rows_are_aligned(problem);
  launch_lines(problem, exec, geometry_of(c, *exec.device), kernel_for(plan));
}

const RegisterVariant cluster{
    {"cummax", "cummin"},
    Variant{.name = "cluster",
            .side = Side::cuda,
            .about = "up to 16 blocks a row pass carries through distributed shared memory "
                     "(sm_90); wins for few rows that fit them",
            .source = __FILE__,
            .unsupported = unsupported,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::cumminmax
