// The driver's management library, opened at run time: optional, so that neither building nor
// running depends on it. Where it is missing every question has the answer "unknown".
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace redux::cuda {

class Nvml {
 public:
  /// `uuid` as in DeviceFacts ("GPU-..."). Never throws for a missing library.
  explicit Nvml(const std::string& uuid);
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;
  ~Nvml();

  /// "580.159.03", or empty.
  [[nodiscard]] std::string driver_version() const;
  /// Whether a clock setting holds the clocks at this moment, as the event reasons say.
  [[nodiscard]] std::optional<bool> clocks_locked() const;
  /// "power cap, thermal slowdown": what holds the clocks down against the user's will, or empty.
  [[nodiscard]] std::string throttle_reasons() const;

 private:
  [[nodiscard]] std::optional<std::uint64_t> event_reasons() const;

  void* library_ = nullptr;
  void* device_ = nullptr;
  int (*reasons_function_)(void*, unsigned long long*) = nullptr;
};

}  // namespace redux::cuda
