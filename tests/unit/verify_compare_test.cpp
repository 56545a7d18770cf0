#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "core/half.hpp"
#include "verify/verify.hpp"

namespace redux {
namespace {

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

template <class T>
std::string text(DType dtype, T value) {
  return element_text(dtype, reinterpret_cast<const std::byte*>(&value));
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

TEST(VerifyCompare, EqualOutputsCount) {
  const TensorSpec spec{"indices", DType::int64, {2, 2}};
  const std::vector<std::int64_t> values{1, 2, 3, 4};
  Verification result;
  compare_output(spec, bytes_of(values), bytes_of(values), 0, result);
  compare_output(spec, bytes_of(values), bytes_of(values), 1, result);
  EXPECT_EQ(result.checked, 8);
  EXPECT_EQ(result.mismatches, 0);
  EXPECT_FALSE(result.first.has_value());
}

TEST(VerifyCompare, TheFirstMismatchIsKeptAndAllAreCounted) {
  const TensorSpec spec{"indices", DType::int64, {4}};
  const std::vector<std::int64_t> expected{1, 2, 3, 4};
  const std::vector<std::int64_t> got{1, 7, 3, -5};
  Verification result;
  compare_output(spec, bytes_of(got), bytes_of(expected), 3, result);
  compare_output(spec, bytes_of(expected), bytes_of(got), 4, result);
  EXPECT_EQ(result.checked, 8);
  EXPECT_EQ(result.mismatches, 4);
  ASSERT_TRUE(result.first.has_value());
  EXPECT_EQ(result.first->output, "indices");
  EXPECT_EQ(result.first->position, 1);
  EXPECT_EQ(result.first->got, "7");
  EXPECT_EQ(result.first->expected, "2");
  EXPECT_EQ(result.first->copy, 3);
}

TEST(VerifyCompare, PoisonSaysThatNothingWasWritten) {
  std::vector<std::int64_t> got(1);
  std::memset(got.data(), kPoisonByte, sizeof(std::int64_t));
  Verification result;
  compare_output({"indices", DType::int64, {1}}, bytes_of(got),
                 bytes_of(std::vector<std::int64_t>{0}), 0, result);
  ASSERT_TRUE(result.first.has_value());
  EXPECT_EQ(result.first->got, "-3761688987579986997 (never written)");
  EXPECT_TRUE(is_poison(bytes_of(got)));
  EXPECT_FALSE(is_poison(bytes_of(std::vector<std::int64_t>{203})));
}

TEST(VerifyCompare, BitsTellZerosAndNansApartAndValuesDoNot) {
  const std::vector<float> a{-0.0F, kNan, 1.0F, kInf};
  const std::vector<float> b{0.0F, -kNan, 1.0F, kInf};
  for (const Match match : {Match::bits, Match::ieee}) {
    Verification result;
    compare_output({"values", DType::float32, {4}, match}, bytes_of(a), bytes_of(b), 0, result);
    EXPECT_EQ(result.mismatches, match == Match::bits ? 2 : 0);
  }
}

TEST(VerifyCompare, ValuesStillDiffer) {
  const auto mismatches = [](float got, float expected) {
    Verification result;
    compare_output({"values", DType::float32, {1}, Match::ieee}, bytes_of(std::vector{got}),
                   bytes_of(std::vector{expected}), 0, result);
    return result.mismatches;
  };
  EXPECT_EQ(mismatches(kNan, 1.0F), 1);
  EXPECT_EQ(mismatches(1.0F, kNan), 1);
  EXPECT_EQ(mismatches(kInf, -kInf), 1);
  EXPECT_EQ(mismatches(1.0F, std::nextafter(1.0F, 2.0F)), 1);
}

TEST(VerifyCompare, SixteenBitValues) {
  const std::vector<std::uint16_t> got{0x8000, 0xFE01, 0x3C00};
  const std::vector<std::uint16_t> expected{0x0000, 0x7E00, 0x3C01};
  Verification result;
  compare_output({"values", DType::float16, {3}, Match::ieee}, bytes_of(got), bytes_of(expected), 0,
                 result);
  EXPECT_EQ(result.mismatches, 1);
  EXPECT_EQ(result.first->position, 2);
}

TEST(VerifyCompare, IntegersUnderIeeeAreComparedByBits) {
  Verification result;
  compare_output({"values", DType::int32, {1}, Match::ieee}, bytes_of(std::vector<std::int32_t>{1}),
                 bytes_of(std::vector<std::int32_t>{2}), 0, result);
  EXPECT_EQ(result.mismatches, 1);
}

TEST(VerifyCompare, NoElementsAreNoMismatch) {
  Verification result;
  compare_output({"indices", DType::int64, {0}}, {}, {}, 0, result);
  EXPECT_EQ(result.checked, 0);
  EXPECT_EQ(result.mismatches, 0);
}

TEST(VerifyCompare, WrongSizesAreAFaultOfTheCaller) {
  Verification result;
  EXPECT_THROW(
      compare_output({"indices", DType::int64, {2}}, bytes_of(std::vector<std::int64_t>{1}),
                     bytes_of(std::vector<std::int64_t>{1, 2}), 0, result),
      std::invalid_argument);
}

TEST(VerifyText, ShortestThatRoundTrips) {
  EXPECT_EQ(text(DType::float32, 0.1F), "0.1");
  EXPECT_EQ(text(DType::float64, 0.1), "0.1");
  EXPECT_EQ(text(DType::float64, 0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(text(DType::float16, to_float16(0.1F)), "0.1");
  EXPECT_EQ(text(DType::float16, Float16{0x7BFF}), "65500");
  EXPECT_EQ(text(DType::bfloat16, to_bfloat16(3.14F)), "3.14");
  EXPECT_EQ(text(DType::float32, kNan), "NaN");
  EXPECT_EQ(text(DType::float32, -kInf), "-inf");
  EXPECT_EQ(text(DType::float16, Float16{0xFC00}), "-inf");
  EXPECT_EQ(text(DType::bfloat16, BFloat16{0xFFC0}), "NaN");
  EXPECT_EQ(text(DType::float32, -0.0F), "-0");
  EXPECT_EQ(text(DType::int32, std::int32_t{-7}), "-7");
  EXPECT_EQ(text(DType::int64, std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
}

}  // namespace
}  // namespace redux
