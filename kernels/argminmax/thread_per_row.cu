// argmax / argmin, [rows, cols] -> int64 [rows]: one thread walks a whole row.
//
// This is what ONNX Runtime's CUDA provider did before pull request 31694, and what it still does
// for narrow rows (32092). It wins where there are many rows of a few elements, since no thread
// waits for another. It loses everywhere else: at one row the rest of the device is idle and the
// time grows with cols, about 25 ns an element on an H200; with many wide rows the lanes of a warp
// read addresses a row apart, so loads do not coalesce. Any alignment; positions are 64-bit.
#include "argminmax/launch_rows.cuh"

namespace redux::argminmax {
namespace {

constexpr unsigned kThreads = 256;

template <class O>
__global__ void __launch_bounds__(kThreads) thread_per_row(Rows<typename O::Storage> problem) {
  const std::int64_t row = (static_cast<std::int64_t>(blockIdx.x) * kThreads) + threadIdx.x;
  if (row >= problem.rows) return;
  const typename O::Storage* elements = problem.input + (row * problem.cols);
  auto best = widen(elements[0]);
  std::int64_t index = 0;
  for (std::int64_t i = 1; i < problem.cols; ++i) {
    const auto value = widen(elements[i]);
    if (O::better(value, best)) {
      best = value;
      index = i;
    }
  }
  problem.indices[row] = index;
}

constexpr auto kKernel = []<class O>(Tag<O>) { return thread_per_row<O>; };

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  const std::int64_t blocks = ceil_div(rows_of(c), kThreads);
  return {.grid = {static_cast<std::uint32_t>(blocks)},
          .block = {kThreads},
          .kernels = blocks == 0 ? 0 : 1,
          .function = function_of(c, kKernel)};
}

void run(const Problem& problem, const Exec& exec) {
  launch_rows(problem, exec, geometry_of(*problem.the_case, *exec.device), kKernel);
}

const RegisterVariant thread_per_row_variant{
    {"argmax", "argmin"},
    Variant{.name = "thread_per_row",
            .side = Side::cuda,
            .about = "one thread walks a row; wins for many rows of a few elements",
            .source = __FILE__,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::argminmax
