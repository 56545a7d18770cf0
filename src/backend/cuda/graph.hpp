// Capturing calls into graphs, and what a captured graph contains.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "backend/cuda/owners.hpp"
#include "core/variant.hpp"

namespace redux::cuda {

/// Captures what `calls` enqueues on `stream`. Where `calls` throws, the capture is ended and the
/// exception goes on.
Graph capture(cudaStream_t stream, const std::function<void()>& calls);
/// Instantiated and uploaded: its first launch costs no more than the others.
GraphExec instantiate(const Graph& graph, cudaStream_t stream);

struct KernelNode {
  const void* function = nullptr;
  Extent3 grid;
  Extent3 block;
  std::size_t shared_bytes = 0;  ///< dynamic, a block

  [[nodiscard]] std::uint64_t threads() const;
};

struct Nodes {
  std::vector<KernelNode> kernels;
  int memsets = 0;
  int others = 0;  ///< copies, host functions, child graphs; empty nodes do not count
};
Nodes nodes_of(const Graph& graph);

/// Microseconds between events around `timed`. `ahead` is enqueued just before, untimed: it keeps
/// the device busy while the host enqueues what is timed, so that the gap between them is not
/// measured.
class Stopwatch {
 public:
  Stopwatch() : start_(make_event()), stop_(make_event()) {}
  double time_us(cudaStream_t stream, const std::function<void()>& ahead,
                 const std::function<void()>& timed);

 private:
  Event start_;
  Event stop_;
};

}  // namespace redux::cuda
