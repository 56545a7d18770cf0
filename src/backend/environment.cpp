#include "backend/environment.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <string>
#include <thread>

#include "redux_version.hpp"

#ifdef REDUX_HAVE_CUDA
#include <cuda_runtime_api.h>

#include "backend/cuda/nvml.hpp"
#endif

namespace redux {
namespace {

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\"");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\"") - first + 1);
}

/// What follows `separator` on the first line that begins with `key`, or empty.
std::string value_in(const char* path, const std::string& key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const auto at = line.find(separator);
    if (at != std::string::npos) return trimmed(line.substr(at + 1));
  }
  return {};
}

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return {};
  return name.data();
}

std::string os_name() {
  std::string text = value_in("/etc/os-release", "PRETTY_NAME=", '=');
  utsname names{};
  if (uname(&names) == 0) {
    if (!text.empty()) text += ", ";
    text += std::string(names.sysname) + " " + names.release;
  }
  return text;
}

std::string cpu_name() {
  std::string name = value_in("/proc/cpuinfo", "model name", ':');
  if (!name.empty()) return name;
  utsname names{};
  return uname(&names) == 0 ? names.machine : "unknown";
}

}  // namespace

Environment read_environment(const DeviceFacts* gpu) {
  Environment environment;
  environment.host = host_name();
  environment.os = os_name();
  environment.cpu = cpu_name();
  environment.cpu_threads = static_cast<int>(std::thread::hardware_concurrency());
  environment.compiler = REDUX_COMPILER;
  environment.build = std::string(REDUX_BUILD) + ", without CUDA";
#ifdef REDUX_HAVE_CUDA
  environment.compiler += std::string(", ") + REDUX_CUDA_COMPILER;
  environment.build = std::string(REDUX_BUILD) + ", with CUDA";
  environment.cuda_runtime =
      std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10);
  if (gpu != nullptr) {
    cuda::Nvml nvml(gpu->uuid);
    environment.driver = nvml.driver_version();
    environment.clocks_locked = nvml.clocks_locked();
  }
#endif
  if (gpu != nullptr) environment.gpu = *gpu;
  return environment;
}

}  // namespace redux
