// What kernels and the harness may know of a device. Kept free of CUDA so that the facts can be
// simulated in tests and on a machine without a GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace redux {

struct DeviceFacts {
  std::string name;
  std::string uuid;
  int compute_major = 0;
  int compute_minor = 0;
  int multiprocessors = 1;
  int max_threads_per_multiprocessor = 2048;
  std::size_t shared_bytes_per_block = 49152;  ///< the opt-in limit
  std::size_t l2_bytes = 0;
  std::size_t memory_bytes = 0;

  /// Threads that the device can hold at once: one wave.
  [[nodiscard]] std::int64_t resident_threads() const {
    return static_cast<std::int64_t>(multiprocessors) * max_threads_per_multiprocessor;
  }
  [[nodiscard]] int compute_capability() const { return (compute_major * 10) + compute_minor; }
};

}  // namespace redux
