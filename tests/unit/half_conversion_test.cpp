// 16-bit floats over all of their values.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/half.hpp"

namespace redux {
namespace {

template <class Half>
double value_of(std::uint16_t bits, int mantissa_bits, int bias) {
  const int exponent_bits = 15 - mantissa_bits;
  const int exponent = (bits >> mantissa_bits) & ((1 << exponent_bits) - 1);
  const int mantissa = bits & ((1 << mantissa_bits) - 1);
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, 1 - bias - mantissa_bits)
                    : std::ldexp((1 << mantissa_bits) + mantissa, exponent - bias - mantissa_bits);
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template <class Half, class Narrow>
void check_all(int mantissa_bits, int bias, Narrow narrow) {
  const unsigned infinity = 0x7FFFU & ~((1U << static_cast<unsigned>(mantissa_bits)) - 1U);
  for (unsigned bits = 0; bits <= 0xFFFF; ++bits) {
    const Half half{static_cast<std::uint16_t>(bits)};
    const float wide = to_float(half);
    const unsigned magnitude = bits & 0x7FFFU;
    if (magnitude > infinity) {
      ASSERT_TRUE(std::isnan(wide)) << bits;
      ASSERT_TRUE(std::isnan(to_float(narrow(wide)))) << bits;
      ASSERT_EQ(narrow(wide).bits & 0x8000U, bits & 0x8000U) << bits;
      continue;
    }
    if (magnitude == infinity) {
      ASSERT_TRUE(std::isinf(wide)) << bits;
    } else {
      ASSERT_EQ(static_cast<double>(wide), value_of<Half>(half.bits, mantissa_bits, bias)) << bits;
    }
    ASSERT_EQ(narrow(wide).bits, half.bits) << bits;
    if (magnitude >= infinity - 1) continue;
    // Half way to the next: to the even one; a float32 step to either side: to the nearer one.
    const float next = to_float(Half{static_cast<std::uint16_t>(bits + 1)});
    const auto middle = static_cast<float>((static_cast<double>(wide) + next) / 2);
    const unsigned even = (bits & 1U) == 0 ? bits : bits + 1;
    ASSERT_EQ(narrow(middle).bits, even) << bits;
    ASSERT_EQ(narrow(std::nextafter(middle, wide)).bits, bits) << bits;
    ASSERT_EQ(narrow(std::nextafter(middle, next)).bits, bits + 1) << bits;
  }
}

TEST(HalfConversion, EveryFloat16RoundTripsAndRoundsToNearestEven) {
  check_all<Float16>(10, 15, to_float16);
}

TEST(HalfConversion, EveryBFloat16RoundTripsAndRoundsToNearestEven) {
  check_all<BFloat16>(7, 127, to_bfloat16);
}

TEST(HalfConversion, OverflowAndUnderflow) {
  EXPECT_EQ(to_float16(65519.996F).bits, 0x7BFF);
  EXPECT_EQ(to_float16(65520.0F).bits, 0x7C00);
  EXPECT_EQ(to_float16(-1e30F).bits, 0xFC00);
  EXPECT_EQ(to_float16(1e-30F).bits, 0x0000);
  EXPECT_EQ(to_float16(-1e-30F).bits, 0x8000);
  EXPECT_EQ(to_bfloat16(std::numeric_limits<float>::max()).bits, 0x7F80);
  EXPECT_EQ(to_bfloat16(-0.0F).bits, 0x8000);
}

}  // namespace
}  // namespace redux
