// csr_max, features [nodes, F] -> [nodes, F]: one warp a destination node (S4 of the sources).
//
// A lane takes every 32nd feature, up to four of them at once. The warp loads 32 neighbour ids in
// one go and hands them round by shuffles; four neighbours' rows are in flight. No barrier and no
// shared memory. Wins at 32 to 128 features where rows cannot be read as vectors; with fewer
// features lanes are idle, and a hub is one warp's loop. Any degree, any alignment.
#include "csr_max/launch_csr.cuh"
#include "csr_max/scalars.cuh"

namespace redux::csr_max {
namespace {

constexpr unsigned kThreads = 128;
constexpr int kInFlight = 4;

/// Up to `Features` features a lane from `first` on, those below graph.width.
template <class T, int Features>
struct Stripe {
  using Graph = Csr<typename T::Storage, typename T::Index>;
  Scalar<T> best[Features];

  __device__ void merge_edges(const Graph& graph, std::int64_t begin, std::int64_t end,
                              std::int64_t first) {
    for (std::int64_t chunk = begin; chunk < end; chunk += kWarp) {
      const int count = static_cast<int>(min(end - chunk, static_cast<std::int64_t>(kWarp)));
      const typename T::Index mine = graph.col_idx[chunk + min(lane_id(), count - 1)];
      for (int i = 0; i < count; i += kInFlight) merge_some(graph, mine, i, count, first);
    }
  }

 private:
  /// A neighbour past the last is the last once more, which changes nothing.
  __device__ void merge_some(const Graph& graph, typename T::Index mine, int i, int count,
                             std::int64_t first) {
    typename T::Storage values[kInFlight][Features];
#pragma unroll
    for (int j = 0; j < kInFlight; ++j) {
      const typename T::Index id = shuffle(mine, min(i + j, count - 1));
#pragma unroll
      for (int k = 0; k < Features; ++k) {
        const std::int64_t f = first + (k * kWarp);
        values[j][k] = f < graph.width ? feature_of(graph, id, f) : typename T::Storage{};
      }
    }
#pragma unroll
    for (int j = 0; j < kInFlight; ++j) {
#pragma unroll
      for (int k = 0; k < Features; ++k) best[k].merge(values[j][k]);
    }
  }
};

template <class T, int Features>
__global__ void __launch_bounds__(kThreads)
    warp_per_node(Csr<typename T::Storage, typename T::Index> graph) {
  const std::int64_t node =
      ((static_cast<std::int64_t>(blockIdx.x) * kThreads) + threadIdx.x) / kWarp;
  if (node >= graph.nodes) return;  // the whole warp
  const std::int64_t begin = graph.row_ptr[node];
  const std::int64_t end = graph.row_ptr[node + 1];
  for (std::int64_t base = 0; base < graph.width; base += Features * kWarp) {
    const std::int64_t first = base + lane_id();
    Stripe<T, Features> stripe;
    stripe.merge_edges(graph, begin, end, first);
#pragma unroll
    for (int k = 0; k < Features; ++k) {
      const std::int64_t f = first + (k * kWarp);
      if (f >= graph.width) continue;
      graph.out[(node * graph.width) + f] =
          stripe.best[k].answer(end - begin, graph.zero_empty != 0);
    }
  }
}

auto kernel_for(const Case& c) {
  return [width = width_of(c)]<class T>(T) {
    if (width <= kWarp) return warp_per_node<T, 1>;
    return width <= 2 * kWarp ? warp_per_node<T, 2> : warp_per_node<T, 4>;
  };
}

std::int64_t blocks_of(const Case& c) {
  return ceil_div(nodes_of(c), kThreads / kWarp);
}

std::string unsupported(const Case& c, const DeviceFacts& /*device*/) {
  return past_the_grid(blocks_of(c));
}

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  return {.grid = {static_cast<std::uint32_t>(blocks_of(c))},
          .block = {kThreads},
          .kernels = is_empty(c) ? 0 : 1,
          .function = function_of(c, kernel_for(c))};
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  launch_csr(problem, exec, geometry_of(c, *exec.device), kernel_for(c));
}

const RegisterVariant warp_per_node_variant{
    {"csr_max"},
    Variant{.name = "warp_per_node",
            .side = Side::cuda,
            .about = "a warp a node, ids handed round by shuffles; wins for rows that cannot be "
                     "read as vectors",
            .source = __FILE__,
            .unsupported = unsupported,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::csr_max
