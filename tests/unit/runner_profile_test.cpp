// What a profiler is to see: one warm-up, then the calls alone between the start and the stop of
// the capture, then the verification of what they wrote.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <limits>

#include "backend/ranges.hpp"
#include "runner_fixture.hpp"

namespace redux {
namespace {

using testing_fakes::RunnerTest;
using Log = std::vector<std::string>;

class RunnerProfileTest : public RunnerTest {
 protected:
  RunnerProfileTest() { settings_.profile_calls = 3; }
};

TEST_F(RunnerProfileTest, CapturesTheCallsAloneAndVerifiesThem) {
  const Record record = run();
  EXPECT_EQ(record.status, Status::ok) << record.reason;
  EXPECT_EQ(backend_.script.log, (Log{"prepare", "warm_up warm 1", "poison", "capture",
                                      "warm_up warm 3", "captured", "read 1", "damage"}));
  EXPECT_TRUE(record.timings.empty());
  EXPECT_TRUE(record.launch.has_value());
  EXPECT_EQ(backend_.ceilings_measured, 0);
}

TEST_F(RunnerProfileTest, ColdCallsRotateOverCopiesThatAWholeRotationPushedOut) {
  backend_.script.copies = 5;
  settings_.profile_cold = true;
  const Record record = run();
  EXPECT_EQ(record.verify.checked, 3);
  EXPECT_EQ(backend_.script.log, (Log{"prepare cold", "warm_up cold 5", "poison", "capture",
                                      "warm_up cold 3", "captured", "read 3", "damage"}));
}

TEST_F(RunnerProfileTest, VerifiesNoMoreCopiesThanThereAre) {
  backend_.script.copies = 2;
  settings_.profile_cold = true;
  EXPECT_EQ(run().verify.checked, 2);
}

TEST_F(RunnerProfileTest, AWrongResultIsAWrongCase) {
  backend_.script.answer = 8;
  const Record record = run();
  EXPECT_EQ(record.status, Status::wrong);
}

TEST_F(RunnerProfileTest, StopsTheCaptureWhereACallFails) {
  backend_.script.faults_of_captures = "the launch failed";
  const Record record = run();
  EXPECT_EQ(record.status, Status::error);
  EXPECT_EQ(record.reason, "the launch failed");
  EXPECT_EQ(backend_.script.log.back(), "captured");
}

// By hand: prints what a range costs. A batch, the shortest thing that has one, lasts a
// millisecond.
TEST(Ranges, DISABLED_CostWhereNoProfilerListens) {
  const RangeName name("argmax/auto/float32/1x32");
  constexpr int kRanges = 100'000;
  double best_ns = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 20; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < kRanges; ++i) {
      const Range range(name, 4096);
      const Range phase(Phase::timed, i);
    }
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    best_ns = std::min(best_ns, took.count() / (2 * kRanges));
  }
  std::cout << "a range takes " << best_ns << " ns\n";
}

}  // namespace
}  // namespace redux
