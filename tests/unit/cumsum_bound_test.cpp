// What cumsum allows a float to be off by, and the reference that it is measured from.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "core/registry.hpp"
#include "verify/verify.hpp"

namespace redux {
namespace {

template <class T>
constexpr DType kDType = std::is_same_v<T, float>    ? DType::float32
                         : std::is_same_v<T, double> ? DType::float64
                                                     : DType::int32;

template <class T>
struct Answer {
  std::vector<T> values;
  std::vector<double> allowed;
};

template <class T>
Answer<T> cumsum(std::vector<T> input, std::vector<std::int64_t> dims = {}, int axis = -1) {
  Case c;
  c.op = Registry::instance().find_op("cumsum");
  c.dtype = kDType<T>;
  c.attributes = c.op->defaults;
  c.attributes.axis = axis;
  const auto count = static_cast<std::int64_t>(input.size());
  c.shape.dims = dims.empty() ? std::vector{count} : std::move(dims);
  Answer<T> answer;
  answer.values.resize(input.size());
  const View in{input.data(), c.dtype, count};
  const View out{answer.values.data(), c.dtype, count};
  const Problem problem{.the_case = &c, .inputs = {&in, 1}, .outputs = {&out, 1}};
  c.op->reference(problem);
  answer.allowed = allowed_differences(problem, 0);
  return answer;
}

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kLargest = std::numeric_limits<float>::max();

TEST(CumsumBound, GrowsWithAdditionsAndMagnitudes) {
  const auto [values, allowed] = cumsum<float>({1, -3, 0, 4});
  EXPECT_EQ(values, (std::vector<float>{1, -2, -2, 2}));
  EXPECT_EQ(allowed, (std::vector<double>{0, 3 * 0x1p-24 * 4, 3 * 0x1p-24 * 4, 4 * 0x1p-24 * 8}));
}

TEST(CumsumBound, Float64HasItsOwnUnit) {
  EXPECT_EQ(cumsum<double>({1, 1}).allowed, (std::vector<double>{0, 3 * 0x1p-53 * 2}));
}

TEST(CumsumBound, ZerosOfEitherSignAddNothing) {
  const auto [values, allowed] = cumsum<float>({-0.0F, 0, 5, -0.0F, 0});
  EXPECT_EQ(values, (std::vector<float>{0, 0, 5, 5, 5}));
  EXPECT_EQ(allowed, std::vector<double>(5, 0));
}

TEST(CumsumBound, IntegersWrapAndHaveNoBound) {
  constexpr auto kMax = std::numeric_limits<std::int32_t>::max();
  const auto [values, allowed] = cumsum<std::int32_t>({kMax, 1, -1, kMax});
  EXPECT_EQ(values, (std::vector<std::int32_t>{kMax, -kMax - 1, kMax, -2}));
  EXPECT_TRUE(allowed.empty());
}

TEST(CumsumBound, TheReferenceKeepsWhatARunningSumLoses) {
  EXPECT_EQ(cumsum<float>({0x1p24F, 1, 1, -0x1p24F}).values.back(), 2);
  EXPECT_EQ(cumsum<double>({1e16, 1, 1, -1e16}).values.back(), 2);
  EXPECT_EQ(cumsum<double>({1, 1e100, 1, -1e100}).values.back(), 2);
}

TEST(CumsumBound, ARunningSumInFloat32StaysWithin) {
  std::vector<float> input(5000, 0.1F);
  const auto [values, allowed] = cumsum(input);
  float sum = 0;
  double furthest = 0;
  for (std::size_t i = 0; i < input.size(); ++i) {
    sum += input[i];
    const double off = std::abs(static_cast<double>(sum) - static_cast<double>(values[i]));
    EXPECT_LE(off, allowed[i]) << i;
    furthest = std::max(furthest, off);
  }
  EXPECT_GT(furthest, 0.0);  // else nothing was shown
}

TEST(CumsumBound, InfinitiesAndNansAreExpectedAsTheyAre) {
  const auto [values, allowed] = cumsum<float>({1, kInf, 2, -kInf, 3});
  EXPECT_EQ(values[2], kInf);
  EXPECT_TRUE(std::isnan(values[3]) && std::isnan(values[4]));
  const auto nan = cumsum<float>({1, kNan, 2});
  EXPECT_TRUE(std::isnan(nan.values[1]) && std::isnan(nan.values[2]));
  for (const double difference : allowed) EXPECT_TRUE(std::isfinite(difference));
  for (const double difference : nan.allowed) EXPECT_TRUE(std::isfinite(difference));
}

TEST(CumsumBound, WhereTheOrderDecidesOnAnOverflowNothingIsSaid) {
  const auto allowed = cumsum<float>({kLargest, 0, -kLargest, 1}).allowed;
  EXPECT_EQ(allowed[0], 0);
  EXPECT_EQ(allowed[1], 0);
  EXPECT_TRUE(std::isinf(allowed[2]) && std::isinf(allowed[3]));
  EXPECT_TRUE(std::isinf(cumsum<double>({1e308, -1e308}).allowed[1]));
}

TEST(CumsumBound, LinesAcrossRowsAreApart) {
  const auto [values, allowed] = cumsum<float>({1, 10, 2, 20, 4, 40}, {3, 2}, 0);
  EXPECT_EQ(values, (std::vector<float>{1, 10, 3, 30, 7, 70}));
  EXPECT_EQ(allowed[0], 0);
  EXPECT_EQ(allowed[1], 0);
  EXPECT_EQ(allowed[4], 4 * 0x1p-24 * 7);
  EXPECT_EQ(allowed[5], 4 * 0x1p-24 * 70);
}

TEST(CumsumBound, AnOpThatStatesNoBoundCannotAskForOne) {
  Op op = *Registry::instance().find_op("cumsum");
  op.allowed_differences = nullptr;
  Case c;
  c.op = &op;
  c.shape.dims = {1};
  Problem problem;
  problem.the_case = &c;
  EXPECT_THROW(allowed_differences(problem, 0), std::logic_error);
}

}  // namespace
}  // namespace redux
