// Calibration and the stop rule, with exact counts: no clock but the script's.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "measure/measure.hpp"
#include "measure_fakes.hpp"

namespace redux {
namespace {

using testing_fakes::FakeWorkload;
using testing_fakes::Script;
using Log = std::vector<std::string>;

std::int64_t calls_for(Script& script, Cache cache) {
  FakeWorkload work(script);
  return calibrate(work, Mode::graph, cache);
}

std::int64_t batches(const Script& script) {
  return std::count(script.log.begin(), script.log.end(), "run");
}

Timing run(Script& script, const MeasureSettings& settings, Cache cache = Cache::warm) {
  FakeWorkload work(script);
  return measure(work, Mode::stream, cache, settings, [&script] { return script.clock_s; });
}

TEST(Calibrate, GrowsByEstimateFromOneCall) {
  Script script{.call_us = 1};
  EXPECT_EQ(calls_for(script, Cache::warm), 1150);
  EXPECT_EQ(script.log, (Log{"set_up graph warm 1", "run", "set_up graph warm 100", "run",
                             "set_up graph warm 1150", "run", "run"}));
}

TEST(Calibrate, CallsASlowKernelOnce) {
  Script script{.call_us = 400'000};
  EXPECT_EQ(calls_for(script, Cache::warm), 1);
  EXPECT_EQ(batches(script), 1);
}

TEST(Calibrate, BelievesASlowFirstBatchOnlyTwice) {
  // 5 ms, then 20 us: a thread had to wake up.
  Script script;
  script.calibrating_us = {5000, 20};
  script.call_us = 20;
  EXPECT_EQ(calls_for(script, Cache::warm), 58);
  EXPECT_EQ(batches(script), 4);
}

TEST(Calibrate, StopsGrowingWhereTheClockStandsStill) {
  for (const double call_us : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
    Script script{.call_us = call_us};
    EXPECT_EQ(calls_for(script, Cache::warm), 65536);
    EXPECT_EQ(batches(script), 6);  // 1, 10, 100, 1000, 10000, 65536
  }
}

TEST(Calibrate, MakesWholeRotationsWhenCold) {
  Script script{.copies = 64, .call_us = 1};
  EXPECT_EQ(calls_for(script, Cache::cold), 1152);  // 18 rotations; 1150 would do
}

TEST(Calibrate, CallsEachCopyWhenCold) {
  Script script{.copies = 1000, .call_us = 10};
  EXPECT_EQ(calls_for(script, Cache::cold), 1000);  // 100 would last long enough
}

TEST(Calibrate, DoesNotRotateForMoreThanTenMilliseconds) {
  Script script{.copies = 1001, .call_us = 10};
  EXPECT_EQ(calls_for(script, Cache::cold), 100);
  Script slow{.copies = 3, .call_us = 400'000};
  EXPECT_EQ(calls_for(slow, Cache::cold), 1);
  EXPECT_EQ(batches(slow), 1);
}

TEST(Calibrate, IgnoresCopiesWhenWarm) {
  Script script{.copies = 1000, .call_us = 10};
  EXPECT_EQ(calls_for(script, Cache::warm), 100);
}

TEST(Measure, WarmsUpThenCalibratesThenPoisonsThenTimes) {
  Script script{.copies = 2, .call_us = 1300};
  const Timing timing = run(script, {.min_samples = 3, .max_samples = 3}, Cache::cold);
  EXPECT_EQ(script.log, (Log{"warm_up cold 1", "set_up stream cold 1", "run", "run", "poison",
                             "set_up stream cold 2", "run", "run", "run"}));
  EXPECT_EQ(timing.mode, Mode::stream);
  EXPECT_EQ(timing.cache, Cache::cold);
  EXPECT_EQ(timing.calls_per_sample, 2);
  EXPECT_EQ(timing.samples_us, (std::vector<double>{1300, 1300, 1300}));
}

TEST(Measure, ReportsTheStatisticsOfItsSamples) {
  Script script{.call_us = 256, .sample_us = [](int i) { return static_cast<double>(i + 1); }};
  const Timing timing = run(script, {.min_samples = 1, .max_samples = 20});
  ASSERT_EQ(timing.samples_us.size(), 1U);  // one sample has an interval without width
  script = {.call_us = 256, .sample_us = [](int i) { return static_cast<double>(i + 1); }};
  const Timing twenty = run(script, {.min_samples = 20, .max_samples = 20});
  EXPECT_EQ(twenty.median_us, 10.5);
  EXPECT_EQ(twenty.mad_us, 5);
  EXPECT_EQ(twenty.min_us, 1);
  EXPECT_EQ(twenty.p95_us, 19);
  EXPECT_EQ(twenty.ci95_us, (std::array<double, 2>{6, 15}));
  EXPECT_FALSE(twenty.converged);
}

TEST(StopRule, StopsAtMinSamplesWhereTheIntervalIsNarrow) {
  Script script{.call_us = 256, .sample_us = [](int) { return 4.0; }};
  const Timing timing = run(script, {.min_samples = 20, .max_samples = 200});
  EXPECT_EQ(timing.samples_us.size(), 20U);
  EXPECT_TRUE(timing.converged);
}

TEST(StopRule, GoesOnUntilTheIntervalIsNarrow) {
  Script script{.call_us = 256, .sample_us = [](int i) { return i < 9 ? 102.0 : 100.0; }};
  const Timing timing = run(script, {.min_samples = 20, .max_samples = 200});
  // The upper rank, n - k + 1, must be one of the n - 9 samples of 100: k >= 10, first at n = 30.
  EXPECT_EQ(timing.samples_us.size(), 30U);
  EXPECT_TRUE(timing.converged);
}

TEST(StopRule, StopsAtMaxSamples) {
  Script script{.call_us = 256, .sample_us = [](int i) { return i % 2 == 0 ? 1.0 : 2.0; }};
  const Timing timing = run(script, {.min_samples = 20, .max_samples = 50, .max_seconds = 1e9});
  EXPECT_EQ(timing.samples_us.size(), 50U);
  EXPECT_FALSE(timing.converged);
}

TEST(StopRule, StopsAtMaxSeconds) {
  Script script{
      .call_us = 256, .sample_us = [](int i) { return i % 2 == 0 ? 1.0 : 2.0; }, .batch_s = 0.125};
  const Timing timing = run(script, {.min_samples = 20, .max_samples = 200, .max_seconds = 3.0});
  EXPECT_EQ(timing.samples_us.size(), 24U);
}

TEST(StopRule, TakesMinSamplesHoweverLongTheyLast) {
  Script script{
      .call_us = 256, .sample_us = [](int i) { return i % 2 == 0 ? 1.0 : 2.0; }, .batch_s = 10};
  const Timing timing = run(script, {.min_samples = 20, .max_samples = 200, .max_seconds = 0.5});
  EXPECT_EQ(timing.samples_us.size(), 20U);
}

TEST(StopRule, NeverExceedsMaxSamplesForMinSamples) {
  Script script{.call_us = 256};
  EXPECT_EQ(run(script, {.min_samples = 20, .max_samples = 5}).samples_us.size(), 5U);
}

TEST(InvalidSamples, AreCountedAndNeverUsed) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  Script script{.call_us = 256, .sample_us = [](int i) {
                  const std::array<double, 4> invalid{0, -3, std::nan(""), kInf};
                  return i < 4 ? invalid[static_cast<std::size_t>(i)] : 5.0;
                }};
  const Timing timing = run(script, {.min_samples = 20, .max_samples = 200});
  EXPECT_EQ(timing.invalid_samples, 4);
  EXPECT_EQ(timing.samples_us, std::vector<double>(20, 5.0));
}

TEST(InvalidSamples, EndAtMaxSamplesToo) {
  Script script{.call_us = 256, .sample_us = [](int) { return 0.0; }};
  const Timing timing = run(script, {.min_samples = 20, .max_samples = 30});
  EXPECT_EQ(timing.invalid_samples, 30);
  EXPECT_TRUE(timing.samples_us.empty());
  EXPECT_EQ(timing.median_us, 0);
  EXPECT_FALSE(timing.converged);
}

TEST(ThrottledSamples, AreCountedAndKept) {
  // Question 0 clears what was before the first sample.
  Script script{.call_us = 256, .throttled = [](int i) {
                  return i == 0 || i == 3 || i == 4 ? std::string("power cap") : std::string{};
                }};
  const Timing timing = run(script, {.min_samples = 10, .max_samples = 10});
  EXPECT_EQ(timing.throttled_samples, 2);
  EXPECT_EQ(timing.samples_us.size(), 10U);
}

}  // namespace
}  // namespace redux
