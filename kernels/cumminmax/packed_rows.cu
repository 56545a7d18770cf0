// cummax / cummin along short rows: many rows a block, staged through shared memory.
//
// Rows of some elements lie packed: what a block takes is one contiguous piece of memory. It is
// copied in as it lies, each thread scans one row in shared memory, and the results are copied out
// as they lie; so all global accesses coalesce, while a warp a row would leave most lanes without
// an element. Rows are an odd number of elements apart in shared memory, which spreads them over
// the banks. It wins for many rows of up to 16 elements; longer ones want warp_per_row. Any
// alignment.
#include "cumminmax/launch_lines.cuh"
#include "cumminmax/tile.cuh"

namespace redux::cumminmax {
namespace {

constexpr int kThreads = 256;
constexpr int kMostElements = 2048;  ///< of a block
constexpr int kMostLength = 32;

/// Rows of a block, which has a thread for each.
__host__ __device__ inline int rows_of(std::int64_t length) {
  return static_cast<int>(min(std::int64_t{kThreads}, kMostElements / length));
}

template <class O>
__global__ void __launch_bounds__(kThreads) packed_rows(Lines<typename O::Storage> lines) {
  struct Buffers {
    typename O::Storage values[kMostElements + kThreads];
    std::uint8_t positions[kMostElements + kThreads];
  };
  auto& buffers = shared_object<Buffers>();
  const auto length = static_cast<std::uint32_t>(lines.length);
  const std::uint32_t pitch = length | 1U;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * rows_of(lines.length);
  const auto rows = static_cast<std::uint32_t>(
      min(static_cast<std::int64_t>(rows_of(lines.length)), lines.outer - first));
  const std::int64_t begin = first * lines.length;
  const auto slot = [&](std::uint32_t e) { return (e / length * pitch) + (e % length); };
#pragma unroll 4
  for (std::uint32_t e = threadIdx.x; e < rows * length; e += kThreads) {
    buffers.values[slot(e)] = lines.input[begin + e];
  }
  sync_block();
  if (threadIdx.x < rows) {
    auto best = Pair<O, int>::none();
    for (std::uint32_t i = 0; i < length; ++i) {
      const std::uint32_t at = (threadIdx.x * pitch) + i;
      best.follow({buffers.values[at], static_cast<int>(i)});
      buffers.values[at] = best.value;
      buffers.positions[at] = static_cast<std::uint8_t>(best.index);
    }
  }
  sync_block();
#pragma unroll 4
  for (std::uint32_t e = threadIdx.x; e < rows * length; e += kThreads) {
    lines.values[begin + e] = buffers.values[slot(e)];
    lines.indices[begin + e] = buffers.positions[slot(e)];
  }
}

constexpr auto kKernel = []<class O>(Tag<O>) { return packed_rows<O>; };

std::int64_t blocks_of(const Case& c) {
  const AxisView view = axis_of(c);
  return view.length == 0 ? 0 : ceil_div(view.outer, rows_of(view.length));
}

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  return {.grid = {static_cast<std::uint32_t>(blocks_of(c))},
          .block = {kThreads},
          .kernels = is_empty(c) ? 0 : 1,
          .function = function_of(c, kKernel)};
}

std::string unsupported(const Case& c, const DeviceFacts& device) {
  std::string reason = needs_rows(c, device);
  if (!reason.empty()) return reason;
  const std::int64_t length = axis_of(c).length;
  if (length > kMostLength) {
    return "a row has " + std::to_string(length) + " elements, at most " +
           std::to_string(kMostLength) + " are packed";
  }
  return past_the_grid(blocks_of(c));
}

void run(const Problem& problem, const Exec& exec) {
  launch_lines(problem, exec, geometry_of(*problem.the_case, *exec.device), kKernel);
}

const RegisterVariant packed_rows_variant{
    {"cummax", "cummin"},
    Variant{.name = "packed_rows",
            .side = Side::cuda,
            .about = "short rows staged through shared memory, a thread each; wins for many rows "
                     "of up to 16 elements",
            .source = __FILE__,
            .unsupported = unsupported,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::cumminmax
