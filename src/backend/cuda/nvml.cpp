#include "backend/cuda/nvml.hpp"

#include <dlfcn.h>

#include <array>
#include <utility>

namespace redux::cuda {
namespace {

// Bits of nvmlDeviceGetCurrentClocksEventReasons, as NVML's reference documents them.
constexpr std::uint64_t kApplicationsClocks = 0x2;
constexpr std::array<std::pair<std::uint64_t, const char*>, 5> kThrottling{{
    {0x4, "power cap"},
    {0x8, "hardware slowdown"},
    {0x20, "software thermal slowdown"},
    {0x40, "hardware thermal slowdown"},
    {0x80, "power brake"},
}};

template <class Function>
Function* find(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

Nvml::Nvml(const std::string& uuid) : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
  if (library_ == nullptr) return;
  auto* init = find<int()>(library_, "nvmlInit_v2");
  if (init == nullptr || init() != 0) {
    dlclose(library_);
    library_ = nullptr;
    return;
  }
  auto* by_uuid = find<int(const char*, void**)>(library_, "nvmlDeviceGetHandleByUUID");
  if (by_uuid != nullptr && by_uuid(uuid.c_str(), &device_) != 0) device_ = nullptr;
  using Reasons = int(void*, unsigned long long*);
  reasons_function_ = find<Reasons>(library_, "nvmlDeviceGetCurrentClocksEventReasons");
  if (reasons_function_ == nullptr) {  // its name before driver 535
    reasons_function_ = find<Reasons>(library_, "nvmlDeviceGetCurrentClocksThrottleReasons");
  }
}

Nvml::~Nvml() {
  if (library_ == nullptr) return;
  if (auto* shutdown = find<int()>(library_, "nvmlShutdown")) shutdown();
  dlclose(library_);
}

std::string Nvml::driver_version() const {
  if (library_ == nullptr) return {};
  std::array<char, 96> version{};
  auto* ask = find<int(char*, unsigned)>(library_, "nvmlSystemGetDriverVersion");
  if (ask == nullptr || ask(version.data(), static_cast<unsigned>(version.size())) != 0) return {};
  return version.data();
}

std::optional<std::uint64_t> Nvml::event_reasons() const {
  unsigned long long reasons = 0;
  if (device_ == nullptr || reasons_function_ == nullptr) return std::nullopt;
  if (reasons_function_(device_, &reasons) != 0) return std::nullopt;
  return reasons;
}

std::optional<bool> Nvml::clocks_locked() const {
  const auto reasons = event_reasons();
  if (!reasons) return std::nullopt;
  return (*reasons & kApplicationsClocks) != 0;
}

std::string Nvml::throttle_reasons() const {
  const std::uint64_t reasons = event_reasons().value_or(0);
  std::string text;
  for (const auto& [bit, name] : kThrottling) {
    if ((reasons & bit) == 0) continue;
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

}  // namespace redux::cuda
