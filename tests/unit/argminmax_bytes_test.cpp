// What argmax and argmin move, and how little of it some data needs.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "core/op.hpp"
#include "core/registry.hpp"

namespace redux {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::int64_t least_bytes(Nan nan, std::vector<float> values) {
  const Op* op = Registry::instance().find_op("argmax");
  Case c;
  c.op = op;
  c.dtype = DType::float32;
  c.shape.dims = {2, static_cast<std::int64_t>(values.size()) / 2};
  c.attributes.nan = nan;
  std::vector<std::int64_t> indices(2);
  const auto count = static_cast<std::int64_t>(values.size());
  const std::vector<View> in{{values.data(), DType::float32, count}};
  const std::vector<View> out{{indices.data(), DType::int64, 2}};
  const Problem problem{.the_case = &c, .inputs = in, .outputs = out};
  op->reference(problem);
  EXPECT_EQ(op->bytes_moved(c), (count * 4) + (2 * 8));
  return op->least_bytes(problem);
}

TEST(ArgMinMaxBytes, AreAllNeededWithoutNan) {
  EXPECT_EQ(least_bytes(Nan::propagate, {4, 3, 2, 1, 1, 2, 3, 4}), 8 * 4 + 2 * 8);
}

TEST(ArgMinMaxBytes, NeedNothingBehindANanThatWins) {
  EXPECT_EQ(least_bytes(Nan::propagate, {4, kNan, 2, 1, 1, 2, 3, 4}), (2 + 4) * 4 + 2 * 8);
  EXPECT_EQ(least_bytes(Nan::skip, {kNan, 3, 2, 1, 1, 2, 3, 4}), (1 + 4) * 4 + 2 * 8);
}

// One H200 wrote the zeros of 7840000 rows faster than it could have read the rows too.
TEST(ArgMinMaxBytes, OfOneColumnNothingNeedsReading) {
  EXPECT_EQ(least_bytes(Nan::propagate, {4, 3}), 2 * 8);
  EXPECT_EQ(least_bytes(Nan::skip, {kNan, 3}), 2 * 8);
}

TEST(ArgMinMaxBytes, AreAllNeededWhereANanIsSkipped) {
  EXPECT_EQ(least_bytes(Nan::skip, {4, kNan, 2, 1, 1, 2, 3, 4}), 8 * 4 + 2 * 8);
}

}  // namespace
}  // namespace redux
