// The kernel and host side behind grid2d_32 and grid2d_16 (S4 of the sources): a block a (node,
// group of features), nodes along x and groups along y, a thread a feature.
#pragma once

#include "csr_max/launch_csr.cuh"
#include "csr_max/scalars.cuh"

namespace redux::csr_max {

template <class T, int Group>
__global__ void __launch_bounds__(Group) grid2d(Csr<typename T::Storage, typename T::Index> graph) {
  const std::int64_t node = blockIdx.x;
  const std::int64_t f = (static_cast<std::int64_t>(blockIdx.y) * Group) + threadIdx.x;
  if (f >= graph.width) return;
  const std::int64_t begin = graph.row_ptr[node];
  const std::int64_t end = graph.row_ptr[node + 1];
  const Scalar<T> best = maximum_over<T>(graph, begin, end, f);
  graph.out[(node * graph.width) + f] = best.answer(end - begin, graph.zero_empty != 0);
}

template <int Group>
std::string grid2d_unsupported(const Case& c, const DeviceFacts& /*device*/) {
  const std::int64_t groups = ceil_div(width_of(c), Group);
  if (groups <= 65535) return past_the_grid(nodes_of(c));
  return std::to_string(groups) + " groups of features, at most 65535 fit a grid along y";
}

template <int Group>
constexpr auto kGrid2d = []<class T>(T) { return grid2d<T, Group>; };

template <int Group>
Geometry grid2d_geometry(const Case& c, const DeviceFacts& /*device*/) {
  return {.grid = {static_cast<std::uint32_t>(nodes_of(c)),
                   static_cast<std::uint32_t>(ceil_div(width_of(c), Group))},
          .block = {Group},
          .kernels = is_empty(c) ? 0 : 1,
          .function = function_of(c, kGrid2d<Group>)};
}

template <int Group>
void grid2d_run(const Problem& problem, const Exec& exec) {
  launch_csr(problem, exec, grid2d_geometry<Group>(*problem.the_case, *exec.device),
             kGrid2d<Group>);
}

}  // namespace redux::csr_max
