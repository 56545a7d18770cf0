#include "backend/cuda/graph.hpp"

namespace redux::cuda {

Graph capture(cudaStream_t stream, const std::function<void()>& calls) {
  // Thread-local: other threads of the process may allocate meanwhile.
  REDUX_CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  cudaGraph_t captured = nullptr;
  try {
    calls();
  } catch (...) {
    static_cast<void>(cudaStreamEndCapture(stream, &captured));
    static_cast<void>(cudaGetLastError());
    const Graph discarded(captured);
    throw;
  }
  REDUX_CUDA_CHECK(cudaStreamEndCapture(stream, &captured));
  return Graph(captured);
}

GraphExec instantiate(const Graph& graph, cudaStream_t stream) {
  cudaGraphExec_t instance = nullptr;
  REDUX_CUDA_CHECK(cudaGraphInstantiate(&instance, graph.get(), 0));
  GraphExec owned(instance);
  REDUX_CUDA_CHECK(cudaGraphUpload(instance, stream));
  REDUX_CUDA_CHECK(cudaStreamSynchronize(stream));
  return owned;
}

std::uint64_t KernelNode::threads() const {
  return std::uint64_t{grid.x} * grid.y * grid.z * block.x * block.y * block.z;
}

Nodes nodes_of(const Graph& graph) {
  std::size_t count = 0;
  REDUX_CUDA_CHECK(cudaGraphGetNodes(graph.get(), nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  if (count > 0) REDUX_CUDA_CHECK(cudaGraphGetNodes(graph.get(), nodes.data(), &count));
  Nodes found;
  for (cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type{};
    REDUX_CUDA_CHECK(cudaGraphNodeGetType(node, &type));
    if (type == cudaGraphNodeTypeKernel) {
      cudaKernelNodeParams kernel{};
      REDUX_CUDA_CHECK(cudaGraphKernelNodeGetParams(node, &kernel));
      found.kernels.push_back({.function = kernel.func,
                               .grid = {kernel.gridDim.x, kernel.gridDim.y, kernel.gridDim.z},
                               .block = {kernel.blockDim.x, kernel.blockDim.y, kernel.blockDim.z},
                               .shared_bytes = kernel.sharedMemBytes});
    } else if (type == cudaGraphNodeTypeMemset) {
      ++found.memsets;
    } else if (type != cudaGraphNodeTypeEmpty) {
      ++found.others;
    }
  }
  return found;
}

double Stopwatch::time_us(cudaStream_t stream, const std::function<void()>& ahead,
                          const std::function<void()>& timed) {
  if (ahead) ahead();
  REDUX_CUDA_CHECK(cudaEventRecord(start_.get(), stream));
  timed();
  REDUX_CUDA_CHECK(cudaEventRecord(stop_.get(), stream));
  REDUX_CUDA_CHECK(cudaEventSynchronize(stop_.get()));
  REDUX_CUDA_CHECK(cudaGetLastError());
  float milliseconds = 0;
  REDUX_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start_.get(), stop_.get()));
  return static_cast<double>(milliseconds) * 1e3;
}

}  // namespace redux::cuda
