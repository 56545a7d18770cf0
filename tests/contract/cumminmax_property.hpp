// What cummax and cummin are, told without the reference: nothing is carried from one position to
// the next, each looks at all elements up to it.
#pragma once

#include <cmath>

#include "contract/alphabet.hpp"
#include "contract/cumminmax_shapes.hpp"
#include "contract/encode.hpp"

namespace redux::contract {

/// The position whose element is the answer for `row[0..last]`: that of the latest NaN, else of the
/// latest of the best elements.
inline std::int64_t latest_best(std::span<const double> row, std::int64_t last, bool largest) {
  const auto prefix = row.first(static_cast<std::size_t>(last) + 1);
  const bool has_nan = std::ranges::any_of(prefix, [](double x) { return std::isnan(x); });
  double best = prefix[0];
  for (const double x : prefix) best = largest ? std::fmax(best, x) : std::fmin(best, x);
  for (std::int64_t i = last;; --i) {
    const double x = prefix[static_cast<std::size_t>(i)];
    if (has_nan ? std::isnan(x) : x == best) return i;
  }
}

/// A problem with its answer.
struct ScanReport {
  std::string id;
  std::string op;
  DType dtype = DType::float32;
  Scan scan;
  Bytes input;
  Outputs expected;  ///< values and indices
};

inline Case case_of(const ScanReport& report) {
  return scan_case(report.op, report.dtype, report.scan, "specials");
}

/// Words of one length from `first` on in steps, with what latest_best() says; one a row, or
/// one a column.
inline ScanReport words_report(std::string_view op, DType dtype, std::int64_t length,
                               std::int64_t first, std::int64_t step, bool as_columns) {
  const std::int64_t count = (words_of(length) - first + step - 1) / step;
  std::vector<double> values(static_cast<std::size_t>(count * length));
  std::vector<double> best(values.size());
  std::vector<std::int64_t> indices(values.size());
  for (std::int64_t line = 0; line < count; ++line) {
    std::vector<double> word;
    for (std::int64_t i = 0; i < length; ++i) word.push_back(letter(first + (line * step), i));
    for (std::int64_t i = 0; i < length; ++i) {
      const auto at =
          static_cast<std::size_t>(as_columns ? (i * count) + line : (line * length) + i);
      indices[at] = latest_best(word, i, op == "cummax");
      values[at] = word[static_cast<std::size_t>(i)];
      best[at] = word[static_cast<std::size_t>(indices[at])];
    }
  }
  const Scan scan = as_columns ? Scan{{length, count}, 0} : Scan{{count, length}, -1};
  return {"alphabet", std::string(op),       dtype,
          scan,       encode(dtype, values), {encode(dtype, best), encode_exactly(indices)}};
}

}  // namespace redux::contract
