// Operations between the lanes of a warp, in every schedule.
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "simt/executor_support.hpp"

namespace simt_tests {
namespace {

constexpr Geometry kWarp{.grid = {1}, .block = {32}};

void expect_shuffles(Start kernel, const std::function<int(int, int, int)>& source) {
  for (const Setting& setting : settings()) {
    for (const Word argument : {0U, 1U, 3U, 7U, 16U, 31U}) {
      const Words out = good(kernel, kWarp, {.out = 6 * 32, .n = argument}, setting);
      for (int row = 0; row < 6; ++row) {
        for (int lane = 0; lane < 32; ++lane) {
          const int from = source(lane, 1 << row, static_cast<int>(argument));
          ASSERT_EQ(out[static_cast<std::size_t>((row * 32) + lane)],
                    1000U + static_cast<Word>(from))
              << "lane " << lane << " width " << (1 << row) << " argument " << argument;
        }
      }
    }
  }
}

TEST(ExecutorWarps, ShuffleByIndex) {
  expect_shuffles(shuffle_index, [](int lane, int width, int from) {
    return (lane / width * width) + (from % width);
  });
}
TEST(ExecutorWarps, ShuffleUp) {
  expect_shuffles(shuffle_up, [](int lane, int width, int by) {
    return lane % width >= by ? lane - by : lane;
  });
}
TEST(ExecutorWarps, ShuffleDown) {
  expect_shuffles(shuffle_down, [](int lane, int width, int by) {
    return (lane % width) + by < width ? lane + by : lane;
  });
}
TEST(ExecutorWarps, ShuffleXor) {
  // From an earlier group, but not from a later one.
  expect_shuffles(shuffle_xor_lanes, [](int lane, int width, int flip) {
    return (lane ^ flip) / width > lane / width ? lane : lane ^ flip;
  });
}

TEST(ExecutorWarps, ShufflesOfTwoToSixteenBytes) {
  for (const Setting& setting : settings()) {
    const Words out = good(shuffle_types, kWarp, {.out = 6 * 32}, setting);
    for (Word lane = 0; lane < 32; ++lane) {
      const Word other = lane ^ 1U;
      const Words expected{40000 + other, (2 * other) + 1, other, 7, other, 2 * other};
      ASSERT_EQ(Words(&out[6 * lane], &out[6 * lane] + 6), expected);
    }
  }
}

TEST(ExecutorWarps, Votes) {
  for (const Setting& setting : settings()) {
    const Words out = good(votes, kWarp, {.out = 5 * 32}, setting);
    for (Word lane = 0; lane < 32; ++lane) {
      ASSERT_EQ(Words(&out[5 * lane], &out[5 * lane] + 5), (Words{0x49249249U, 1, 0, 0, 1}));
    }
  }
}

TEST(ExecutorWarps, ActiveMaskWaitsForNobody) {
  for (const Setting& setting : settings()) {
    for (const Word asks : {0U, 12U, 31U}) {
      const Words out = good(active_mask, kWarp, {.out = 32, .n = asks}, setting);
      for (Word lane = 0; lane < 32; ++lane) ASSERT_EQ(out[lane], 1U << lane);
    }
  }
}

TEST(ExecutorWarps, Matches) {
  for (const Setting& setting : settings()) {
    const Words out = good(matches, kWarp, {.out = 6 * 32}, setting);
    for (Word lane = 0; lane < 32; ++lane) {
      const Words expected{
          0xFFU << (lane / 8 * 8), lane % 2 == 0 ? 0x55555555U : 0xAAAAAAAAU, 0xFFFFFFFFU, 1, 0, 0};
      ASSERT_EQ(Words(&out[6 * lane], &out[6 * lane] + 6), expected);
    }
  }
}

TEST(ExecutorWarps, Reductions) {
  const auto minus_ten = static_cast<Word>(-10);
  for (const Setting& setting : settings()) {
    const Words out = good(reductions, kWarp, {.out = 10 * 32}, setting);
    for (Word lane = 0; lane < 32; ++lane) {
      const Words expected{496,   5, static_cast<Word>(-1), 176, minus_ten, 21, 0xFFFFFFF0U,
                           0x1FU, 7, lane < 7 ? 7U : 25U};
      ASSERT_EQ(Words(&out[10 * lane], &out[10 * lane] + 10), expected);
    }
  }
}

TEST(ExecutorWarps, HalvesDoDifferentThings) {
  for (const Setting& setting : settings()) {
    const Words out = good(halves, kWarp, {.out = 32}, setting);
    for (Word lane = 0; lane < 16; ++lane) ASSERT_EQ(out[lane], 15 - lane);
    for (Word lane = 16; lane < 32; ++lane) ASSERT_EQ(out[lane], 376U + 17U);
  }
}

TEST(ExecutorWarps, HalvesComeTogetherAgain) {
  Words expected(32);
  for (Word lane = 0; lane < 32; ++lane) expected[lane] = lane;
  for (int round = 0; round < 3; ++round) {
    Words next = expected;
    for (Word lane = 0; lane < 16; ++lane) next[lane] = expected[lane ^ 1U];
    for (Word lane = 0; lane < 32; ++lane) expected[lane] = next[lane ^ 16U];
  }
  for (const Setting& setting : settings()) {
    ASSERT_EQ(good(halves_then_all, kWarp, {.out = 32}, setting), expected);
  }
}

TEST(ExecutorWarps, ALaneMayBeWaitedForWhileItWaitsForAnother) {
  for (const Setting& setting : settings()) {
    const Words out = good(chained_masks, {.grid = {1}, .block = {3}}, {.out = 3}, setting);
    ASSERT_EQ(out, (Words{1 + 5, 5 + 1, 5}));
  }
}

TEST(ExecutorWarps, TheLastWarpMayBeShort) {
  for (const Setting& setting : settings()) {
    for (const Word threads : {1U, 31U, 33U, 50U}) {
      const Words out =
          good(short_warp, {.grid = {1}, .block = {threads}}, {.out = threads}, setting);
      for (Word t = 0; t < threads; ++t) {
        Word sum = 0;
        for (Word i = t & ~31U; i < std::min((t & ~31U) + 32, threads); ++i) sum += i;
        ASSERT_EQ(out[t], sum);
      }
    }
  }
}

TEST(ExecutorWarps, TheHelpersReduceWholeWarps) {
  for (const Setting& setting : settings()) {
    const Words out = good(helper_extremes, kWarp, {.out = 4 * 32}, setting);
    for (Word lane = 0; lane < 32; ++lane) {
      ASSERT_EQ(Words(&out[4 * lane], &out[4 * lane] + 4), (Words{31, 6, 331, 2}));
    }
  }
}

TEST(ExecutorLanguage, FmaxAndFminGiveTheNumberBesideANan) {
  constexpr Word kQuiet = 0x7FC00000U;
  constexpr Word kSignalling = 0xFF800001U;
  const Word three = std::bit_cast<Word>(3.0F);
  for (const Word nan : {kQuiet, kSignalling}) {
    EXPECT_EQ(good(nan_extremes, kWarp, {.in = {nan, three}, .out = 4}), Words(4, three));
  }
  for (const Word number : good(nan_extremes, kWarp, {.in = {kQuiet, kSignalling}, .out = 4})) {
    EXPECT_TRUE(std::isnan(std::bit_cast<float>(number)));
  }
}

TEST(ExecutorLanguage, FmaxAndFminTellZerosApart) {
  const Word minus = std::bit_cast<Word>(-0.0F);
  EXPECT_EQ(good(nan_extremes, kWarp, {.in = {minus, 0}, .out = 4}), (Words{0, 0, minus, minus}));
  const Word low = std::bit_cast<Word>(-std::numeric_limits<float>::infinity());
  EXPECT_EQ(good(nan_extremes, kWarp, {.in = {minus, low}, .out = 4}),
            (Words{minus, minus, low, low}));
}

}  // namespace
}  // namespace simt_tests
