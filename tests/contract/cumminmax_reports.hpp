// Inputs from public bug reports of cummax and cummin, by the ids under which they are kept, and
// examples of what is right, with the answers written out: the reference is checked against them
// too.
#pragma once

#include "contract/cumminmax_property.hpp"

namespace redux::contract {

class ScanReports {
 public:
  [[nodiscard]] const std::vector<ScanReport>& list() const { return list_; }

  void add_whole(ScanReport report) { list_.push_back(std::move(report)); }
  /// Values of an answer are the elements at its indices: in the input's own bits.
  void add(const std::string& id, const std::string& op, DType dtype, const Scan& scan,
           const Bytes& input, const std::vector<std::int64_t>& indices) {
    const AxisView view = view_along(scan.dims, scan.axis);
    const std::size_t width = size_of(dtype);
    Bytes values(input.size());
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const auto flat = static_cast<std::int64_t>(i);
      const std::int64_t outer = flat / (view.length * view.inner);
      const std::int64_t from =
          (((outer * view.length) + indices[i]) * view.inner) + (flat % view.inner);
      std::memcpy(values.data() + (i * width),
                  input.data() + (static_cast<std::size_t>(from) * width), width);
    }
    list_.push_back({id, op, dtype, scan, input, {values, encode_exactly(indices)}});
  }
  /// One row; its values are written out, too. An empty list leaves that op out.
  struct Row {
    std::vector<double> values;
    std::vector<std::int64_t> indices;
  };
  void add_row(const std::string& id, DType dtype, const std::vector<double>& row,
               const Row& largest, const Row& smallest) {
    const Scan scan{{static_cast<std::int64_t>(row.size())}, -1};
    const auto one = [&](const char* op, const Row& answer) {
      if (answer.indices.empty()) return;
      const Outputs expected{encode(dtype, answer.values), encode_exactly(answer.indices)};
      list_.push_back({id, op, dtype, scan, encode(dtype, row), expected});
    };
    one("cummax", largest);
    one("cummin", smallest);
  }

 private:
  std::vector<ScanReport> list_;
};

inline void nan_and_zero_scans(ScanReports& all) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const DType dtype : {DType::float16, DType::bfloat16, DType::float32, DType::float64}) {
    all.add_row("C01", dtype, {1, 3, kNan, 5, 4}, {{1, 3, kNan, kNan, kNan}, {0, 1, 2, 2, 2}},
                {{1, 1, kNan, kNan, kNan}, {0, 0, 2, 2, 2}});
    all.add_row("latest NaN", dtype, {kNan, 9, kNan, 0}, {{kNan, kNan, kNan, kNan}, {0, 0, 2, 2}},
                {{kNan, kNan, kNan, kNan}, {0, 0, 2, 2}});
    all.add_row("zeros", dtype, {0.0, -0.0}, {{0.0, -0.0}, {0, 1}}, {{0.0, -0.0}, {0, 1}});
    all.add_row("zeros", dtype, {-0.0, 0.0, -1, 0.0}, {{-0.0, 0.0, 0.0, 0.0}, {0, 1, 1, 3}},
                {{-0.0, 0.0, -1, -1}, {0, 1, 2, 2}});
    all.add_row("infinities", dtype, {-kInf, -kInf, -kInf}, {{-kInf, -kInf, -kInf}, {0, 1, 2}},
                {{-kInf, -kInf, -kInf}, {0, 1, 2}});
    all.add_row("infinities", dtype, {kInf, kInf, 1}, {{kInf, kInf, kInf}, {0, 1, 1}},
                {{kInf, kInf, 1}, {0, 1, 2}});
  }
  // Sign and payload of the NaN that is returned are its own.
  using Half = std::uint16_t;
  const std::vector<std::int64_t> indices{0, 1, 1, 3};
  const Scan scan{{4}, 0};
  for (const char* op : {"cummax", "cummin"}) {
    all.add("payload", op, DType::float16, scan,
            encode_exactly<Half>({0x4500, 0xFE01, 0x4500, 0x7D23}), indices);
    all.add("payload", op, DType::bfloat16, scan,
            encode_exactly<Half>({0x40A0, 0xFFC1, 0x40A0, 0x7FA3}), indices);
    all.add("payload", op, DType::float32, scan,
            encode_exactly<std::uint32_t>({0x40A00000, 0xFFC00001, 0x40A00000, 0x7FC12345}),
            indices);
    all.add("payload", op, DType::float64, scan,
            encode_exactly<std::uint64_t>(
                {0x4014000000000000, 0xFFF8000000000001, 0x4014000000000000, 0x7FF8123456789ABC}),
            indices);
  }
}

inline void tie_scans(ScanReports& all) {
  for (const DType dtype : kAllDTypes) {
    all.add_row("C03", dtype, {1, 1, 1}, {{1, 1, 1}, {0, 1, 2}}, {{1, 1, 1}, {0, 1, 2}});
    all.add_row("C03", dtype, {2, 1, 2, 1, 2}, {{2, 2, 2, 2, 2}, {0, 0, 2, 2, 4}},
                {{2, 1, 1, 1, 1}, {0, 1, 1, 3, 3}});
  }
  // What stands in for "nothing yet" must not be met by data.
  const auto extremes = [&]<class T>(DType dtype, T least, T most) {
    const Scan scan{{4}, 0};
    all.add("least", "cummax", dtype, scan, encode_exactly<T>({least, least, least, least}),
            {0, 1, 2, 3});
    all.add("most", "cummin", dtype, scan, encode_exactly<T>({most, most, most, most}),
            {0, 1, 2, 3});
    all.add("neighbours", "cummax", dtype, scan,
            encode_exactly<T>({static_cast<T>(most - 1), most, static_cast<T>(most - 1), most}),
            {0, 1, 1, 3});
    all.add("neighbours", "cummin", dtype, scan,
            encode_exactly<T>({static_cast<T>(least + 1), least, static_cast<T>(least + 1), least}),
            {0, 1, 1, 3});
  };
  extremes(DType::int32, std::numeric_limits<std::int32_t>::min(),
           std::numeric_limits<std::int32_t>::max());
  extremes(DType::int64, std::numeric_limits<std::int64_t>::min(),
           std::numeric_limits<std::int64_t>::max());
}

