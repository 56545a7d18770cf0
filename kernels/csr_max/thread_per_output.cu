// csr_max, features [nodes, F] -> [nodes, F]: one thread an output element, in a grid that strides
// over all of them (S4 of the sources).
//
// Neighbouring threads have neighbouring features, so the rows that they read coalesce from some
// eight features up; each thread loads the ids of its node's neighbours itself, which the first
// cache answers. Wins for few features, where designs with a warp a node leave lanes without any.
// A hub is one loop of F threads. Any degree, any alignment, 64-bit positions.
#include "csr_max/launch_csr.cuh"
#include "csr_max/scalars.cuh"

namespace redux::csr_max {
namespace {

constexpr unsigned kThreads = 256;
constexpr std::int64_t kWaves = 4;

template <class T>
__global__ void __launch_bounds__(kThreads)
    thread_per_output(Csr<typename T::Storage, typename T::Index> graph) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * kThreads;
  std::int64_t at = (static_cast<std::int64_t>(blockIdx.x) * kThreads) + threadIdx.x;
  for (; at < graph.nodes * graph.width; at += stride) {
    const std::int64_t node = at / graph.width;
    const std::int64_t begin = graph.row_ptr[node];
    const std::int64_t end = graph.row_ptr[node + 1];
    const Scalar<T> best = maximum_over<T>(graph, begin, end, at - (node * graph.width));
    graph.out[at] = best.answer(end - begin, graph.zero_empty != 0);
  }
}

constexpr auto kKernel = []<class T>(T) { return thread_per_output<T>; };

Geometry geometry_of(const Case& c, const DeviceFacts& device) {
  const std::int64_t blocks = ceil_div(nodes_of(c) * width_of(c), kThreads);
  const std::int64_t most =
      std::max<std::int64_t>(kWaves * device.resident_threads() / kThreads, 1);
  return {.grid = {static_cast<std::uint32_t>(std::min(blocks, most))},
          .block = {kThreads},
          .kernels = is_empty(c) ? 0 : 1,
          .function = function_of(c, kKernel)};
}

void run(const Problem& problem, const Exec& exec) {
  launch_csr(problem, exec, geometry_of(*problem.the_case, *exec.device), kKernel);
}

const RegisterVariant thread_per_output_variant{
    {"csr_max"},
    Variant{.name = "thread_per_output",
            .side = Side::cuda,
            .about = "one thread a (node, feature), grid-stride; wins for a few features",
            .source = __FILE__,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::csr_max
