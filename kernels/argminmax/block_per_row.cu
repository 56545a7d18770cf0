// argmax / argmin, [rows, cols] -> int64 [rows]: one 256-thread block a row.
//
// The design of ONNX Runtime pull request 31694: threads stride over the row so that loads
// coalesce, then a shared-memory tree merges their candidates. Each thread starts from element 0,
// which cannot displace a strictly better one, so a row shorter than the block needs no guard. It
// wins at middle widths (a few hundred to some thousand columns) with at least as many rows as
// multiprocessors; one long row uses one multiprocessor only, and under 256 columns threads are
// left without an element. Any alignment; positions are 64-bit.
#include "argminmax/launch_rows.cuh"
#include "common/warp.cuh"

namespace redux::argminmax {
namespace {

constexpr int kThreads = 256;

template <class O>
struct Tree {
  typename O::Value values[kThreads];
  std::int64_t indices[kThreads];
};

template <class O>
__global__ void __launch_bounds__(kThreads) block_per_row(Rows<typename O::Storage> problem) {
  auto& tree = shared_object<Tree<O>>();
  const int thread = static_cast<int>(threadIdx.x);
  const typename O::Storage* elements =
      problem.input + (static_cast<std::int64_t>(blockIdx.x) * problem.cols);
  auto best = widen(elements[0]);
  std::int64_t index = 0;
  for (std::int64_t i = thread; i < problem.cols; i += kThreads) {
    const auto value = widen(elements[i]);
    if (O::better(value, best)) {
      best = value;
      index = i;
    }
  }
  tree.values[thread] = best;
  tree.indices[thread] = index;
  sync_block();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (thread < half) {
      const auto other = tree.values[thread + half];
      const std::int64_t other_index = tree.indices[thread + half];
      const bool tied = !O::better(best, other) && other_index < index;
      if (O::better(other, best) || tied) {
        best = other;
        index = other_index;
        tree.values[thread] = best;
        tree.indices[thread] = index;
      }
    }
    sync_block();
  }
  if (thread == 0) problem.indices[blockIdx.x] = index;
}

constexpr auto kKernel = []<class O>(Tag<O>) { return block_per_row<O>; };

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  return {.grid = {static_cast<std::uint32_t>(rows_of(c))},
          .block = {kThreads},
          .kernels = rows_of(c) == 0 ? 0 : 1,
          .function = function_of(c, kKernel)};
}

void run(const Problem& problem, const Exec& exec) {
  launch_rows(problem, exec, geometry_of(*problem.the_case, *exec.device), kKernel);
}

const RegisterVariant block_per_row_variant{
    {"argmax", "argmin"},
    Variant{.name = "block_per_row",
            .side = Side::cuda,
            .about = "256 threads a row and a shared-memory tree; wins at middle widths",
            .source = __FILE__,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::argminmax
