// The host side that all cummax and cummin variants share: a case as lines along an axis.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "core/op.hpp"
#include "core/problem.hpp"

namespace redux::cumminmax {

/// The problem as kernels see it: [outer, length, inner], scanned along `length`. Inner 1 is the
/// innermost axis: lines are rows that lie one behind the other.
template <class Storage>
struct Lines {
  const Storage* input;
  Storage* values;
  std::int64_t* indices;
  std::int64_t outer;
  std::int64_t length;
  std::int64_t inner;
};

inline AxisView axis_of(const Case& c) {
  return view_along(c.shape.dims, c.attributes.axis);
}

template <class Storage>
Lines<Storage> lines_of(const Problem& problem) {
  const AxisView view = axis_of(*problem.the_case);
  return {problem.inputs[0].as<Storage>(),
          problem.outputs[0].as<Storage>(),
          problem.outputs[1].as<std::int64_t>(),
          view.outer,
          view.length,
          view.inner};
}

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

inline bool is_empty(const Case& c) {
  const AxisView view = axis_of(c);
  return view.outer == 0 || view.length == 0 || view.inner == 0;
}

/// Elements of 16 bytes.
inline int vector_width(const Case& c) {
  return 16 / static_cast<int>(size_of(c.dtype));
}

/// True where every row starts and ends on a 16-byte boundary if the first one starts on one.
inline bool rows_can_align(const Case& c) {
  return axis_of(c).length % vector_width(c) == 0;
}

inline bool buffers_are_aligned(const Problem& problem) {
  const auto aligned = [](const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
  return aligned(problem.inputs[0].data) && aligned(problem.outputs[0].data) &&
         aligned(problem.outputs[1].data);
}

/// True where every row of the problem, input and outputs, starts and ends on a 16-byte boundary.
inline bool rows_are_aligned(const Problem& problem) {
  return rows_can_align(*problem.the_case) && buffers_are_aligned(problem);
}

/// What no scan can do.
inline std::string unsupported_scan(const Case& c, const DeviceFacts& /*device*/) {
  if (c.attributes.nan == Nan::propagate) return {};
  return "a scan has no NaN policy \"skip\": from the first NaN on the value is NaN";
}

/// Why that many blocks cannot be launched along x, or empty.
inline std::string past_the_grid(std::int64_t blocks) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  if (blocks <= kMost) return {};
  return "needs " + std::to_string(blocks) + " blocks, at most " + std::to_string(kMost) +
         " fit a grid";
}

/// The first of two reasons that there is.
inline std::string first_of(const std::string& first, const std::string& second) {
  return first.empty() ? second : first;
}

/// For variants that scan the innermost axis.
inline std::string needs_rows(const Case& c, const DeviceFacts& device) {
  if (axis_of(c).inner != 1) return "scans the innermost axis only";
  return unsupported_scan(c, device);
}

/// For variants that scan across rows.
inline std::string needs_columns(const Case& c, const DeviceFacts& device) {
  if (axis_of(c).inner == 1) return "the axis is the innermost one";
  return unsupported_scan(c, device);
}

}  // namespace redux::cumminmax
