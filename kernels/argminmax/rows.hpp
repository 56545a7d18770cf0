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

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
  return (a + b - 1) / b;
}

inline std::int64_t rows_of(const Case& c) {
  return view_along(c.shape.dims, -1).outer;
}
inline std::int64_t cols_of(const Case& c) {
  return c.shape.dims.back();
}

/// 16-byte vectors that a row takes.
inline std::int64_t vectors_of(const Case& c) {
  return ceil_div(cols_of(c) * static_cast<std::int64_t>(size_of(c.dtype)), 16);
}

/// True where every row starts on a 16-byte boundary if the first does.
inline bool rows_keep_alignment(const Case& c) {
  return cols_of(c) * static_cast<std::int64_t>(size_of(c.dtype)) % 16 == 0;
}

/// True where every row of the problem starts and ends on a 16-byte boundary.
inline bool rows_are_aligned(const Problem& problem) {
  return rows_keep_alignment(*problem.the_case) &&
         reinterpret_cast<std::uintptr_t>(problem.inputs[0].data) % 16 == 0;
}

/// For variants whose positions are 32-bit.
inline std::string needs_32_bit_positions(const Case& c, const DeviceFacts& /*device*/) {
  if (cols_of(c) <= std::numeric_limits<std::int32_t>::max()) return {};
  return "positions are 32-bit: " + std::to_string(cols_of(c)) + " columns, at most 2147483647";
}

}  // namespace redux::argminmax
