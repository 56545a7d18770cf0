// Positions near 2^31 on a row of 2^31 - 1 columns that has its addresses and takes no memory:
// pages of an anonymous mapping that are only read are all one page of zeros.
#include "simt/argminmax_widest_row.hpp"

#include <sys/mman.h>

#include <array>
#include <new>

#include "backend/simt/fault.hpp"
#include "core/half.hpp"
#include "simt/simt_ground.hpp"

namespace redux::contract {
namespace {

using simt_widest_row::kCols;
using simt_widest_row::kLanes;
using simt_widest_row::Walk;

/// Zeros, a 1 in the last column.
class WidestRow {
 public:
  /// `offset`: elements past a page.
  explicit WidestRow(std::int64_t offset) {
    void* mapped = ::mmap(nullptr, kMapped, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    begin_ = mapped;
    row_ = static_cast<Float16*>(mapped) + offset;
    row_[kCols - 1] = to_float16(1.0F);
    buffer_.emplace(row_, kCols * sizeof(Float16), simt::Role::input, "the row", true);
  }
  WidestRow(const WidestRow&) = delete;
  WidestRow& operator=(const WidestRow&) = delete;
  ~WidestRow() { ::munmap(begin_, kMapped); }
  [[nodiscard]] const void* row() const { return row_; }

 private:
  static constexpr std::size_t kMapped = (std::size_t{1} << 32U) + 65536;
  void* begin_ = nullptr;
  Float16* row_ = nullptr;
  std::optional<simt::Buffer> buffer_;
};

std::array<std::int64_t, kLanes> scan(Walk walk, bool propagate, const WidestRow& row) {
  std::array<std::int64_t, kLanes> indices{};
  const simt::Buffer buffer(indices.data(), sizeof(indices), simt::Role::written, "the indices",
                            false);
  simt::set({});
  simt_widest_row::scan_with_last_warp(walk, propagate, row.row(), indices.data());
  return indices;
}

/// The lane that has the last column finds it; the others find their first zero.
void expect_found(Walk walk, std::int64_t offset, std::int64_t lane_of_last,
                  std::int64_t first_of_lane_0, std::int64_t step) {
  const WidestRow row(offset);
  for (const bool propagate : {false, true}) {
    const auto indices = scan(walk, propagate, row);
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
      const std::int64_t first = first_of_lane_0 + (lane * step);
      EXPECT_EQ(indices[static_cast<std::size_t>(lane)], lane == lane_of_last ? kCols - 1 : first)
          << "lane " << lane << ", offset " << offset;
    }
  }
}

TEST(SimtWidestRow, DifferencesOf32BitsReachTheLastColumnAndEnd) {
  expect_found(Walk::differences, 0, 30, 65536 - kLanes, 1);
}

TEST(SimtWidestRow, DifferencesOf64BitsToo) {
  expect_found(Walk::differences_of_64_bits, 0, 30, 65536 - kLanes, 1);
}

TEST(SimtWidestRow, TheLastPartInVectorsToo) {
  // 268435456 vectors of 8, in parts of 524288; thread 480 and on of the last part.
  constexpr std::int64_t kFirst = (511 * 524288L) + 480;
  expect_found(Walk::vectors, 0, 31, kFirst * 8, 8);
  expect_found(Walk::vectors, 1, 31, (kFirst * 8) - 1, 8);  // vectors start before the row
}

/// The fault of positions that are sums, which a narrower row or a smaller type would not show.
TEST(SimtWidestRow, SumsOf32BitsLeaveTheRow) {
  const WidestRow row(0);
  for (const bool propagate : {false, true}) {
    try {
      scan(Walk::sums, propagate, row);
      ADD_FAILURE() << "sums came to an end";
    } catch (const simt::Fault& fault) {
      EXPECT_EQ(fault.kind(), simt::FaultKind::out_of_bounds) << fault.what();
      EXPECT_NE(std::string(fault.what()).find("before the start of the row"), std::string::npos)
          << fault.what();
    }
  }
}

}  // namespace
}  // namespace redux::contract
