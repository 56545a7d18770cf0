// Rows as a scan library sees them: one flat sequence, of which each element can tell its row and
// its position; and (value, index) pairs that are made when read and taken apart when written, so
// that no array of pairs is in memory.
#pragma once

#include <bit>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>

#include "cumminmax/lines.hpp"
#include "cumminmax/order.cuh"

namespace redux::cumminmax {

/// Rows of `cols` elements within a sequence of fewer than 2^31. Divides by multiplying with the
/// reciprocal, rounded up, in units of 2^-shift: exact for dividends below 2^31 (Granlund and
/// Montgomery, "Division by invariant integers using multiplication", PLDI 1994).
class RowDivider {
 public:
  explicit RowDivider(std::int64_t cols)
      : cols_(static_cast<std::uint32_t>(cols)),
        shift_(31U + static_cast<std::uint32_t>(std::bit_width(cols_ - 1))),
        reciprocal_(((std::uint64_t{1} << shift_) + cols_ - 1) / cols_) {}

  __host__ __device__ std::uint32_t row(std::uint32_t i) const {
    return static_cast<std::uint32_t>((i * reciprocal_) >> shift_);
  }
  __host__ __device__ std::uint32_t position(std::uint32_t i) const { return i - (row(i) * cols_); }

 private:
  std::uint32_t cols_;
  std::uint32_t shift_;
  std::uint64_t reciprocal_;
};

/// What an iterator of a library needs to say of itself.
template <class Value>
struct Iterator {
  using value_type = Value;
  using reference = Value;
  using pointer = const Value*;
  using difference_type = std::int64_t;
  using iterator_category = std::random_access_iterator_tag;
};

/// The row of each element: keys for scans by key.
struct RowKeys : Iterator<std::uint32_t> {
  RowDivider rows;
  std::uint32_t at = 0;

  explicit RowKeys(const RowDivider& divider, std::uint32_t first = 0) : rows(divider), at(first) {}
  __host__ __device__ std::uint32_t operator[](std::int64_t i) const {
    return rows.row(at + static_cast<std::uint32_t>(i));
  }
  __host__ __device__ std::uint32_t operator*() const { return (*this)[0]; }
  __host__ __device__ RowKeys operator+(std::int64_t i) const {
    RowKeys moved = *this;
    moved.at += static_cast<std::uint32_t>(i);
    return moved;
  }
};

/// An element and its flat index.
template <class Storage>
struct FlatPair {
  Storage value;
  std::uint32_t index;
};

/// Each element with its flat index.
template <class Storage>
struct PairInput : Iterator<FlatPair<Storage>> {
  const Storage* input;
  std::uint32_t at = 0;

  __host__ __device__ explicit PairInput(const Storage* from) : input(from) {}
  __device__ FlatPair<Storage> operator[](std::int64_t i) const {
    return {input[i], at + static_cast<std::uint32_t>(i)};
  }
  __device__ FlatPair<Storage> operator*() const { return (*this)[0]; }
  __host__ __device__ PairInput operator+(std::int64_t i) const {
    PairInput moved = *this;
    moved.input += i;
    moved.at += static_cast<std::uint32_t>(i);
    return moved;
  }
};

/// Writes a pair's value and its position: in its row if `kManyRows`, else its flat index.
template <class Storage, bool kManyRows>
struct PairOutput : Iterator<FlatPair<Storage>> {
  /// One element to be assigned to.
  struct Target {
    Storage* value;
    std::int64_t* index;
    RowDivider rows;
    __device__ const Target& operator=(const FlatPair<Storage>& pair) const {
      *value = pair.value;
      *index = kManyRows ? rows.position(pair.index) : pair.index;
      return *this;
    }
  };
  using reference = Target;
  Storage* values;
  std::int64_t* indices;
  RowDivider rows;

  __host__ __device__ PairOutput(Storage* to, std::int64_t* at, const RowDivider& divider)
      : values(to), indices(at), rows(divider) {}
  __device__ Target operator[](std::int64_t i) const { return {values + i, indices + i, rows}; }
  __device__ Target operator*() const { return (*this)[0]; }
  __host__ __device__ PairOutput operator+(std::int64_t i) const {
    return {values + i, indices + i, rows};
  }
};

/// What the library's scans cannot do, beside what no scan of rows can.
inline std::string unsupported_by_library(const Case& c, const DeviceFacts& device) {
  const AxisView view = axis_of(c);
  constexpr std::int64_t kOneRow = std::numeric_limits<std::uint32_t>::max();
  constexpr std::int64_t kManyRows = std::numeric_limits<std::int32_t>::max();
  if (view.inner == 1 && view.outer == 1 && view.length > kOneRow) {
    return "positions of 32 bits: at most 4294967295 elements";
  }
  if (view.inner == 1 && view.outer > 1 && view.outer * view.length > kManyRows) {
    return "rows are told apart by 31-bit positions: at most 2147483647 elements";
  }
  return needs_rows(c, device);
}

}  // namespace redux::cumminmax
