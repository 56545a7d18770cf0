// What becomes of a case: statuses and reasons, what is verified and when, shared references.
#include <gtest/gtest.h>

#include <algorithm>

#include "runner_fixture.hpp"

namespace redux {
namespace {

using testing_fakes::FakeBackend;
using testing_fakes::references_computed;
using testing_fakes::RunnerTest;
using Log = std::vector<std::string>;

TEST_F(RunnerTest, PoisonsBeforeAndVerifiesAfterEachTiming) {
  backend_.script.call_us = 1300;
  backend_.script.copies = 2;
  const Record record = run();
  EXPECT_EQ(record.status, Status::ok) << record.reason;
  EXPECT_EQ(backend_.script.log, (Log{"prepare cold",
                                      "warm_up cold 1",
                                      "set_up graph cold 1",
                                      "run",
                                      "run",
                                      "poison",
                                      "set_up graph cold 2",
                                      "run",
                                      "run",
                                      "read 2",
                                      "warm_up cold 1",
                                      "set_up stream cold 1",
                                      "run",
                                      "run",
                                      "poison",
                                      "set_up stream cold 2",
                                      "run",
                                      "run",
                                      "read 2",
                                      "warm_up warm 1",
                                      "set_up graph warm 1",
                                      "run",
                                      "run",
                                      "poison",
                                      "set_up graph warm 1",
                                      "run",
                                      "run",
                                      "read 1",
                                      "warm_up warm 1",
                                      "set_up stream warm 1",
                                      "run",
                                      "run",
                                      "poison",
                                      "set_up stream warm 1",
                                      "run",
                                      "run",
                                      "read 1",
                                      "damage"}));
  ASSERT_EQ(record.timings.size(), 4U);
  EXPECT_EQ(record.verify.checked, 6);
  EXPECT_EQ(record.verify.mismatches, 0);
  EXPECT_EQ(record.bytes, 1'000'000);
  ASSERT_TRUE(record.launch.has_value());
  EXPECT_EQ(record.launch->registers, 33);
  EXPECT_EQ(backend_.input_bytes, 32U);
}

TEST_F(RunnerTest, MeasuresHostVariantsOnceACacheWhateverTheModes) {
  variant_.side = Side::host;
  FakeBackend host(Side::host);
  Runner runner(settings_, {});
  const Record record = runner.run(case_, host);
  ASSERT_EQ(record.timings.size(), 2U);
  EXPECT_EQ(record.timings[0].mode, Mode::stream);
  EXPECT_EQ(record.timings[0].cache, Cache::cold);
  EXPECT_EQ(record.timings[1].mode, Mode::stream);
  EXPECT_EQ(record.timings[1].cache, Cache::warm);
}

TEST_F(RunnerTest, AsksForOneCopyWhereNothingIsCold) {
  settings_.measure.caches = {Cache::warm};
  run();
  EXPECT_EQ(backend_.script.log.front(), "prepare");
}

TEST_F(RunnerTest, VerifiesOnceWithoutTiming) {
  settings_.verify_only = true;
  const Record record = run();
  EXPECT_EQ(record.status, Status::ok) << record.reason;
  EXPECT_EQ(backend_.script.log, (Log{"prepare", "poison", "warm_up warm 1", "read 1", "damage"}));
  EXPECT_TRUE(record.timings.empty());
  EXPECT_EQ(record.verify.checked, 1);
  EXPECT_FALSE(record.gbps.has_value());
}

TEST_F(RunnerTest, SaysWhatDiffersAndMeasuresNoFurther) {
  backend_.script.answer = 8;
  const Record record = run();
  EXPECT_EQ(record.status, Status::wrong);
  EXPECT_EQ(record.reason,
            "output 'indices' at 0 (copy 0): got 8, expected 7; 1 of 1 elements differ");
  EXPECT_EQ(record.timings.size(), 1U);
}

TEST_F(RunnerTest, FindsOneWrongCopyAmongMany) {
  backend_.script.copies = 3;
  backend_.script.answers_of_copies = {7, 7, 9};
  const Record record = run();
  EXPECT_EQ(record.status, Status::wrong);
  ASSERT_TRUE(record.verify.first.has_value());
  EXPECT_EQ(record.verify.first->copy, 2);
  EXPECT_EQ(record.verify.mismatches, 1);
  EXPECT_EQ(record.verify.checked, 3);
}

TEST_F(RunnerTest, SaysWhatWasNeverWritten) {
  backend_.script.writes = false;
  const Record record = run();
  EXPECT_EQ(record.status, Status::wrong);
  EXPECT_NE(record.reason.find("(never written)"), std::string::npos) << record.reason;
}

TEST_F(RunnerTest, CallsWritesElsewhereWrong) {
  backend_.script.damage = "output 'indices', copy 3: 8 bytes past the end";
  const Record record = run();
  EXPECT_EQ(record.status, Status::wrong);
  EXPECT_NE(record.reason.find(backend_.script.damage), std::string::npos) << record.reason;
}

TEST_F(RunnerTest, IsInvalidWithoutAValidSample) {
  backend_.script.sample_us = [](int) { return 0.0; };
  const Record record = run();
  EXPECT_EQ(record.status, Status::invalid_timing);
  EXPECT_EQ(record.reason, "none of 2 samples (graph, cold) was a positive, finite time");
  EXPECT_FALSE(record.gbps.has_value());
  EXPECT_EQ(record.verify.checked, 1);
}

TEST_F(RunnerTest, RefusesTheOtherSide) {
  variant_.side = Side::host;
  const Record record = run();
  EXPECT_EQ(record.status, Status::unsupported);
  EXPECT_EQ(record.reason, "the variant runs on the host side, not on the cuda side");
  EXPECT_TRUE(backend_.script.log.empty());
}

TEST_F(RunnerTest, PassesOnWhyACaseIsUnsupported) {
  variant_.unsupported = [](const Case&, const DeviceFacts&) { return std::string("too wide"); };
  const Record record = run();
  EXPECT_EQ(record.status, Status::unsupported);
  EXPECT_EQ(record.reason, "too wide");
  EXPECT_TRUE(backend_.script.log.empty());
}

TEST_F(RunnerTest, SkipsWhatDoesNotFitNamingBothSizes) {
  backend_.need = {3 << 20, 2 << 20};
  const Record record = run();
  EXPECT_EQ(record.status, Status::skipped);
  EXPECT_EQ(record.reason,
            "needs 3.00 MiB (3145728 bytes) of device memory, 2.00 MiB (2097152 bytes) is free");
  EXPECT_TRUE(backend_.script.log.empty());
  EXPECT_EQ(references_computed, 0);
}

TEST_F(RunnerTest, CountsInputsAndReferenceOnTheHost) {
  variant_.side = Side::host;
  FakeBackend host(Side::host);
  host.need = {100, 100};  // and 32 bytes of input, 8 of reference, 8 read back
  Runner runner(settings_, {});
  const Record record = runner.run(case_, host);
  EXPECT_EQ(record.status, Status::skipped);
  EXPECT_NE(record.reason.find("(148 bytes) of host memory"), std::string::npos) << record.reason;
}

TEST_F(RunnerTest, HasNothingToDoForEmptyOutputs) {
  case_.shape.dims = {0, 8};
  const Record record = run();
  EXPECT_EQ(record.status, Status::ok);
  EXPECT_TRUE(record.timings.empty());
  EXPECT_FALSE(record.gbps.has_value());
  EXPECT_TRUE(backend_.script.log.empty());
  EXPECT_EQ(references_computed, 0);
}

TEST_F(RunnerTest, TurnsExceptionsIntoErrors) {
  backend_.on_prepare = [] { throw std::runtime_error("illegal address at f.cu:3"); };
  const Record record = run();
  EXPECT_EQ(record.status, Status::error);
  EXPECT_EQ(record.reason, "illegal address at f.cu:3");
}

TEST_F(RunnerTest, TurnsOutOfMemoryIntoSkipped) {
  backend_.on_prepare = [] { throw OutOfMemory("the device refused"); };
  const Record record = run();
  EXPECT_EQ(record.status, Status::skipped);
  EXPECT_EQ(record.reason, "the device refused");
}

TEST_F(RunnerTest, ComputesTheReferenceOnceAProblemAndSeed) {
  Runner runner(settings_, {});
  runner.run(case_, backend_);
  Variant other = variant_;
  other.name = "other";
  Case again = case_;
  again.variant = &other;
  EXPECT_EQ(runner.run(again, backend_).status, Status::ok);
  EXPECT_EQ(references_computed, 1);
  again.seed = 43;
  EXPECT_EQ(runner.run(again, backend_).status, Status::ok);
  EXPECT_EQ(references_computed, 2);
}

TEST_F(RunnerTest, SaysHowToRunTheCaseAgain) {
  case_.seed = 9;
  EXPECT_EQ(run().repro,
            "redux-bench --config a.json --filter '^seven/fake/float32/1x8$' --seed 9");
}

TEST_F(RunnerTest, AHandicapIsGivenToItsCasesAlone) {
  const auto handicapped = [this](double factor) {
    backend_.script.log.clear();
    settings_.handicap = [this, factor](const std::string& id) {
      EXPECT_EQ(id, case_.id());
      return factor;
    };
    EXPECT_EQ(run().status, Status::ok);
    const Log& log = backend_.script.log;
    return std::find(log.begin(), log.end(), "handicap 1.05") != log.end();
  };
  EXPECT_TRUE(handicapped(1.05));
  EXPECT_FALSE(handicapped(1));
}

}  // namespace
}  // namespace redux
