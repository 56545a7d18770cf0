// The data kinds: what each promises, in every dtype, and that the bytes never change.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "core/half.hpp"
#include "data/data.hpp"
#include "data/generator.hpp"

namespace redux {
namespace {

using Bytes = std::vector<std::byte>;

Bytes filled(std::string_view kind, DType dtype, const AxisView& view, std::uint64_t seed = 42) {
  Bytes bytes(static_cast<std::size_t>(view.outer * view.length * view.inner) * size_of(dtype));
  fill(kind, dtype, view, seed, bytes);
  return bytes;
}

template <class T>
std::vector<T> as(const Bytes& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// Exact for every dtype but large int64.
std::vector<long double> numbers(DType dtype, const Bytes& bytes) {
  std::vector<long double> out;
  const auto add = [&]<class T>(T) {
    for (const T value : as<T>(bytes)) {
      if constexpr (requires { value.bits; }) {
        out.push_back(to_float(value));
      } else {
        out.push_back(static_cast<long double>(value));
      }
    }
  };
  switch (dtype) {
    case DType::float16:
      add(Float16{});
      break;
    case DType::bfloat16:
      add(BFloat16{});
      break;
    case DType::float32:
      add(float{});
      break;
    case DType::float64:
      add(double{});
      break;
    case DType::int32:
      add(std::int32_t{});
      break;
    case DType::int64:
      add(std::int64_t{});
      break;
  }
  return out;
}

std::uint64_t fnv1a(const Bytes& bytes) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const std::byte b : bytes) {
    hash = (hash ^ static_cast<std::uint64_t>(b)) * 0x100000001B3U;
  }
  return hash;
}

class EveryDType : public testing::TestWithParam<DType> {};
INSTANTIATE_TEST_SUITE_P(Data, EveryDType, testing::ValuesIn(kAllDTypes),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST_P(EveryDType, BytesAreTheSameForAnyNumberOfThreads) {
  const int threads = omp_get_max_threads();
  const AxisView view{3, 20011, 2};
  for (const std::string_view kind : tensor_data_kinds()) {
    omp_set_num_threads(1);
    const Bytes one = filled(kind, GetParam(), view);
    omp_set_num_threads(7);
    EXPECT_EQ(filled(kind, GetParam(), view), one) << kind;
  }
  omp_set_num_threads(threads);
}

TEST_P(EveryDType, SeedsDiffer) {
  for (const char* kind : {"random", "ties", "specials", "logits"}) {
    EXPECT_NE(filled(kind, GetParam(), {1, 1000, 1}, 1), filled(kind, GetParam(), {1, 1000, 1}, 2))
        << kind;
  }
}

TEST_P(EveryDType, AnElementDependsOnItsPlaceAlone) {
  // The first row of two is the row of one.
  for (const std::string_view kind : tensor_data_kinds()) {
    const Bytes one = filled(kind, GetParam(), {1, 777, 1});
    Bytes two = filled(kind, GetParam(), {2, 777, 1});
    two.resize(one.size());
    EXPECT_EQ(two, one) << kind;
  }
}

TEST_P(EveryDType, TiesAreWholeNumbersFromZeroToTen) {
  const auto values = numbers(GetParam(), filled("ties", GetParam(), {1, 4000, 1}));
  const std::set<long double> distinct(values.begin(), values.end());
  EXPECT_EQ(distinct, (std::set<long double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

TEST_P(EveryDType, ConstantIsOneValue) {
  const auto values = numbers(GetParam(), filled("constant", GetParam(), {2, 50, 1}));
  EXPECT_EQ(std::set<long double>(values.begin(), values.end()), (std::set<long double>{1}));
}

TEST_P(EveryDType, AscendingRisesAndDescendingIsItsMirror) {
  for (const std::int64_t length : {1, 2, 1000, 63487}) {
    const auto up = numbers(GetParam(), filled("ascending", GetParam(), {1, length, 1}));
    auto down = numbers(GetParam(), filled("descending", GetParam(), {1, length, 1}));
    for (std::size_t i = 1; i < up.size(); ++i) {
      ASSERT_GT(up[i], up[i - 1]) << "position " << i << " of " << length;
    }
    std::ranges::reverse(down);
    EXPECT_EQ(down, up);
  }
}

TEST_P(EveryDType, FirstAndLastHoldTheOnlyLargestAndTheOnlySmallest) {
  const std::int64_t length = 5000;
  for (const bool first : {true, false}) {
    const auto values =
        numbers(GetParam(), filled(first ? "first" : "last", GetParam(), {3, length, 1}));
    for (std::int64_t row = 0; row < 3; ++row) {
      const auto begin = values.begin() + (row * length);
      const auto end = begin + length;
      const auto largest = std::max_element(begin, end);
      const auto smallest = std::min_element(begin, end);
      EXPECT_EQ(largest - begin, first ? 0 : length - 1);
      EXPECT_EQ(smallest - begin, first ? 1 : length - 2);
      EXPECT_EQ(std::count(begin, end, *largest), 1);
      EXPECT_EQ(std::count(begin, end, *smallest), 1);
    }
  }
}

TEST_P(EveryDType, NanKindsPlaceOneNanAndIntegersStayRandom) {
  const std::int64_t length = 101;
  const std::map<std::string, std::int64_t> places{
      {"nan_first", 0}, {"nan_middle", 50}, {"nan_last", 100}};
  const Bytes random = filled("random", GetParam(), {4, length, 1});
  for (const auto& [kind, place] : places) {
    const Bytes bytes = filled(kind, GetParam(), {4, length, 1});
    if (!is_floating(GetParam())) {
      EXPECT_EQ(bytes, random) << kind;
      continue;
    }
    const auto values = numbers(GetParam(), bytes);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_EQ(std::isnan(values[i]), static_cast<std::int64_t>(i) % length == place)
          << kind << " " << i;
    }
  }
}

TEST_P(EveryDType, AllNanHasBothSignsAndManyPayloadsAndIntegersStayRandom) {
  if (!is_floating(GetParam())) {
    EXPECT_EQ(filled("nan_all", GetParam(), {1, 200, 1}),
              filled("random", GetParam(), {1, 200, 1}));
    return;
  }
  const Bytes bytes = filled("nan_all", GetParam(), {1, 200, 1});
  const auto values = numbers(GetParam(), bytes);
  const auto negative = std::ranges::count_if(values, [](auto v) { return std::signbit(v); });
  EXPECT_TRUE(std::ranges::all_of(values, [](auto v) { return std::isnan(v); }));
  EXPECT_GT(negative, 50);
  EXPECT_LT(negative, 150);
  std::set<std::string> distinct;
  const std::size_t width = size_of(GetParam());
  for (std::size_t i = 0; i < bytes.size(); i += width) {
    distinct.emplace(reinterpret_cast<const char*>(bytes.data() + i), width);
  }
  EXPECT_GT(distinct.size(), 60U);
}

TEST_P(EveryDType, SpecialsHoldTheWholeAlphabet) {
  const auto values = numbers(GetParam(), filled("specials", GetParam(), {1, 3000, 1}));
  const auto count = [&](auto&& is) { return std::ranges::count_if(values, is); };
  if (!is_floating(GetParam())) {
    EXPECT_EQ(std::set<long double>(values.begin(), values.end()).size(), 7U);
    return;
  }
  EXPECT_GT(count([](auto v) { return std::isnan(v); }), 0);
  EXPECT_GT(count([](auto v) { return std::isinf(v) && v > 0; }), 0);
  EXPECT_GT(count([](auto v) { return std::isinf(v) && v < 0; }), 0);
  EXPECT_GT(count([](auto v) { return v == 0 && std::signbit(v); }), 0);
  EXPECT_GT(count([](auto v) { return v == 0 && !std::signbit(v); }), 0);
  std::set<long double> finite;
  std::ranges::copy_if(values, std::inserter(finite, finite.end()),
                       [](auto v) { return std::isfinite(v); });
  EXPECT_EQ(finite.size(), 8U);  // zero, one, largest, two denormals; three of them negated
}

TEST_P(EveryDType, LogitsHaveOnePeakARow) {
  const std::int64_t length = 3000;
  const auto values = numbers(GetParam(), filled("logits", GetParam(), {20, length, 1}));
  std::set<std::int64_t> places;
  for (std::int64_t row = 0; row < 20; ++row) {
    const auto begin = values.begin() + (row * length);
    const auto peak = std::max_element(begin, begin + length);
    EXPECT_EQ(*peak, is_floating(GetParam()) ? 32 : 32768);
    EXPECT_EQ(std::count(begin, begin + length, *peak), 1);
    places.insert(peak - begin);
  }
  EXPECT_GT(places.size(), 10U);
}

TEST_P(EveryDType, DocumentStartsAreTheirOwnPositionsOrZero) {
  const std::int64_t length = 100000;
  const auto values = numbers(GetParam(), filled("document_starts", GetParam(), {4, length, 1}));
  for (std::int64_t row = 0; row < 4; ++row) {
    std::int64_t starts = 0;
    for (std::int64_t i = 0; i < length; ++i) {
      const long double value = values[static_cast<std::size_t>((row * length) + i)];
      ASSERT_TRUE(std::isfinite(value));
      if (value == 0) continue;
      ++starts;
      // Within the rounding of 8 mantissa bits, and of float16's end at 65504.
      EXPECT_NEAR(
          static_cast<double>(value), std::min<double>(static_cast<double>(i), 1e9),
          GetParam() == DType::float16 && i > 65504 ? 40000.0 : static_cast<double>(i) / 256.0);
    }
    EXPECT_GE(starts, length / 8192 / 4);
    EXPECT_LE(starts, length / 256 * 2);
  }
}

TEST(DataFill, DocumentsHaveTheMeanLengthThatTheKindNames) {
  const std::int64_t length = std::int64_t{1} << 20U;
  for (const std::int64_t mean : {256, 2048, 8192}) {
    const auto values = numbers(DType::int64, filled("document_starts_" + std::to_string(mean),
                                                     DType::int64, {2, length, 1}));
    for (std::int64_t row = 0; row < 2; ++row) {
      std::int64_t starts = 0;
      for (std::int64_t i = 0; i < length; ++i) {
        const long double value = values[static_cast<std::size_t>((row * length) + i)];
        if (value == 0) continue;
        ++starts;
        ASSERT_EQ(value, i);
      }
      // Within four standard deviations for the shortest list, of 128 starts.
      EXPECT_NEAR(static_cast<double>(starts * mean) / static_cast<double>(length), 1.0, 0.35);
    }
  }
}

TEST(DataFill, PositionsAreAlongTheAxis) {
  // Axis 0 of [4, 3]: each of the three columns rises.
  const auto values = numbers(DType::int32, filled("ascending", DType::int32, {1, 4, 3}));
  for (std::size_t i = 3; i < values.size(); ++i) EXPECT_GT(values[i], values[i - 3]);
  EXPECT_EQ(values[0], values[1]);
  const auto nan = numbers(DType::float32, filled("nan_last", DType::float32, {2, 4, 3}));
  for (std::size_t i = 0; i < nan.size(); ++i) {
    EXPECT_EQ(std::isnan(nan[i]), (i / 3) % 4 == 3) << i;
  }
}

TEST(DataFill, AscendingBeyondTheDTypesValuesNeverFalls) {
  const auto values = numbers(DType::float16, filled("ascending", DType::float16, {1, 200000, 1}));
  EXPECT_TRUE(std::ranges::is_sorted(values));
  EXPECT_EQ(values.front(), -65504);
  EXPECT_GT(std::set<long double>(values.begin(), values.end()).size(), 40000U);
}

TEST(DataFill, NormalNumbersHaveMeanZeroAndDeviationOne) {
  const auto values = as<double>(filled("random", DType::float64, {1, 200000, 1}));
  double sum = 0;
  double squares = 0;
  for (const double value : values) {
    sum += value;
    squares += value * value;
    ASSERT_LT(std::abs(value), 6.001);
  }
  const auto n = static_cast<double>(values.size());
  EXPECT_NEAR(sum / n, 0.0, 0.01);
  EXPECT_NEAR(squares / n, 1.0, 0.02);
}

TEST(DataFill, WordsAreThoseOfSplitMix64) {
  // The published generator from state 0 gives these first.
  constexpr std::uint64_t kGamma = 0x9E3779B97F4A7C15U;
  EXPECT_EQ(data::mix64(kGamma), 0xE220A8397B1DCDAFU);
  EXPECT_EQ(data::mix64(2 * kGamma), 0x6E789E6AA1B965F4U);
}

TEST(DataFill, TheBytesOfARelease) {
  // They may change only with the generator, and then every stored result with them.
  EXPECT_EQ(fnv1a(filled("random", DType::float32, {1, 1000, 1})), 2250735751640255927U);
  EXPECT_EQ(fnv1a(filled("random", DType::float16, {1, 1000, 1})), 4897414993410655202U);
  EXPECT_EQ(fnv1a(filled("specials", DType::float64, {1, 1000, 1})), 17909474222958102667U);
  EXPECT_EQ(fnv1a(filled("document_starts", DType::int64, {1, 100000, 1})), 2304983129591993052U);
}

TEST(DataFill, UnknownKindsAreNamedWithTheAllowedOnes) {
  Bytes bytes(4);
  try {
    fill("randon", DType::float32, {1, 1, 1}, 1, bytes);
    FAIL() << "accepted";
  } catch (const std::invalid_argument& fault) {
    EXPECT_NE(std::string(fault.what()).find("'randon'"), std::string::npos);
    EXPECT_NE(std::string(fault.what()).find(" random "), std::string::npos);
  }
}

TEST(DataFill, NothingIsWrittenForNoElements) {
  for (const std::string_view kind : tensor_data_kinds()) {
    EXPECT_TRUE(filled(kind, DType::float32, {0, 5, 1}).empty());
    EXPECT_TRUE(filled(kind, DType::float32, {5, 0, 1}).empty());
  }
}

}  // namespace
}  // namespace redux
