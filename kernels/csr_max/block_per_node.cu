// csr_max, features [nodes, F] -> [nodes, F]: one block of 128 threads a destination node, the ids
// of its neighbours staged in shared memory.
//
// The source's final design (S4), without its fault: ids are staged in chunks of 128, so that any
// degree fits, and all threads of the block take part in every barrier, with a feature or without.
// A thread takes one feature in each pass over the edges. Wins for wide rows (some hundred
// features) on graphs of large degrees; with fewer features than threads most of them only stage.
// Any alignment, 64-bit positions.
#include "csr_max/launch_csr.cuh"
#include "csr_max/scalars.cuh"

namespace redux::csr_max {
namespace {

constexpr int kThreads = 128;
constexpr int kInFlight = 4;

template <class T>
__global__ void __launch_bounds__(kThreads)
    block_per_node(Csr<typename T::Storage, typename T::Index> graph) {
  struct Staged {
    typename T::Index ids[kThreads];
  };
  auto& staged = shared_object<Staged>();
  const std::int64_t node = blockIdx.x;
  const auto thread = static_cast<int>(threadIdx.x);
  const std::int64_t begin = graph.row_ptr[node];
  const std::int64_t end = graph.row_ptr[node + 1];
  for (std::int64_t base = 0; base < graph.width; base += kThreads) {
    const std::int64_t f = base + thread;
    Scalar<T> best;
    for (std::int64_t chunk = begin; chunk < end; chunk += kThreads) {
      const int count = static_cast<int>(min(end - chunk, static_cast<std::int64_t>(kThreads)));
      sync_block();  // the ids before these have been read
      if (thread < count) staged.ids[thread] = graph.col_idx[chunk + thread];
      sync_block();
      if (f >= graph.width) continue;
      for (int i = 0; i < count; i += kInFlight) {
        typename T::Storage values[kInFlight];
#pragma unroll
        for (int j = 0; j < kInFlight; ++j) {
          values[j] = feature_of(graph, staged.ids[min(i + j, count - 1)], f);
        }
#pragma unroll
        for (int j = 0; j < kInFlight; ++j) best.merge(values[j]);
      }
    }
    if (f < graph.width) {
      graph.out[(node * graph.width) + f] = best.answer(end - begin, graph.zero_empty != 0);
    }
  }
}

constexpr auto kKernel = []<class T>(T) { return block_per_node<T>; };

std::string unsupported(const Case& c, const DeviceFacts& /*device*/) {
  return past_the_grid(nodes_of(c));
}

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  return {.grid = {static_cast<std::uint32_t>(nodes_of(c))},
          .block = {kThreads},
          .kernels = is_empty(c) ? 0 : 1,
          .function = function_of(c, kKernel)};
}

void run(const Problem& problem, const Exec& exec) {
  launch_csr(problem, exec, geometry_of(*problem.the_case, *exec.device), kKernel);
}

const RegisterVariant block_per_node_variant{
    {"csr_max"},
    Variant{.name = "block_per_node",
            .side = Side::cuda,
            .about =
                "128 threads a node, ids staged in shared memory; wins for wide rows and large "
                "degrees",
            .source = __FILE__,
            .unsupported = unsupported,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::csr_max
