// cummax / cummin across rows: one thread a column, which walks along the axis.
//
// What Paddle does with an axis that is not the innermost one (S3 of the sources), min(512, inner)
// threads a block. Neighbouring threads read neighbouring columns, so loads coalesce once there are
// 32 columns; it wins with very many columns. With few the device is idle and the time grows with
// the axis: one column of 65536 int64 took 4.3 ms there. Any alignment, 64-bit positions.
#include <algorithm>

#include "cumminmax/launch_lines.cuh"

namespace redux::cumminmax {
namespace {

constexpr std::int64_t kMostThreads = 512;

template <class O>
__global__ void __launch_bounds__(kMostThreads)
    thread_per_column(Lines<typename O::Storage> lines) {
  const std::int64_t columns = lines.outer * lines.inner;
  const std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t column = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x) + threadIdx.x;
       column < columns; column += step) {
    std::int64_t at = (column / lines.inner * lines.length * lines.inner) + (column % lines.inner);
    auto best = Pair<O, std::int64_t>::none();
    for (std::int64_t i = 0; i < lines.length; ++i, at += lines.inner) {
      best.follow({lines.input[at], i});
      lines.values[at] = best.value;
      lines.indices[at] = best.index;
    }
  }
}

constexpr auto kKernel = []<class O>(Tag<O>) { return thread_per_column<O>; };

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  const AxisView view = axis_of(c);
  const std::int64_t threads = std::clamp<std::int64_t>(view.inner, 1, kMostThreads);
  const std::int64_t blocks = ceil_div(view.outer * view.inner, threads);
  return {.grid = {static_cast<std::uint32_t>(std::min<std::int64_t>(blocks, 2147483647))},
          .block = {static_cast<std::uint32_t>(threads)},
          .kernels = is_empty(c) ? 0 : 1,
          .function = function_of(c, kKernel)};
}

void run(const Problem& problem, const Exec& exec) {
  launch_lines(problem, exec, geometry_of(*problem.the_case, *exec.device), kKernel);
}

const RegisterVariant thread_per_column_variant{
    {"cummax", "cummin"},
    Variant{.name = "thread_per_column",
            .side = Side::cuda,
            .about = "one thread walks along a column; wins with very many columns",
            .source = __FILE__,
            .unsupported = unsupported_scan,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::cumminmax
