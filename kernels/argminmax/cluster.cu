// argmax / argmin, [rows, cols] -> int64 [rows]: a thread-block cluster a row, no global scratch.
//
// The blocks of a cluster read the row together (16-byte loads, strided over the cluster) and hand
// their candidates to block 0 through distributed shared memory, with one cluster barrier between.
// A cluster has up to 16 blocks (more than 8 is asked for as non-portable), so a row gets at most
// 16 multiprocessors: it wins for rows of some ten thousand columns when there are few of them, and
// loses to single_pass once the row is long enough to want the whole device. Needs sm_90. Any
// alignment.
#include "argminmax/launch_rows.cuh"
#include "argminmax/scan.cuh"
#include "common/cluster.cuh"

namespace redux::argminmax {
namespace {

constexpr int kThreads = 512;
constexpr int kInFlight = 4;
constexpr int kMostBlocks = 16;

/// One block's candidate as two words, so that 32- and 64-bit keys take one path.
struct Inbox {
  std::uint64_t keys[kMostBlocks];
  std::uint64_t indices[kMostBlocks];
};

template <class O>
__global__ void __launch_bounds__(kThreads)
    cluster_per_row(Rows<typename O::Storage> problem, int blocks_per_row) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  auto& inbox = shared_object<Inbox>();
  const std::int64_t row = blockIdx.x / static_cast<unsigned>(blocks_per_row);
  const std::uint32_t rank = cluster_rank();
  const int threads = static_cast<int>(blockDim.x);
  cluster_arrive();  // block 0 has started before anyone writes to it; waited for after the scan
  auto mine = scan_row<O, kInFlight>(
      problem.input + (row * problem.cols), static_cast<int>(problem.cols),
      (static_cast<int>(rank) * threads) + static_cast<int>(threadIdx.x), blocks_per_row * threads);
  mine = merge_block(mine);
  cluster_wait();
  if (threadIdx.x == 0) {
    store_to_rank(&inbox.keys[rank], 0, mine.key);
    store_to_rank(&inbox.indices[rank], 0, mine.index);
  }
  cluster_arrive();
  cluster_wait();
  if (rank != 0 || static_cast<int>(threadIdx.x) >= kWarp) return;
  mine = Candidate<O>::none();
  if (lane_id() < blocks_per_row) {
    mine = {static_cast<typename O::Key>(inbox.keys[lane_id()]),
            static_cast<std::uint32_t>(inbox.indices[lane_id()])};
  }
  mine = merge_lanes<kWarp>(mine);
  if (lane_id() == 0) problem.indices[row] = mine.answer();
#endif
}

constexpr auto kKernel = []<class O>(Tag<O>) { return cluster_per_row<O>; };

std::string unsupported(const Case& c, const DeviceFacts& device) {
  if (device.compute_capability() < 90) {
    return "clusters need compute capability 9.0; this device has " +
           std::to_string(device.compute_major) + "." + std::to_string(device.compute_minor);
  }
  return needs_32_bit_positions(c, device);
}

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  const std::int64_t rows = rows_of(c);
  const std::int64_t vectors =
      ceil_div(cols_of(c) * static_cast<std::int64_t>(size_of(c.dtype)), 16);
  std::uint32_t blocks = 1;
  while (blocks < kMostBlocks && blocks * kThreads < vectors) blocks *= 2;
  return {.grid = {static_cast<std::uint32_t>(rows) * blocks},
          .block = {kThreads},
          .cluster = blocks,
          .kernels = rows == 0 ? 0 : 1,
          .function = function_of(c, kKernel)};
}

void run(const Problem& problem, const Exec& exec) {
  const Geometry geometry = geometry_of(*problem.the_case, *exec.device);
  launch_rows(problem, exec, geometry, kKernel, static_cast<int>(geometry.cluster));
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