/// Rows, and the same lying across.
inline void c04_scans(ScanReports& all) {
  const std::vector<std::int64_t> rows{3, 2, 2, 2, 6, 4, 7, 6, 1, 3, 2, 8, 2, 6, 3, 9, 3, 3, 5, 6,
                                       0, 3, 6, 2, 7, 2, 5, 0, 5, 1, 9, 3, 0, 2, 2, 8, 7, 9, 1, 3};
  const std::vector<std::int64_t> values{3, 3, 3, 3, 6, 6, 7, 7, 7, 7, 2, 8, 8, 8,
                                         8, 9, 9, 9, 9, 9, 0, 3, 6, 6, 7, 7, 7, 7,
                                         7, 7, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9};
  const std::vector<std::int64_t> indices{0, 0, 0, 0, 4, 4, 6, 6, 6, 6, 0, 1, 1, 1,
                                          1, 5, 5, 5, 5, 5, 0, 1, 2, 2, 4, 4, 4, 4,
                                          4, 4, 0, 0, 0, 0, 0, 0, 0, 7, 7, 7};
  const auto across = [](const std::vector<std::int64_t>& from) {
    std::vector<std::int64_t> to(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) to[(i % 10 * 4) + (i / 10)] = from[i];
    return to;
  };
  const auto add = [&](const Scan& scan, const auto& input, const auto& best, const auto& at) {
    all.add_whole({"C04",
                   "cummax",
                   DType::int64,
                   scan,
                   encode_exactly(input),
                   {encode_exactly(best), encode_exactly(at)}});
  };
  add({{4, 10}, 1}, rows, values, indices);
  add({{10, 4}, 0}, across(rows), across(values), across(indices));
}

/// C06: patterns (a) to (e) about the edge of a chunk. For cummin every value is negated.
inline void edge_scans(ScanReports& all, DType dtype, std::int64_t edge, std::int64_t cols) {
  const std::int64_t last = edge - 1;
  struct Pattern {
    const char* id;
    double (*value)(std::int64_t col, std::int64_t last);
    std::int64_t (*index)(std::int64_t col, std::int64_t last);
  };
  using I = std::int64_t;
  const std::array<Pattern, 5> patterns{
      {{"C06 a",
        [](I col, I) { return col == 0 ? 9000.0 : 8000.0 - static_cast<double>(col % 4096); },
        [](I, I) { return I{0}; }},
       {"C06 b", [](I, I) { return 5.0; }, [](I col, I) { return col; }},
       {"C06 c", [](I col, I) { return static_cast<double>(col); }, [](I col, I) { return col; }},
       {"C06 d",
        [](I col, I at) {
          return col == at ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(col);
        },
        [](I col, I at) { return std::min(col, at); }},
       {"C06 e", [](I col, I at) { return col == at || col == at + 1 ? 1.0 : 0.0; },
        [](I col, I at) { return std::min(col, at + 1); }}}};
  for (const Pattern& pattern : patterns) {
    if (std::string_view(pattern.id) == "C06 d" && !is_floating(dtype)) continue;
    std::vector<double> row;
    std::vector<double> negated;
    std::vector<std::int64_t> indices;
    for (std::int64_t col = 0; col < cols; ++col) {
      row.push_back(pattern.value(col, last));
      negated.push_back(-row.back());
      indices.push_back(pattern.index(col, last));
    }
    all.add(pattern.id, "cummax", dtype, {{1, cols}, -1}, encode(dtype, row), indices);
    all.add(pattern.id, "cummin", dtype, {{1, cols}, -1}, encode(dtype, negated), indices);
  }
}

/// As the row has them, and at every other power of two up to `largest`: tiles are of such sizes.
inline std::vector<ScanReport> edge_reports(DType dtype, std::int64_t largest) {
  ScanReports all;
  for (const std::int64_t cols : {1023, 1024, 1025, 2047, 2048, 2049, 4097}) {
    edge_scans(all, dtype, 1024, cols);
  }
  for (std::int64_t edge = 32; edge <= largest; edge *= 2) {
    for (const std::int64_t by : {-1, 0, 1}) edge_scans(all, dtype, edge + by, (2 * edge) + 1);
  }
  return all.list();
}

inline std::vector<ScanReport> cumminmax_reports() {
  ScanReports all;
  nan_and_zero_scans(all);
  tie_scans(all);
  c04_scans(all);
  return all.list();
}

/// C10: shapes without elements.
inline std::vector<Scan> empty_scans() {
  return {{{0}, 0},       {{0, 5}, 1},    {{4, 4, 0}, 2}, {{4, 4, 0}, -1},
          {{3, 0, 4}, 0}, {{3, 0, 4}, 1}, {{3, 0, 4}, 2}};
}

}  // namespace redux::contract
