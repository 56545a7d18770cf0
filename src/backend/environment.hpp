// What the result header says of this machine.
#pragma once

#include <optional>
#include <string>

#include "core/device_facts.hpp"

namespace redux {

struct Environment {
  std::string host;
  std::string os;
  std::string cpu;
  int cpu_threads = 0;
  std::optional<DeviceFacts> gpu;
  std::string driver;                 ///< e.g. "580.159.03"; empty where unknown
  std::optional<bool> clocks_locked;  ///< nothing where NVML cannot say
  std::string cuda_runtime;  ///< of the runtime linked here, e.g. "13.0"; empty without CUDA
  std::string compiler;
  std::string build;  ///< build type and whether CUDA is in it
};

/// `gpu`: the device in use, or null.
Environment read_environment(const DeviceFacts* gpu);

}  // namespace redux
