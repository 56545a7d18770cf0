// Match::bounded: floats that may differ by what the op allows, and by no more.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "verify/verify.hpp"

namespace redux {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Verification compare(const std::vector<double>& got, const std::vector<double>& expected,
                     const std::vector<double>& allowed) {
  const TensorSpec spec{
      "values", DType::float64, {static_cast<std::int64_t>(got.size())}, Match::bounded};
  Verification result;
  compare_output(spec, std::as_bytes(std::span(got)), std::as_bytes(std::span(expected)), 2, result,
                 allowed);
  return result;
}

std::int64_t mismatches(double got, double expected, double allowed) {
  return compare({got}, {expected}, {allowed}).mismatches;
}

TEST(VerifyBounded, TheBoundItselfIsAllowedAndNothingBeyond) {
  EXPECT_EQ(mismatches(1.5, 1.0, 0.5), 0);
  EXPECT_EQ(mismatches(0.5, 1.0, 0.5), 0);
  EXPECT_EQ(mismatches(std::nextafter(1.5, 2.0), 1.0, 0.5), 1);
  EXPECT_EQ(mismatches(0.5 - 0x1p-53, 1.0, 0.5), 1);
}

TEST(VerifyBounded, ABoundOfZeroAsksForTheValue) {
  EXPECT_EQ(mismatches(1.0, 1.0, 0), 0);
  EXPECT_EQ(mismatches(std::nextafter(1.0, 2.0), 1.0, 0), 1);
  EXPECT_EQ(mismatches(-0.0, 0.0, 0), 0);
  EXPECT_EQ(mismatches(5e-324, 0.0, 0), 1);
}

TEST(VerifyBounded, NansAndInfinitiesEqualOnlyThemselves) {
  EXPECT_EQ(mismatches(-kNan, kNan, 1.0), 0);
  EXPECT_EQ(mismatches(kInf, kInf, 1.0), 0);
  EXPECT_EQ(mismatches(kNan, 1.0, 1e300), 1);
  EXPECT_EQ(mismatches(1.0, kNan, 1e300), 1);
  EXPECT_EQ(mismatches(kInf, 1.0, 1e300), 1);
  EXPECT_EQ(mismatches(1.0, -kInf, 1e300), 1);
  EXPECT_EQ(mismatches(-kInf, kInf, 1e300), 1);
  EXPECT_EQ(mismatches(kNan, kInf, 1e300), 1);
}

TEST(VerifyBounded, AnInfiniteBoundTakesWhateverWasWritten) {
  double poison = 0;
  std::memset(&poison, kPoisonByte, sizeof(poison));
  for (const double got : {0.0, kInf, -kInf, kNan}) EXPECT_EQ(mismatches(got, 7.0, kInf), 0);
  const Verification result = compare({poison}, {7.0}, {kInf});
  EXPECT_EQ(result.mismatches, 1);
  EXPECT_TRUE(result.first.value().got.ends_with(" (never written)")) << result.first->got;
}

TEST(VerifyBounded, EachElementHasItsOwnBoundAndTheReportNamesIt) {
  const Verification result =
      compare({1.25, 2.25, 3.25, 4.0}, {1.0, 2.0, 3.0, 4.0}, {0.25, 0.125, 0.0, 0.0});
  EXPECT_EQ(result.checked, 4);
  EXPECT_EQ(result.mismatches, 2);
  ASSERT_TRUE(result.first.has_value());
  EXPECT_EQ(result.first->output, "values");
  EXPECT_EQ(result.first->position, 1);
  EXPECT_EQ(result.first->got, "2.25");
  EXPECT_EQ(result.first->expected, "2 give or take 0.125");
  EXPECT_EQ(result.first->copy, 2);
}

TEST(VerifyBounded, WithoutABoundForEachFloatNothingIsCompared) {
  EXPECT_THROW(compare({1.0, 2.0}, {1.0, 2.0}, {0.5}), std::invalid_argument);
  EXPECT_THROW(compare({1.0}, {1.0}, {}), std::invalid_argument);
  const std::vector<std::int64_t> whole{1};
  const std::vector<double> allowed{1.0};
  Verification result;
  EXPECT_THROW(
      compare_output({"values", DType::int64, {1}, Match::bounded}, std::as_bytes(std::span(whole)),
                     std::as_bytes(std::span(whole)), 0, result, allowed),
      std::invalid_argument);
}

}  // namespace
}  // namespace redux
