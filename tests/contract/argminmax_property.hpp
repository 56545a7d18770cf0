// A09: whatever a row holds, the index is in range and the element there is the first best one.
// Told without the reference, by a pass for the best value and one for its place.
#pragma once

#include <cmath>

#include "contract/report.hpp"

namespace redux::contract {

inline std::int64_t first_best(const Report& report, std::int64_t row) {
  const std::int64_t base = row * report.cols;
  const double first = element_at(report, base);
  if (std::isnan(first)) return 0;
  double best = first;
  for (std::int64_t col = 0; col < report.cols; ++col) {
    const double value = element_at(report, base + col);
    if (std::isnan(value) && report.nan == Nan::propagate) return col;
    if (std::isnan(value)) continue;  // fmax would keep a signalling one
    best = report.op == "argmax" ? std::fmax(best, value) : std::fmin(best, value);
  }
  for (std::int64_t col = 0; col < report.cols; ++col) {
    if (element_at(report, base + col) == best) return col;
  }
  return -1;
}

/// 34 rows of each width from 1 to 300, of NaN, infinities, zeros of both signs and denormals
/// among normal numbers.
inline std::vector<Report> property_reports() {
  std::vector<Report> reports;
  constexpr std::int64_t kRows = 34;
  for (std::int64_t cols = 1; cols <= 300; ++cols) {
    constexpr std::array kDTypes{DType::float32, DType::float16, DType::bfloat16, DType::float64};
    const DType dtype = kDTypes[static_cast<std::size_t>(cols) % kDTypes.size()];
    const std::size_t width = size_of(dtype);
    const AxisView view{kRows, cols, 1};
    Bytes input(static_cast<std::size_t>(kRows * cols) * width);
    Bytes specials(input.size());
    Bytes mask(static_cast<std::size_t>(kRows * cols) * sizeof(std::int32_t));
    fill("random", dtype, view, static_cast<std::uint64_t>(cols), input);
    fill("specials", dtype, view, static_cast<std::uint64_t>(cols), specials);
    fill("ties", DType::int32, view, static_cast<std::uint64_t>(cols), mask);
    for (std::size_t i = 0; i < input.size() / width; ++i) {
      std::int32_t draw = 0;
      std::memcpy(&draw, mask.data() + (i * sizeof(draw)), sizeof(draw));
      // Some rows nearly free of specials, some full of them.
      const bool special =
          draw < static_cast<std::int32_t>(i / static_cast<std::size_t>(cols) % 11);
      if (special) std::memcpy(input.data() + (i * width), specials.data() + (i * width), width);
    }
    for (const char* op : {"argmax", "argmin"}) {
      for (const Nan nan : {Nan::skip, Nan::propagate}) {
        Report report{"A09", op, dtype, kRows, cols, nan, input, {}, 1};
        for (std::int64_t row = 0; row < kRows; ++row) {
          report.expected.push_back(first_best(report, row));
        }
        reports.push_back(std::move(report));
      }
    }
  }
  return reports;
}

}  // namespace redux::contract
