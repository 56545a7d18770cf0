#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "stats/stats.hpp"

namespace redux::stats {
namespace {

using Samples = std::vector<double>;

/// n, n - 1, ... 1: a value is its own rank, and nothing is in order.
Samples ranks(int n) {
  Samples samples(static_cast<std::size_t>(n));
  std::iota(samples.rbegin(), samples.rend(), 1.0);
  return samples;
}

TEST(Median, IsTheMiddleOrTheMeanOfTheTwoMiddles) {
  EXPECT_EQ(median(Samples{7}), 7);
  EXPECT_EQ(median(Samples{9, 1, 4}), 4);
  EXPECT_EQ(median(Samples{10, 1, 2, 5}), 3.5);
  EXPECT_EQ(median(Samples{3, 3, 3, 100}), 3);
}

TEST(Median, LeavesItsArgumentInOrder) {
  const Samples samples{3, 1, 2};
  median(samples);
  percentile(samples, 95);
  median_ci95(samples);
  EXPECT_EQ(samples, (Samples{3, 1, 2}));
}

TEST(Mad, IsTheUnscaledMedianDeviation) {
  EXPECT_EQ(mad(Samples{1, 1, 2, 2, 4, 6, 9}), 1);  // deviations 1 1 0 0 2 4 7
  EXPECT_EQ(mad(Samples{1, 3}), 1);
}

TEST(Mad, IsZeroWhereMoreThanHalfAgree) {
  EXPECT_EQ(mad(Samples{5, 5, 5, 5, 90}), 0);
  EXPECT_EQ(mad(Samples{5}), 0);
}

TEST(Minimum, IsTheLeast) {
  EXPECT_EQ(minimum(Samples{4, 0.5, 3}), 0.5);
}

TEST(Percentile, IsTheNearestRank) {
  EXPECT_EQ(percentile(ranks(20), 95), 19);
  EXPECT_EQ(percentile(ranks(21), 95), 20);
  EXPECT_EQ(percentile(ranks(100), 95), 95);
  EXPECT_EQ(percentile(ranks(10), 100), 10);
  EXPECT_EQ(percentile(ranks(10), 0.1), 1);
  EXPECT_EQ(percentile(Samples{15, 20, 35, 40, 50}, 40), 20);
  EXPECT_EQ(percentile(Samples{8}, 95), 8);
}

struct Ranks {
  int n;
  double low;
  double high;
};

class MedianInterval : public testing::TestWithParam<Ranks> {};

TEST_P(MedianInterval, TakesTheBinomialRanks) {
  const auto [n, low, high] = GetParam();
  EXPECT_EQ(median_ci95(ranks(n)), (std::array<double, 2>{low, high}));
}

// The ranks of the sign test's 95% interval, from exact integer binomials.
INSTANTIATE_TEST_SUITE_P(Table, MedianInterval,
                         testing::Values(Ranks{1, 1, 1}, Ranks{2, 1, 2}, Ranks{5, 1, 5},
                                         Ranks{6, 1, 6}, Ranks{8, 1, 8}, Ranks{9, 2, 8},
                                         Ranks{10, 2, 9}, Ranks{11, 2, 10}, Ranks{12, 3, 10},
                                         Ranks{15, 4, 12}, Ranks{17, 5, 13}, Ranks{20, 6, 15},
                                         Ranks{21, 6, 16}, Ranks{25, 8, 18}, Ranks{30, 10, 21},
                                         Ranks{40, 14, 27}, Ranks{50, 18, 33}, Ranks{60, 22, 39},
                                         Ranks{80, 31, 50}, Ranks{99, 40, 60}, Ranks{100, 40, 61},
                                         Ranks{101, 41, 61}, Ranks{150, 63, 88},
                                         Ranks{199, 86, 114}, Ranks{200, 86, 115}));

TEST(MedianIntervalAll, IsTheWidestSetOfRanksThatStillCovers) {
  for (int n = 6; n <= 200; ++n) {
    const auto interval = median_ci95(ranks(n));
    const int k = static_cast<int>(interval[0]);
    ASSERT_EQ(interval[1], n - k + 1) << n;
    // P(B <= k - 1) by Pascal's recurrence in doubles: 2^-200 is far from underflow.
    std::vector<double> mass{1.0};
    for (int i = 0; i < n; ++i) {
      mass.push_back(0);
      for (std::size_t j = mass.size() - 1; j > 0; --j) mass[j] = (mass[j] + mass[j - 1]) / 2;
      mass[0] /= 2;
    }
    const double below = std::accumulate(mass.begin(), mass.begin() + k, 0.0);
    ASSERT_LE(below, 0.025) << n;
    ASSERT_GT(below + mass[static_cast<std::size_t>(k)], 0.025) << n;
  }
}

TEST(MedianIntervalAll, SurvivesManySamples) {
  // Normal approximation for n = 10000: 5000 -+ 1.96 * 50.
  const auto interval = median_ci95(ranks(10000));
  EXPECT_EQ(interval, (std::array<double, 2>{4902, 5099}));
}

TEST(RelativeHalfWidth, IsHalfTheWidthOverTheMedian) {
  EXPECT_EQ(relative_half_width({9, 11}, 10), 0.1);
  EXPECT_EQ(relative_half_width({10, 10}, 10), 0);
  EXPECT_EQ(relative_half_width({0, 0}, 0), 0);
  EXPECT_TRUE(std::isinf(relative_half_width({0, 1}, 0)));
}

}  // namespace
}  // namespace redux::stats
