#include "config/ranges.hpp"

#include <fmt/format.h>

#include <limits>

#include "config/fields.hpp"

namespace redux {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostPower = 62;

/// The `names.size()` integers of a range; nothing, reported, where one is amiss or from > to.
std::optional<std::vector<std::int64_t>> read_bounds(const json::Value& value,
                                                     const std::vector<std::string>& names,
                                                     Report& report) {
  std::string form;
  for (const std::string& name : names) form += (form.empty() ? "[" : ", ") + name;
  form += "]";
  if (value.kind != json::Kind::array || value.items.size() != names.size()) {
    const bool is_list = value.kind == json::Kind::array;
    report.fault(value,
                 fmt::format("a range must be {}, found {}", form,
                             is_list ? fmt::format("{} items", value.items.size()) : found(value)));
    return std::nullopt;
  }
  std::vector<std::int64_t> bounds;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto bound = read_integer(value.items[i], names[i], report);
    if (bound) bounds.push_back(*bound);
  }
  if (bounds.size() != names.size()) return std::nullopt;
  if (bounds[0] > bounds[1]) {
    report.fault(value, fmt::format("the range runs from {} down to {}; {} must not exceed {}",
                                    bounds[0], bounds[1], names[0], names[1]));
    return std::nullopt;
  }
  return bounds;
}

std::optional<SizeRange> read_pow2(const json::Value& value, Report& report) {
  const auto bounds = read_bounds(value, {"a", "b"}, report);
  if (!bounds) return std::nullopt;
  const auto& powers = *bounds;
  if (powers[1] > kMostPower) {
    report.fault(value.items[1],
                 fmt::format("2^{} is too large; at most 2^{}", powers[1], kMostPower));
    return std::nullopt;
  }
  return SizeRange{std::int64_t{1} << powers[0], std::int64_t{1} << powers[1], 2, true};
}

std::optional<SizeRange> read_geometric(const json::Value& value, Report& report) {
  const auto bounds = read_bounds(value, {"first", "last", "factor"}, report);
  if (!bounds) return std::nullopt;
  const auto& b = *bounds;
  if (b[0] < 1) report.fault(value.items[0], "first 0 is too small; a geometric range starts at 1");
  if (b[2] < 2) {
    report.fault(value.items[2], fmt::format("factor {} is too small; at least 2", b[2]));
  }
  if (b[0] < 1 || b[2] < 2) return std::nullopt;
  return SizeRange{b[0], b[1], b[2], true};
}

std::optional<SizeRange> read_linear(const json::Value& value, Report& report) {
  const auto bounds = read_bounds(value, {"first", "last", "step"}, report);
  if (!bounds) return std::nullopt;
  const auto& b = *bounds;
  if (b[2] < 1) {
    report.fault(value.items[2], fmt::format("step {} is too small; at least 1", b[2]));
    return std::nullopt;
  }
  return SizeRange{b[0], b[1], b[2], false};
}

}  // namespace

std::int64_t saturating_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kMost : product;
}

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? kMost : sum;
}

std::int64_t SizeRange::count() const {
  if (!multiplies) return saturating_add((last - first) / by, 1);
  std::int64_t number = 1;
  for (std::int64_t size = first; size <= last / by; size *= by) ++number;
  return number;
}

void SizeRange::append_to(std::vector<std::int64_t>& sizes) const {
  std::int64_t size = first;
  for (std::int64_t left = count(); left > 0; --left) {
    sizes.push_back(size);
    if (left > 1) size = multiplies ? size * by : size + by;
  }
}

std::int64_t count_of(const SizeList& list) {
  std::int64_t number = 0;
  for (const SizeRange& range : list) number = saturating_add(number, range.count());
  return number;
}

std::vector<std::int64_t> expand(const SizeList& list) {
  std::vector<std::int64_t> sizes;
  for (const SizeRange& range : list) range.append_to(sizes);
  return sizes;
}

std::optional<SizeRange> read_range(const json::Value& value, Report& report) {
  const Fields fields(value, {"pow2", "geometric", "linear"}, report);
  if (!fields.is_object()) return std::nullopt;
  if (value.members.size() != 1) {
    report.fault(value, fmt::format("a range is one of pow2, geometric and linear, found {} keys",
                                    value.members.size()));
    return std::nullopt;
  }
  if (const auto* bounds = fields.find("pow2")) return read_pow2(*bounds, report);
  if (const auto* bounds = fields.find("geometric")) return read_geometric(*bounds, report);
  if (const auto* bounds = fields.find("linear")) return read_linear(*bounds, report);
  return std::nullopt;
}

std::optional<SizeRange> read_size_or_range(const json::Value& value, Report& report) {
  if (value.kind == json::Kind::object) return read_range(value, report);
  const auto size = read_integer(value, "size", report);
  if (!size) return std::nullopt;
  return SizeRange{*size, *size, 1, false};
}

SizeList read_axis_sizes(const json::Value& value, Report& report) {
  SizeList list;
  if (value.kind == json::Kind::object) {
    if (const auto range = read_range(value, report)) list.push_back(*range);
    return list;
  }
  const auto* items = read_list(value, "sizes and ranges", report);
  if (items == nullptr) return list;
  for (const json::Value& item : *items) {
    if (const auto range = read_size_or_range(item, report)) list.push_back(*range);
  }
  return list;
}

}  // namespace redux
