// csr_max, features [nodes, F] -> [nodes, F]: parallel over edges, an atomic maximum for each
// (edge, feature) on a key in scratch (S4 of the sources, which judge it slower).
//
// Keys are unsigned and ordered as the elements are; 0 says that there is none yet, a NaN is the
// largest key where it wins and none where it does not. A memset clears the keys, one kernel raises
// them, each thread finding its edge's node by a binary search in row_ptr, and one turns keys into
// elements. Degrees do not matter to it, so that a hub costs no more than its edges, but every edge
// costs an atomic operation, all of a hub's on the same words. 64-bit positions, any alignment.
#include "common/memory.cuh"
#include "csr_max/launch_csr.cuh"
#include "csr_max/scalars.cuh"

namespace redux::csr_max {
namespace {

constexpr unsigned kThreads = 256;
constexpr std::int64_t kWaves = 8;

template <class T>
struct KeyOf {
  using S = typename T::Storage;
  using Value = typename Widened<S>::type;
  using Key = RegisterOf<Value>;
  static constexpr Key kSign = Key{1} << (8 * sizeof(Key) - 1);

  __device__ static Key key(S value) {
    const Value wide = widen(value);
    const auto bits = __builtin_bit_cast(Key, wide);
    if constexpr (std::is_floating_point_v<Value>) {
      if (wide != wide) return T::kPropagate ? static_cast<Key>(~Key{0}) : Key{0};
      return (bits & kSign) != 0 ? static_cast<Key>(~bits) : static_cast<Key>(bits | kSign);
    }
    return bits ^ kSign;
  }
  __device__ static S element(Key key) {
    if (key == 0) return element_of<S>(least_register<S>());
    Key bits = key ^ kSign;
    if (std::is_floating_point_v<Value> && (key & kSign) == 0) bits = static_cast<Key>(~key);
    const auto wide = __builtin_bit_cast(Value, bits);
    if constexpr (std::is_same_v<S, Float16>) {
      return to_float16(wide);
    } else if constexpr (std::is_same_v<S, BFloat16>) {
      return to_bfloat16(wide);
    } else {
      return wide;
    }
  }
};

/// The node that has edge `e`: the last one that starts at or before it.
template <class Index>
__device__ std::int64_t node_of(const Index* row_ptr, std::int64_t nodes, std::int64_t e) {
  std::int64_t low = 0;
  std::int64_t high = nodes;
  while (high - low > 1) {
    const std::int64_t middle = low + ((high - low) / 2);
    const bool starts_later = row_ptr[middle] > e;
    low = starts_later ? low : middle;
    high = starts_later ? middle : high;
  }
  return low;
}

__device__ std::int64_t first_item() {
  return (static_cast<std::int64_t>(blockIdx.x) * kThreads) + threadIdx.x;
}
__device__ std::int64_t all_threads() {
  return static_cast<std::int64_t>(gridDim.x) * kThreads;
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    raise_keys(Csr<typename T::Storage, typename T::Index> graph, typename KeyOf<T>::Key* keys) {
  for (std::int64_t at = first_item(); at < graph.edges * graph.width; at += all_threads()) {
    const std::int64_t e = at / graph.width;
    const std::int64_t f = at - (e * graph.width);
    const auto key = KeyOf<T>::key(feature_of(graph, graph.col_idx[e], f));
    if (key == 0) continue;
    atomic_raise(keys + (node_of(graph.row_ptr, graph.nodes, e) * graph.width) + f, key);
  }
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    write_elements(Csr<typename T::Storage, typename T::Index> graph,
                   const typename KeyOf<T>::Key* keys) {
  for (std::int64_t at = first_item(); at < graph.nodes * graph.width; at += all_threads()) {
    const std::int64_t node = at / graph.width;
    const bool empty = graph.row_ptr[node] == graph.row_ptr[node + 1];
    using S = typename T::Storage;
    graph.out[at] = empty && graph.zero_empty != 0 ? S{} : KeyOf<T>::element(keys[at]);
  }
}

constexpr auto kRaise = []<class T>(T) { return raise_keys<T>; };

std::size_t scratch_bytes(const Case& c, const DeviceFacts& /*device*/) {
  return static_cast<std::size_t>(nodes_of(c) * width_of(c)) * (size_of(c.dtype) == 8 ? 8 : 4);
}

Geometry geometry_over(std::int64_t items, const DeviceFacts& device) {
  const std::int64_t most =
      std::max<std::int64_t>(kWaves * device.resident_threads() / kThreads, 1);
  return {.grid = {static_cast<std::uint32_t>(std::min(ceil_div(items, kThreads), most))},
          .block = {kThreads}};
}

/// Of the kernel over edges; without edges, of the one that writes.
Geometry geometry_of(const Case& c, const DeviceFacts& device) {
  const bool edges = edges_of(c) > 0;
  Geometry geometry = geometry_over((edges ? edges_of(c) : nodes_of(c)) * width_of(c), device);
  geometry.kernels = is_empty(c) ? 0 : (edges ? 2 : 1);
  geometry.memsets = is_empty(c) ? 0 : 1;
  geometry.function = function_of(c, kRaise);
  return geometry;
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  if (is_empty(c)) return;
  memset_async(problem.workspace, 0, scratch_bytes(c, *exec.device), exec.stream);
  with_types(c, [&]<class T>(T) {
    auto* keys = static_cast<typename KeyOf<T>::Key*>(problem.workspace);
    const auto graph = csr_of<typename T::Storage, typename T::Index>(problem);
    if (graph.edges > 0) {
      launch(raise_keys<T>, geometry_of(c, *exec.device), exec.stream, graph, keys);
    }
    launch(write_elements<T>, geometry_over(graph.nodes * graph.width, *exec.device), exec.stream,
           graph, keys);
  });
}

const RegisterVariant edge_atomic{
    {"csr_max"},
    Variant{.name = "edge_atomic",
            .side = Side::cuda,
            .about = "a thread an (edge, feature), atomic maxima on ordered keys: indifferent to "
                     "degrees, slow",
            .source = __FILE__,
            .workspace_alignment = 8,
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::csr_max
