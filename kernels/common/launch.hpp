// The one way in which kernels are started.
#pragma once

#ifdef REDUX_SIMT  // compiled by a host compiler for the SIMT executor (src/backend/simt)

#include "core/variant.hpp"

namespace redux {  // simt: from the prelude that comes before every file
using simt::launch;
using simt::memset_async;
}  // namespace redux

#else

#include <cuda_runtime.h>

#include <mutex>
#include <set>
#include <utility>

#include "common/check.hpp"
#include "core/variant.hpp"

namespace redux {

inline dim3 to_dim3(const Extent3& extent) {
  return {extent.x, extent.y, extent.z};
}

/// Raises a kernel's limits once: more than 48 KiB of shared memory, static and dynamic together,
/// and clusters of more than 8 blocks both have to be asked for.
inline void allow_large_launch(const void* function, const Geometry& geometry) {
  if (geometry.shared_bytes == 0 && geometry.cluster <= 8) return;
  static std::mutex mutex;
  static std::set<std::pair<const void*, std::size_t>> done;
  const std::scoped_lock lock(mutex);
  if (!done.emplace(function, geometry.shared_bytes).second) return;
  REDUX_CUDA_CHECK(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(geometry.shared_bytes)));
  REDUX_CUDA_CHECK(
      cudaFuncSetAttribute(function, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
}

/// Starts `kernel` with `geometry` on a cudaStream_t. Throws CudaError if the launch is refused.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), const Geometry& geometry, void* stream,
            Arguments&&... arguments) {
  allow_large_launch(reinterpret_cast<const void*>(kernel), geometry);
  cudaLaunchConfig_t config{};
  config.gridDim = to_dim3(geometry.grid);
  config.blockDim = to_dim3(geometry.block);
  config.dynamicSmemBytes = geometry.shared_bytes;
  config.stream = static_cast<cudaStream_t>(stream);
  cudaLaunchAttribute attribute{};
  if (geometry.cluster > 1) {
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {geometry.cluster, 1, 1};
    config.attrs = &attribute;
    config.numAttrs = 1;
  }
  REDUX_CUDA_CHECK(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}

/// A memset node or call on the stream.
inline void memset_async(void* memory, int byte, std::size_t bytes, void* stream) {
  REDUX_CUDA_CHECK(cudaMemsetAsync(memory, byte, bytes, static_cast<cudaStream_t>(stream)));
}

}  // namespace redux

#endif
