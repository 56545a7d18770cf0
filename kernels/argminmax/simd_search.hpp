// Vectorised search for the best element of host memory: what the host variants are made of.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.hpp"
#include "core/problem.hpp"

namespace redux::argminmax {

/// Which element wins.
struct Rule {
  bool largest = true;     ///< argmax, else argmin
  bool propagate = false;  ///< the first NaN wins, else a NaN wins only as element 0
};

/// A problem of argmax or argmin on the host, with its attributes resolved.
struct HostRows {
  DType dtype = DType::float32;
  const std::byte* input = nullptr;  ///< [rows, cols], row-major, aligned to an element
  std::int64_t* indices = nullptr;   ///< [rows]
  std::int64_t rows = 0;
  std::int64_t cols = 0;  ///< at least 1
  Rule rule;

  [[nodiscard]] const std::byte* element(std::int64_t row, std::int64_t col) const {
    return input + (static_cast<std::size_t>((row * cols) + col) * size_of(dtype));
  }
};

HostRows host_rows(const Problem& problem);

/// Writes the row-local index of the best element of rows [first, last).
void search_rows(const HostRows& rows, std::int64_t first, std::int64_t last);

/// The column in [begin, end) of the best element there, lowest on ties, if it beats column
/// `incumbent` of the row, else -1. The incumbent must not be a NaN.
std::int64_t search_segment(const HostRows& rows, std::int64_t row, std::int64_t incumbent,
                            std::int64_t begin, std::int64_t end);

/// True if the element is a NaN; a row whose element 0 is one has the answer 0 by either policy.
bool is_nan_at(const HostRows& rows, std::int64_t row, std::int64_t col);

}  // namespace redux::argminmax
