#include "backend/cuda/launch_facts.hpp"

#include <cuda_runtime.h>

#include "common/check.hpp"

namespace redux::cuda {

LaunchFacts describe_launch(const Geometry& shape, const DeviceFacts& device) {
  LaunchFacts facts;
  facts.geometry = shape;
  if (shape.function == nullptr) return facts;
  cudaFuncAttributes attributes{};
  REDUX_CUDA_CHECK(cudaFuncGetAttributes(&attributes, shape.function));
  facts.registers = attributes.numRegs;
  facts.static_shared_bytes = attributes.sharedSizeBytes;

  const auto threads = static_cast<int>(shape.block.x * shape.block.y * shape.block.z);
  constexpr int kWarp = 32;
  const int warps_per_block = (threads + kWarp - 1) / kWarp;
  double blocks_per_multiprocessor = 0;
  if (shape.cluster > 1) {
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = shape.cluster;
    cluster.val.clusterDim.y = 1;
    cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(shape.grid.x, shape.grid.y, shape.grid.z);
    config.blockDim = dim3(shape.block.x, shape.block.y, shape.block.z);
    config.dynamicSmemBytes = shape.shared_bytes;
    config.attrs = &cluster;
    config.numAttrs = 1;
    int clusters = 0;
    REDUX_CUDA_CHECK(cudaOccupancyMaxActiveClusters(&clusters, shape.function, &config));
    blocks_per_multiprocessor =
        static_cast<double>(clusters) * shape.cluster / device.multiprocessors;
  } else {
    int blocks = 0;
    REDUX_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, shape.function, threads,
                                                                   shape.shared_bytes));
    blocks_per_multiprocessor = blocks;
  }
  const double blocks = static_cast<double>(shape.grid.x) * shape.grid.y * shape.grid.z;
  const double held = blocks_per_multiprocessor * device.multiprocessors;
  if (held > 0) facts.waves = blocks / held;
  facts.occupancy =
      blocks_per_multiprocessor * warps_per_block * kWarp / device.max_threads_per_multiprocessor;
  return facts;
}

}  // namespace redux::cuda
