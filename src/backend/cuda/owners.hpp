// Non-copyable owners of what the CUDA runtime hands out. Constructors throw CudaError; destructors
// ignore errors, because by then a device may be lost.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <utility>

#include "common/check.hpp"
#include "core/status.hpp"

namespace redux::cuda {

class DeviceMemory {
 public:
  /// Throws OutOfMemory where it does not fit.
  explicit DeviceMemory(std::size_t bytes) : bytes_(bytes) {
    const cudaError_t code = cudaMalloc(&data_, bytes);
    if (code == cudaErrorMemoryAllocation) {
      static_cast<void>(cudaGetLastError());
      throw OutOfMemory("the device refused to allocate " + std::to_string(bytes) + " bytes");
    }
    REDUX_CUDA_CHECK(code);
  }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  ~DeviceMemory() { static_cast<void>(cudaFree(data_)); }
  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(data_); }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// Moves a handle and destroys it with `Destroy`.
template <class Handle, cudaError_t (*Destroy)(Handle)>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Handle handle) : handle_(handle) {}
  Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() {
    if (handle_ != nullptr) static_cast<void>(Destroy(handle_));
  }
  [[nodiscard]] Handle get() const { return handle_; }
  explicit operator bool() const { return handle_ != nullptr; }

 private:
  Handle handle_ = nullptr;
};

using Stream = Owned<cudaStream_t, cudaStreamDestroy>;
using Event = Owned<cudaEvent_t, cudaEventDestroy>;
using Graph = Owned<cudaGraph_t, cudaGraphDestroy>;
using GraphExec = Owned<cudaGraphExec_t, cudaGraphExecDestroy>;

/// A stream that does not wait for the default stream.
inline Stream make_stream() {
  cudaStream_t stream = nullptr;
  REDUX_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return Stream(stream);
}

inline Event make_event() {
  cudaEvent_t event = nullptr;
  REDUX_CUDA_CHECK(cudaEventCreate(&event));
  return Event(event);
}

}  // namespace redux::cuda
