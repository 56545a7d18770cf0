// Inputs from public bug reports of argmax and argmin, by the ids under which they are kept, with
// the right answers written out: the reference is checked against them too. Under `propagate` the
// first NaN wins; under `skip` a NaN wins only as element 0.
#pragma once

#include <cmath>
#include <limits>

#include "contract/report.hpp"

namespace redux::contract {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr std::array kFloats{DType::float16, DType::bfloat16, DType::float32,
                                    DType::float64};

inline std::vector<std::int64_t> zeros(std::int64_t rows) {
  return std::vector<std::int64_t>(static_cast<std::size_t>(rows), 0);
}

inline std::vector<double> row_of(std::int64_t cols, double value) {
  return std::vector<double>(static_cast<std::size_t>(cols), value);
}

/// A row of `background` with other values at some columns.
inline std::vector<double> planted(std::int64_t cols, double background,
                                   const std::vector<std::pair<std::int64_t, double>>& others) {
  std::vector<double> row = row_of(cols, background);
  for (const auto& [col, value] : others) row[static_cast<std::size_t>(col)] = value;
  return row;
}

inline void nan_reports(Reports& all) {
  for (const DType dtype : kFloats) {
    const auto add = [&](const char* id, const std::vector<double>& row, const Answers& answers) {
      all.add(id, dtype, 1, encode(dtype, row), answers);
    };
    add("A01", {3, kNan, 1, 5}, {{1}, {1}, {3}, {2}});
    add("A01", {kNan, 1, 2}, {{0}, {0}, {0}, {0}});
    add("A01", {1, 2, kNan}, {{2}, {2}, {1}, {0}});
    add("A01", {kInf, kNan, -kInf}, {{1}, {1}, {0}, {2}});
    add("A01", {-1, -2, kNan}, {{2}, {2}, {0}, {1}});
    for (const std::int64_t cols : {8, 33, 1000, 5000}) {
      add("A01", planted(cols, 0, {{0, 3}, {1, kNan}, {2, 1}, {3, 5}}), {{1}, {1}, {3}, {4}});
    }
    add("A07", {kInf, kNan}, {{1}, {1}, {0}, {0}});
    add("A07", {kNan, kInf}, {{0}, {0}, {0}, {0}});
    add("A07", {kNan, 6, 8}, {{0}, {0}, {0}, {0}});
    add("A09", {0, kNan}, {{1}, {1}, {0}, {0}});
    for (const auto& [rows, cols] : {std::pair{1, 58}, {1, 61}, {1, 2}, {3, 1025}}) {
      const auto input = encode(dtype, row_of(std::int64_t{rows} * cols, kNan));
      all.add("A03", dtype, rows, input, {zeros(rows), zeros(rows), zeros(rows), zeros(rows)});
    }
    for (const std::int64_t rows : {1, 1000}) {
      const auto input = encode(dtype, row_of(rows, kNan));
      all.add("A04", dtype, rows, input, {zeros(rows), zeros(rows), zeros(rows), zeros(rows)});
    }
    all.add("A06", dtype, 2, encode(dtype, {1, 5, 3, kNan, 2, 6}),
            {{1, 0}, {0, 0}, {1, 0}, {0, 0}});
  }
  for (const DType dtype : {DType::float32, DType::float64}) {
    for (const std::int64_t n : {10, 20, 40, 80, 160}) {
      all.add("A02", dtype, 1, encode(dtype, planted(n, 1, {{n - 1, kNan}})),
              {{n - 1}, {n - 1}, {0}, {0}});
    }
    all.add("A02", dtype, 1, encode(dtype, {kNan, 0, kNan, 2, 3}), {{0}, {0}, {0}, {0}});
  }
  // Sign and payload of a NaN do not matter: [608, -NaN, 5, +NaN].
  const Answers mixed{{1}, {1}, {0}, {2}};
  using Half = std::uint16_t;
  all.add("A08", DType::float16, 1, encode_exactly<Half>({0x60C0, 0xFE00, 0x4500, 0x7E00}), mixed);
  all.add("A08", DType::bfloat16, 1, encode_exactly<Half>({0x4418, 0xFFC0, 0x40A0, 0x7FC0}), mixed);
  all.add("A08", DType::float32, 1,
          encode_exactly<std::uint32_t>({0x44180000, 0xFFC00000, 0x40A00000, 0x7FC00000}), mixed);
}

/// What stands in for -infinity must not be met by data: rows of the worst value itself.
inline void identity_reports(Reports& all) {
  for (const DType dtype : kFloats) {
    for (const auto& [rows, cols] :
         {std::pair{4, 12}, {4, 2}, {4, 31}, {4, 33}, {4, 257}, {2, 129280}}) {
      const std::int64_t count = std::int64_t{rows} * cols;
      all.add_plain("A10", dtype, rows, encode(dtype, row_of(count, -kInf)), zeros(rows), {});
      all.add_plain("A10", dtype, rows, encode(dtype, row_of(count, kInf)), {}, zeros(rows));
    }
  }
  const auto integers = [&]<class T>(DType dtype, T least, T most) {
    for (const bool odd : {false, true}) {
      std::vector<T> low(3 * 37, least);
      std::vector<T> high(3 * 37, most);
      for (std::size_t row = 0; odd && row < 3; ++row) {
        low[(row * 37) + 36] = static_cast<T>(least + 1);
        high[(row * 37) + 36] = static_cast<T>(most - 1);
      }
      const std::vector<std::int64_t> expected(3, odd ? 36 : 0);
      all.add_plain("A12", dtype, 3, encode_exactly(low), expected, {});
      all.add_plain("A12", dtype, 3, encode_exactly(high), {}, expected);
    }
  };
  integers(DType::int32, std::numeric_limits<std::int32_t>::min(),
           std::numeric_limits<std::int32_t>::max());
  integers(DType::int64, std::numeric_limits<std::int64_t>::min(),
           std::numeric_limits<std::int64_t>::max());
  for (const DType dtype : kAllDTypes) {
    all.add_plain("A13", dtype, 1, encode(dtype, {-3, -1, -7}), {1}, {2});
    all.add_plain("A13", dtype, 1, encode(dtype, {-2, -3, -1}), {2}, {1});
    all.add_plain("A13", dtype, 1, encode(dtype, {3, 1, 7}), {2}, {1});
  }
}

inline void tie_reports(Reports& all) {
  for (const DType dtype : kAllDTypes) {
    all.add_plain("A02", dtype, 1, encode(dtype, {1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0}),
                  {0}, {8});
    all.add_plain("A02", dtype, 1, encode(dtype, {1, 2, 3, 4, -4, -3, -2, -1}), {3}, {4});
    for (int value = -10; value < 10; ++value) {
      all.add_plain("A16", dtype, 1, encode(dtype, row_of(16, value)), {0}, {0}, 20);
    }
    for (const std::int64_t cols : {10, 1024, 4097, 129280}) {
      all.add_plain("A16", dtype, 1, encode(dtype, row_of(cols, 1)), {0}, {0}, 20);
    }
  }
  all.add_plain("A15", DType::int64, 2, encode(DType::int64, {2, 3, 0, 3, 3, 1, 3, 1, 3, 1}),
                {1, 1}, {2, 0}, 100);
  std::vector<double> steps;
  for (const int ones_from : {0, 2, 4, 6, 6}) {
    for (int col = 0; col < 9; ++col) steps.push_back(col < ones_from ? 0 : 1);
  }
  all.add_plain("A15", DType::float32, 5, encode(DType::float32, steps), {0, 2, 4, 6, 6}, zeros(5),
                100);
  const auto pair = [&](std::int64_t cols, std::int64_t a, std::int64_t b) {
    all.add_plain("A17", DType::float32, 1,
                  encode(DType::float32, planted(cols, 0, {{a, 1}, {b, 1}})), {a}, {0});
  };
  pair(512, 5, 256);
  for (const std::int64_t b : {32, 64, 128, 256, 512, 1024}) {
    pair(4 * b, 5, b);
    pair(4 * b, b - 1, b);
    pair(4 * b, 1, 2 * b);
  }
  pair(262144, 100003, 200001);
}

/// Values and positions that a narrower type on the way would merge.
inline void precision_reports(Reports& all) {
  const DType f32 = DType::float32;
  all.add_plain("A14", f32, 1, encode(f32, {0.1, 0.2, 0.3, 0.4, 0.0}), {3}, {4});
  all.add_plain("A14", f32, 1, encode(f32, {0.0, 0.25, 0.5, 0.75, 0.5}), {3}, {0});
  for (const std::int64_t cols : {255, 256, 257, 259, 300}) {
    std::vector<double> row;
    for (std::int64_t col = 0; col < cols; ++col) row.push_back(static_cast<double>(col));
    all.add_plain("A22", f32, 1, encode(f32, row), {cols - 1}, {0});
  }
  for (const std::int64_t col : {1025, 2049, 65537}) {
    all.add_plain("A22", DType::bfloat16, 1,
                  encode(DType::bfloat16, planted(col + 3, 0, {{col, 1}})), {col}, {0});
  }
  const std::vector<double> merged{49406, 320, 1125, 539, 320, 2368, 49407,
                                   49406, 320, 1125, 539, 320, 1929, 49407};
  all.add_plain("A23", f32, 2, encode(f32, merged), {6, 6}, {1, 1});
  all.add_plain("A23", DType::int32, 2, encode(DType::int32, merged), {6, 6}, {1, 1});
  all.add_plain("A23", DType::bfloat16, 2, encode(DType::bfloat16, merged), {0, 0}, {1, 1});
  all.add_plain("A24", DType::int64, 1,
                encode_exactly<std::int64_t>({9007199254740992, 9007199254740993}), {1}, {0});
  all.add_plain("A24", DType::int32, 1, encode(DType::int32, {16777216, 16777217}), {1}, {0});
  all.add_plain("A24", DType::float64, 1, encode(DType::float64, {1.0, 1.0 + 0x1p-52}), {1}, {0});
}

/// Rows of one element, more of them than a grid or an index of 16 bits holds.
inline void single_column_reports(Reports& all) {
  for (const std::int64_t rows : {1, 32, 32767, 32768, 36000, 65536, 1000003}) {
    Bytes input(static_cast<std::size_t>(rows) * sizeof(float));
    fill("random", DType::float32, {rows, 1, 1}, 20, input);
    all.add_plain("A20", DType::float32, rows, input, zeros(rows), zeros(rows));
  }
}

inline std::vector<Report> argminmax_reports() {
  Reports all;
  nan_reports(all);
  identity_reports(all);
  tie_reports(all);
  precision_reports(all);
  single_column_reports(all);
  return all.list();
}

}  // namespace redux::contract
