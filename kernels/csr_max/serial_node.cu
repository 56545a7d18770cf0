// csr_max, features [nodes, F] -> [nodes, F]: one thread a destination node.
//
// The image of the reference loop (S4 of the sources): the thread goes over its node's edges once
// for each feature, one neighbour after the other. Lanes of a warp read rows of unrelated nodes, so
// nothing coalesces, and a hub keeps one thread busy while the device is idle. It is the "before"
// that others are compared with, and wins nowhere but at a handful of features on graphs of a few
// edges a node. Any degree, any alignment, 64-bit positions.
#include "csr_max/launch_csr.cuh"
#include "csr_max/scalars.cuh"

namespace redux::csr_max {
namespace {

constexpr unsigned kThreads = 128;

template <class T>
__global__ void __launch_bounds__(kThreads)
    serial_node(Csr<typename T::Storage, typename T::Index> graph) {
  const std::int64_t node = (static_cast<std::int64_t>(blockIdx.x) * kThreads) + threadIdx.x;
  if (node >= graph.nodes) return;
  const std::int64_t begin = graph.row_ptr[node];
  const std::int64_t end = graph.row_ptr[node + 1];
  for (std::int64_t f = 0; f < graph.width; ++f) {
    Scalar<T> best;
    for (std::int64_t e = begin; e < end; ++e) best.merge(feature_of(graph, graph.col_idx[e], f));
    graph.out[(node * graph.width) + f] = best.answer(end - begin, graph.zero_empty != 0);
  }
}

constexpr auto kKernel = []<class T>(T) { return serial_node<T>; };

std::string unsupported(const Case& c, const DeviceFacts& /*device*/) {
  return past_the_grid(ceil_div(nodes_of(c), kThreads));
}

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  return {.grid = {static_cast<std::uint32_t>(ceil_div(nodes_of(c), kThreads))},
          .block = {kThreads},
          .kernels = is_empty(c) ? 0 : 1,
          .function = function_of(c, kKernel)};
}

void run(const Problem& problem, const Exec& exec) {
  launch_csr(problem, exec, geometry_of(*problem.the_case, *exec.device), kKernel);
}

const RegisterVariant serial_node_variant{
    {"csr_max"},
    Variant{.name = "serial_node",
            .side = Side::cuda,
            .about = "one thread walks over a node's edges, feature by feature: the \"before\"",
            .source = __FILE__,
            .unsupported = unsupported,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::csr_max
