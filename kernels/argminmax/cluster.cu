// argmax / argmin, [rows, cols] -> int64 [rows]: a thread-block cluster a row, no global scratch.
//
// Each block of the cluster reduces a run of the row (16-byte loads) and hands its candidate to
// block 0 through distributed shared memory; cluster barriers order the two. A cluster has up to 16
// blocks (more than 8 is asked for as non-portable), so a row gets at most 16 multiprocessors: it
// wins for few rows of some ten thousand columns, and loses to single_pass once a row wants the
// whole device. Needs sm_90. Any alignment.
#include "argminmax/launch_rows.cuh"
#include "argminmax/scan.cuh"
#include "common/cluster.cuh"

namespace redux::argminmax {
namespace {

constexpr int kMostBlocks = 16;

/// The blocks' candidates as two words each, so that 32- and 64-bit keys take one path.
struct Inbox {
  std::uint64_t keys[kMostBlocks];
  std::uint64_t indices[kMostBlocks];
};

template <class O, int Threads, int InFlight, bool Aligned, bool OneRound>
__global__ void __launch_bounds__(Threads)
    cluster_per_row(Rows<typename O::Storage> problem, int chunk) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  auto& inbox = shared_object<Inbox>();
  const auto rank = static_cast<int>(cluster_rank());
  const int blocks = static_cast<int>(cluster_blocks());
  const auto thread = static_cast<int>(threadIdx.x);
  const std::int64_t row = blockIdx.x / static_cast<unsigned>(blocks);
  cluster_arrive();  // block 0 has started before anyone writes to it; waited for after the scan
  auto mine = scan_row<O, InFlight, Aligned, OneRound>(problem, row,
                                                       Share{rank, blocks, chunk, thread, Threads});
  mine = merge_block<Threads>(mine);
  cluster_wait();
  if (thread == 0) {
    store_to_rank(&inbox.keys[rank], 0, mine.key);
    store_to_rank(&inbox.indices[rank], 0, mine.index);
  }
  cluster_arrive();
  if (rank != 0) return;  // nobody touches this block's memory from here on
  cluster_wait();
  if (thread >= kWarp) return;
  const int from = min(lane_id(), blocks - 1);  // lanes beyond the last block repeat it
  mine = merge_lanes<kWarp>(Candidate<O>{static_cast<typename O::Key>(inbox.keys[from]),
                                         static_cast<std::uint32_t>(inbox.indices[from])});
  if (lane_id() == 0) problem.indices[row] = mine.answer();
#endif
}

struct Plan {
  int threads = 256;
  int blocks = 1;
  int chunk = 1;  ///< vectors a block
};

Plan plan_for(const Case& c) {
  const std::int64_t vectors = vectors_of(c);
  Plan plan;
  while (plan.blocks < 8 && plan.blocks * plan.threads * 4 < vectors) plan.blocks *= 2;
  if (plan.blocks * plan.threads * 4 < vectors) {
    plan.threads = 512;
    if (plan.blocks * plan.threads * 4 < vectors) plan.blocks = kMostBlocks;
  }
  plan.chunk = static_cast<int>(ceil_div(ceil_div(vectors, plan.blocks), 8) * 8);
  return plan;
}

auto kernel_for(const Plan& plan, bool aligned) {
  return [=]<class O>(Tag<O>) {
    if (plan.threads == 256) {
      return aligned ? cluster_per_row<O, 256, 4, true, true>
                     : cluster_per_row<O, 256, 4, false, false>;
    }
    if (!aligned) return cluster_per_row<O, 512, 4, false, false>;
    return plan.chunk <= 2048 ? cluster_per_row<O, 512, 4, true, true>
                              : cluster_per_row<O, 512, 4, true, false>;
  };
}

std::string unsupported(const Case& c, const DeviceFacts& device) {
  if (device.compute_capability() < 90) {
    return "clusters need compute capability 9.0; this device has " +
           std::to_string(device.compute_major) + "." + std::to_string(device.compute_minor);
  }
  return needs_32_bit_positions(c, device);
}

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  const Plan plan = plan_for(c);
  return {.grid = {static_cast<std::uint32_t>(rows_of(c) * plan.blocks)},
          .block = {static_cast<std::uint32_t>(plan.threads)},
          .cluster = static_cast<std::uint32_t>(plan.blocks),
          .kernels = rows_of(c) == 0 ? 0 : 1,
          .function = function_of(c, kernel_for(plan, rows_keep_alignment(c)))};
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  const Plan plan = plan_for(c);
  launch_rows(problem, exec, geometry_of(c, *exec.device),
              kernel_for(plan, rows_are_aligned(problem)), plan.chunk);
}

const RegisterVariant cluster{
    {"argmax", "argmin"},
    Variant{.name = "cluster",
            .side = Side::cuda,
            .about = "up to 16 blocks a row merge through distributed shared memory (sm_90); wins "
                     "for few rows of some ten thousand columns",
            .source = __FILE__,
            .unsupported = unsupported,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::argminmax
