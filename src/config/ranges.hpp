// Extents as a config writes them: numbers, ranges and products of lists of both. Nothing is
// expanded before its number is known to be bearable.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "config/report.hpp"

namespace redux {

/// first, first + by, ... up to last; or first, first * by, ... where it multiplies.
struct SizeRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t by = 1;
  bool multiplies = false;

  [[nodiscard]] std::int64_t count() const;
  void append_to(std::vector<std::int64_t>& sizes) const;
};

/// One axis of a grid.
using SizeList = std::vector<SizeRange>;

/// Products and sums of counts that stop at the largest int64 instead of wrapping.
std::int64_t saturating_multiply(std::int64_t a, std::int64_t b);
std::int64_t saturating_add(std::int64_t a, std::int64_t b);

std::int64_t count_of(const SizeList& list);
std::vector<std::int64_t> expand(const SizeList& list);

/// {"pow2": [a, b]}, {"geometric": [first, last, factor]} or {"linear": [first, last, step]}.
std::optional<SizeRange> read_range(const json::Value& value, Report& report);
/// An extent or a range.
std::optional<SizeRange> read_size_or_range(const json::Value& value, Report& report);
/// One axis: a range, or a list of extents and ranges.
SizeList read_axis_sizes(const json::Value& value, Report& report);

}  // namespace redux
