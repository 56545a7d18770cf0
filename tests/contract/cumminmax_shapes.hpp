// On which shapes, axes and data every variant of cummax and cummin is checked.
#pragma once

#include "contract/contract.hpp"

namespace redux::contract {

/// Lines along one axis of a shape.
struct Scan {
  std::vector<std::int64_t> dims;
  int axis = -1;
};

inline Case scan_case(std::string_view op, DType dtype, const Scan& scan,
                      std::string data = "random") {
  Case c = make_case(op, dtype, scan.dims, std::move(data));
  c.attributes.axis = scan.axis;
  return c;
}

/// Either side of the widths of warps, blocks and tiles, all of which are powers of two.
inline std::vector<std::int64_t> lengths_around(std::int64_t smallest, std::int64_t largest) {
  std::vector<std::int64_t> lengths;
  for (std::int64_t edge = smallest; edge <= largest; edge *= 2) {
    for (const std::int64_t by : {-1, 0, 1}) lengths.push_back(edge + by);
  }
  return lengths;
}

inline constexpr std::array<std::int64_t, 10> kInnerSizes{1, 2, 3, 31, 32, 33, 64, 512, 513, 600};

/// The innermost axis: one row, few rows, and more rows than a block has.
inline std::vector<Scan> row_scans(std::int64_t longest) {
  std::vector<Scan> scans{{{0}, 0}, {{1}, 0}, {{2}, 0}, {{5, 0}, 1}, {{0, 5}, 1}};
  for (const std::int64_t length : lengths_around(32, longest)) {
    scans.push_back({{length}, -1});
    scans.push_back({{3, length}, 1});
    if (length <= 257) scans.push_back({{33, length}, -1});
  }
  for (const std::int64_t length : {1, 2, 5, 17}) scans.push_back({{70, length}, -1});
  for (const std::int64_t length : {33, 600}) scans.push_back({{2, 3, length}, 2});
  return scans;
}

/// Other axes: every inner size, long lines where it is small. An inner size of 1 is the innermost
/// axis once more.
inline std::vector<Scan> column_scans(std::int64_t longest) {
  std::vector<Scan> scans{{{0, 3}, 0}, {{3, 0, 4}, 0}, {{3, 0, 4}, 1}, {{3, 2, 0}, 1}};
  for (const std::int64_t inner : kInnerSizes) {
    for (const std::int64_t length : {1, 2, 31, 32, 33, 65}) scans.push_back({{length, inner}, 0});
    scans.push_back({{3, 17, inner}, 1});
    scans.push_back({{2, 33, inner}, -2});
    scans.push_back({{37, 2, inner}, 0});
  }
  for (const std::int64_t length : lengths_around(128, longest)) {
    scans.push_back({{length, 2}, 0});
    scans.push_back({{2, length, 3}, 1});
    if (length <= 1025) scans.push_back({{length, 33}, -2});
  }
  return scans;
}

inline std::vector<Scan> all_scans(std::int64_t longest) {
  std::vector<Scan> scans = row_scans(longest);
  const std::vector<Scan> columns = column_scans(longest);
  scans.insert(scans.end(), columns.begin(), columns.end());
  return scans;
}

/// Every kind on small inputs; on large ones those that differ in kind of work.
inline std::vector<std::string> kinds_for(const Op& op, const Scan& scan) {
  constexpr std::int64_t kMany = 4096;
  if (Shape{scan.dims, {}}.elements().value() <= kMany) return op.data_kinds;
  return {"random", "ties", "specials", "document_starts"};
}

inline void check_scans(Ground& ground, std::string_view op, DType dtype,
                        const std::vector<Scan>& scans, Tally& tally, int calls = 1) {
  for (const Scan& scan : scans) {
    Case c = scan_case(op, dtype, scan);
    for (const std::string& kind : kinds_for(*c.op, scan)) {
      c.data = kind;
      Bytes input = make_inputs(c).front();
      ground.load(input, dtype, 0);
      check_loaded(ground, c, reference_of(c, input), tally, {}, calls);
    }
  }
}

/// Where input and outputs start: each aligned to its element, together and apart.
struct Offsets {
  std::int64_t input = 0;
  std::int64_t outputs = 0;
};

inline std::vector<Offsets> offsets_for(DType dtype) {
  const auto most = std::max<std::int64_t>(static_cast<std::int64_t>(16 / size_of(dtype)), 2);
  std::vector<Offsets> offsets{{0, 1}};
  for (std::int64_t offset = 1; offset < most; ++offset) {
    offsets.push_back({offset, 0});
    offsets.push_back({offset, offset});
  }
  return offsets;
}

inline constexpr std::array kOffsetKinds{"random", "ties", "nan_middle", "document_starts"};

/// One kind of data for each shape and pair of offsets, in turn.
inline void check_offsets(Ground& ground, std::string_view op, DType dtype,
                          const std::vector<Scan>& scans, Tally& tally) {
  std::size_t turn = 0;
  for (const Scan& scan : scans) {
    for (const Offsets& offsets : offsets_for(dtype)) {
      Case c = scan_case(op, dtype, scan, kOffsetKinds.at(turn++ % kOffsetKinds.size()));
      Bytes input = make_inputs(c).front();
      ground.load(input, dtype, offsets.input);
      ground.offset_outputs(offsets.outputs);
      check_loaded(ground, c, reference_of(c, input), tally,
                   "input offset by " + std::to_string(offsets.input) + ", outputs by " +
                       std::to_string(offsets.outputs));
    }
    ++turn;
  }
  ground.offset_outputs(0);
}

}  // namespace redux::contract
