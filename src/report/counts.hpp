// How many cases ended in each status.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

#include "core/status.hpp"

namespace redux::report {

inline constexpr std::array<Status, 7> kAllStatuses{
    Status::ok,    Status::wrong,   Status::unsupported,   Status::skipped,
    Status::error, Status::timeout, Status::invalid_timing};

struct Counts {
  std::array<std::int64_t, kAllStatuses.size()> by_status{};

  void add(Status status) { ++by_status.at(static_cast<std::size_t>(status)); }
  void add(const Counts& other) {
    for (std::size_t i = 0; i < by_status.size(); ++i) by_status.at(i) += other.by_status.at(i);
  }
  [[nodiscard]] std::int64_t of(Status status) const {
    return by_status.at(static_cast<std::size_t>(status));
  }
  [[nodiscard]] std::int64_t total() const {
    return std::accumulate(by_status.begin(), by_status.end(), std::int64_t{0});
  }
};

}  // namespace redux::report
