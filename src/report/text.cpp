#include "report/text.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <ctime>
#include <random>

#include "config/nearest.hpp"

namespace redux::report {
namespace {

std::string four_digits(double value) {
  if (value < 10) return fmt::format("{:.3f}", value);
  if (value < 100) return fmt::format("{:.2f}", value);
  return fmt::format("{:.1f}", value);
}

std::tm utc(std::chrono::system_clock::time_point moment) {
  return fmt::gmtime(std::chrono::system_clock::to_time_t(moment));
}

}  // namespace

std::string time_text(double us) {
  if (!std::isfinite(us)) return "?";
  if (us < 1e3) return four_digits(us) + " us";
  if (us < 1e6) return four_digits(us / 1e3) + " ms";
  return four_digits(us / 1e6) + " s";
}

std::string duration_text(double seconds) {
  if (!std::isfinite(seconds)) return "?";
  if (seconds < 0.0995) return fmt::format("{:.0f} ms", std::max(seconds, 0.0) * 1e3);
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string bytes_text(std::size_t bytes) {
  constexpr std::array<const char*, 5> kUnits{"KiB", "MiB", "GiB", "TiB", "PiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  auto value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < kUnits.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string shortest(double value) {
  if (!std::isfinite(value)) return {};
  std::array<char, 32> buffer{};
  const auto done = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), done.ptr};
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

std::string printable(std::string_view text) {
  std::string clean;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t controls = control_bytes(text, at);
    clean += controls == 0 ? text[at] : '?';
    at += std::max<std::size_t>(controls, 1);
  }
  return clean;
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z", utc(std::chrono::system_clock::now()));
}

std::string new_run_id() {
  std::random_device entropy;
  return fmt::format("{:%Y%m%dT%H%M%S}-{:08x}", utc(std::chrono::system_clock::now()), entropy());
}

}  // namespace redux::report
