// In which order the executor lets blocks and threads run: any order that a GPU may choose.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/device_facts.hpp"

namespace redux::simt {

enum class Order : std::uint8_t {
  ascending,   ///< lowest block and thread first, each as far as it gets
  descending,  ///< highest first
  random,      ///< seeded; may switch at every synchronisation point and atomic
};

struct Schedule {
  Order order = Order::ascending;
  std::uint64_t seed = 0;  ///< of random

  friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// "in-order", "reverse" or "random:SEED".
std::string name_of(const Schedule& schedule);
/// The schedule of that name, or nothing.
std::optional<Schedule> schedule_of(std::string_view name);

/// A device that does not exist: compute capability 9.0, and as many multiprocessors, each with
/// room for as many threads, as asked.
DeviceFacts simulated_device(int multiprocessors = 132, int threads_per_multiprocessor = 2048);

/// SplitMix64 (Steele, Lea and Flood 2014): small, seeded, the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  /// In [0, bound), bound > 0.
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t state_;
};

}  // namespace redux::simt
