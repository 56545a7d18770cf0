// The host side that all argmax and argmin variants share: a case as rows x cols.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "core/case.hpp"
#include "core/problem.hpp"
#include "core/shape.hpp"

namespace redux::argminmax {

/// The problem as kernels see it: input [rows, cols] of Storage, indices int64 [rows].
template <class Storage>
struct Rows {
  const Storage* input;
  std::int64_t* indices;
  std::int64_t rows;
  std::int64_t cols;
};

template <class Storage>
Rows<Storage> rows_of(const Problem& problem) {
  const AxisView view = view_along(problem.the_case->shape.dims, -1);
  return {problem.inputs[0].as<Storage>(), problem.outputs[0].as<std::int64_t>(), view.outer,
          view.length};
}

inline std::int64_t rows_of(const Case& c) {
  return view_along(c.shape.dims, -1).outer;
}
inline std::int64_t cols_of(const Case& c) {
  return c.shape.dims.back();
}

/// For variants whose positions are 32-bit.
inline std::string needs_32_bit_positions(const Case& c, const DeviceFacts& /*device*/) {
  if (cols_of(c) <= std::numeric_limits<std::int32_t>::max()) return {};
  return "positions are 32-bit: " + std::to_string(cols_of(c)) + " columns, at most 2147483647";
}

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

}  // namespace redux::argminmax
