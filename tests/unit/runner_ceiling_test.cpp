// A case's time beside the ceilings and floors of the machine.
#include <gtest/gtest.h>

#include "runner_fixture.hpp"

namespace redux {
namespace {

using RunnerCeilingTest = testing_fakes::RunnerTest;

TEST_F(RunnerCeilingTest, RelatesTheFirstColdTimingToTheReadCeiling) {
  backend_.script.call_us = 500;  // 1e6 bytes in 500 us: 2 GB/s
  Ceilings ceilings;
  ceilings.read_gbps = 4;
  const Record record = run_with(ceilings);
  EXPECT_EQ(record.status, Status::ok) << record.reason;
  EXPECT_DOUBLE_EQ(record.gbps.value(), 2);
  EXPECT_DOUBLE_EQ(record.ceiling_share.value(), 0.5);
  EXPECT_EQ(backend_.ceilings_measured, 0);
}

TEST_F(RunnerCeilingTest, GivesNoBandwidthForWarmTimes) {
  settings_.measure.caches = {Cache::warm};
  EXPECT_FALSE(run().gbps.has_value());
}

TEST_F(RunnerCeilingTest, MeasuresTheCeilingAgainBeforeDoubtingATime) {
  backend_.script.call_us = 500;
  backend_.next_read_gbps = 2.5;
  Ceilings ceilings;
  ceilings.read_gbps = 1;
  Runner runner(settings_, ceilings);
  const Record record = runner.run(case_, backend_);
  EXPECT_EQ(record.status, Status::ok) << record.reason;
  EXPECT_DOUBLE_EQ(record.ceiling_share.value(), 0.8);
  EXPECT_EQ(backend_.ceilings_measured, 1);
  EXPECT_DOUBLE_EQ(runner.ceilings().read_gbps.value(), 2.5);
}

TEST_F(RunnerCeilingTest, RefusesATimeAboveTheCeiling) {
  backend_.script.call_us = 500;
  Ceilings ceilings;
  ceilings.read_gbps = 1;
  const Record record = run_with(ceilings);
  EXPECT_EQ(record.status, Status::invalid_timing);
  EXPECT_NE(record.reason.find("measured read ceiling"), std::string::npos) << record.reason;
  EXPECT_EQ(backend_.ceilings_measured, 1);
}

TEST_F(RunnerCeilingTest, ClaimsNoBandwidthWhereTheDataNeedsFewerBytes) {
  op_.least_bytes = [](const Problem&) { return std::int64_t{1000}; };
  backend_.script.call_us = 500;  // all 1e6 bytes would be 2 GB/s, the 1000 needed 0.002
  Ceilings ceilings;
  ceilings.read_gbps = 1;
  const Record record = run_with(ceilings);
  EXPECT_EQ(record.status, Status::ok) << record.reason;
  EXPECT_FALSE(record.gbps.has_value());
  EXPECT_FALSE(record.ceiling_share.has_value());
  EXPECT_EQ(backend_.ceilings_measured, 0);
}

/// What no edge names need not be read: a share of the ceiling is of the bytes that have to be.
TEST_F(RunnerCeilingTest, TheInputsMaySayWhatIsCompulsory) {
  op_.compulsory_bytes = [](const Problem& problem) {
    return problem.inputs[0].count == 8 ? std::int64_t{500'000} : std::int64_t{0};
  };
  backend_.script.call_us = 500;
  Ceilings ceilings;
  ceilings.read_gbps = 4;
  const Record record = run_with(ceilings);
  EXPECT_EQ(record.bytes, 500'000);
  EXPECT_DOUBLE_EQ(record.gbps.value(), 1);
  EXPECT_DOUBLE_EQ(record.ceiling_share.value(), 0.25);
  EXPECT_FALSE(record.gathered_bytes.has_value());
  EXPECT_FALSE(record.gather_gbps.has_value());
}

/// Gathered bytes come from caches: their rate may exceed the ceiling.
TEST_F(RunnerCeilingTest, TheRateOfGatheredBytesStandsBesideTheShareOfTheCeiling) {
  op_.gathered_bytes = [](const Case&) { return std::int64_t{9'000'000}; };
  backend_.script.call_us = 500;
  Ceilings ceilings;
  ceilings.read_gbps = 4;
  const Record record = run_with(ceilings);
  EXPECT_EQ(record.status, Status::ok) << record.reason;
  EXPECT_EQ(record.bytes, 1'000'000);
  EXPECT_DOUBLE_EQ(record.ceiling_share.value(), 0.5);
  EXPECT_EQ(record.gathered_bytes.value(), 9'000'000);
  EXPECT_DOUBLE_EQ(record.gather_gbps.value(), 18);
}

TEST_F(RunnerCeilingTest, RefusesATimeTooShortEvenForTheFewestBytes) {
  op_.least_bytes = [](const Problem&) { return std::int64_t{1000}; };
  backend_.script.call_us = 500;
  Ceilings ceilings;
  ceilings.read_gbps = 0.001;
  EXPECT_EQ(run_with(ceilings).status, Status::invalid_timing);
}

TEST_F(RunnerCeilingTest, MarksWhatIsBoundByLaunching) {
  Ceilings ceilings;
  backend_.script.call_us = 3;
  ceilings.graph_floor_us = 2;
  EXPECT_TRUE(run_with(ceilings).launch_bound);
  ceilings.graph_floor_us = 1.9;
  EXPECT_FALSE(run_with(ceilings).launch_bound);
}

}  // namespace
}  // namespace redux
