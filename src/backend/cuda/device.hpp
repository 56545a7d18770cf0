// The CUDA device that a run uses: facts, stream, and the memory that its cases share.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "backend/cuda/graph.hpp"
#include "backend/cuda/nvml.hpp"
#include "backend/cuda/owners.hpp"
#include "core/device_facts.hpp"
#include "core/problem.hpp"
#include "core/record.hpp"

namespace redux::cuda {

/// Reads the facts of device `ordinal`, which becomes the current device.
DeviceFacts read_facts(int ordinal);

class Device {
 public:
  explicit Device(DeviceFacts facts);

  [[nodiscard]] const DeviceFacts& facts() const { return facts_; }
  [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }
  [[nodiscard]] Exec exec() const { return {stream_.get(), &facts_}; }
  /// Rotations whose data exceed this are cold.
  [[nodiscard]] std::size_t beyond_cache_bytes() const { return 3 * facts_.l2_bytes; }

  /// At least `bytes`; what the last case used where that is enough and nobody holds it any more.
  /// Throws OutOfMemory.
  std::shared_ptr<DeviceMemory> take_arena(std::size_t bytes);
  /// Free device memory, with the arena that could be reused.
  [[nodiscard]] std::size_t free_bytes() const;

  /// Enqueues a read of more than the cache holds, which leaves no dirty lines behind.
  void enqueue_flush();
  /// Enqueues empty kernels, as a graph: some tens of microseconds for the host to get ahead.
  void enqueue_head_start();
  /// Waits for the stream.
  void synchronize() const;

  /// Floors and ceilings of this device (probes.cpp).
  void measure_ceilings(Ceilings& ceilings);

  /// Why the clocks are held down, or empty; asked at most every 20 ms, because asking takes time.
  std::string throttled();

  /// Sets, after an error, whether the context is lost: no later call of the process can work.
  void note_errors(const std::string& case_id) noexcept;
  /// Empty, or why nothing can run any more.
  [[nodiscard]] const std::string& lost() const { return lost_; }

 private:
  DeviceFacts facts_;
  Nvml nvml_;
  Stream stream_;
  GraphExec head_start_;
  std::shared_ptr<DeviceMemory> arena_;
  std::unique_ptr<DeviceMemory> flush_;
  std::unique_ptr<DeviceMemory> sink_;
  std::string lost_;
  std::chrono::steady_clock::time_point throttle_asked_;
  std::string throttle_reasons_;
};

}  // namespace redux::cuda
