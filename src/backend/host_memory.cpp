#include "backend/host_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace redux {
namespace {

constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

/// The number after `key` in a file of "key value" lines; an empty key reads the first word.
std::optional<std::size_t> number_in(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  std::string word;
  while (file >> word) {
    if (!key.empty() && word != key) continue;
    if (!key.empty() && !(file >> word)) return std::nullopt;
    if (word.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;  // "max"
    try {
      return std::stoull(word);
    } catch (const std::out_of_range&) {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// Page cache that the kernel gives back first is counted as used by the group, but is free to us.
std::size_t left_in_group(const std::string& limit_path, const std::string& used_path,
                          const std::string& stat_path, const std::string& cache_key) {
  const auto limit = number_in(limit_path, "");
  const auto used = number_in(used_path, "");
  if (!limit || !used) return kUnlimited;
  const std::size_t cached = std::min(number_in(stat_path, cache_key).value_or(0), *used);
  const std::size_t held = *used - cached;
  return *limit > held ? *limit - held : 0;
}

}  // namespace

std::size_t free_host_bytes() {
  std::size_t free = kUnlimited;
  if (const auto kib = number_in("/proc/meminfo", "MemAvailable:")) free = *kib * 1024;
  const std::string v2 = "/sys/fs/cgroup/memory.";
  const std::string v1 = "/sys/fs/cgroup/memory/memory.";
  free = std::min(free, left_in_group(v2 + "max", v2 + "current", v2 + "stat", "inactive_file"));
  return std::min(free, left_in_group(v1 + "limit_in_bytes", v1 + "usage_in_bytes", v1 + "stat",
                                      "total_inactive_file"));
}

std::size_t last_level_cache_bytes() {
  constexpr std::size_t kFallback = std::size_t{32} << 20U;
  long bytes = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
  bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
  return bytes > 0 ? static_cast<std::size_t>(bytes) : kFallback;
}

std::string bytes_text(std::size_t bytes) {
  constexpr std::array<const char*, 5> kUnits{"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  std::array<char, 48> text{};
  static_cast<void>(std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.2f %s",
                                  value, kUnits[unit]));
  return text.data();
}

}  // namespace redux
