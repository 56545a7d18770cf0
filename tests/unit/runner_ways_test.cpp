// A device that can be told in which order to run threads: every order is verified, the first wrong
// one is named and reproduced.
#include <gtest/gtest.h>

#include "runner_fixture.hpp"

namespace redux {
namespace {

using testing_fakes::RunnerTest;
using Log = std::vector<std::string>;

class RunnerWaysTest : public RunnerTest {
 protected:
  RunnerWaysTest() {
    settings_.verify_only = true;
    settings_.repro_options = "--backend simt --verify-only";
    backend_.script.ways = {"--order up", "--order down", "--order odd"};
  }
};

TEST_F(RunnerWaysTest, VerifiesEachForItself) {
  const Record record = run();
  EXPECT_EQ(record.status, Status::ok) << record.reason;
  EXPECT_EQ(record.verify.checked, 3);
  EXPECT_EQ(backend_.script.log,
            (Log{"prepare", "poison", "warm_up warm 1", "read 1", "poison", "warm_up warm 1",
                 "read 1", "poison", "warm_up warm 1", "read 1", "damage"}));
  EXPECT_EQ(record.repro,
            "redux-bench --config a.json --filter '^seven/fake/float32/1x8$' --seed 42 "
            "--backend simt --verify-only");
}

TEST_F(RunnerWaysTest, AWrongResultNamesItsWayAndEndsThere) {
  backend_.script.answers_of_ways = {7, 8, 9};
  const Record record = run();
  EXPECT_EQ(record.status, Status::wrong);
  EXPECT_EQ(record.reason,
            "output 'indices' at 0 (copy 0): got 8, expected 7; 1 of 2 elements differ (--order "
            "down)");
  EXPECT_TRUE(record.repro.ends_with(" --backend simt --verify-only --order down")) << record.repro;
}

TEST_F(RunnerWaysTest, AFaultIsAWrongCaseWithItsLaunchFacts) {
  backend_.script.faults_of_ways = {"", "", "[data-race] at a.cu:3"};
  const Record record = run();
  EXPECT_EQ(record.status, Status::wrong);
  EXPECT_EQ(record.reason, "[data-race] at a.cu:3");
  EXPECT_EQ(record.verify.checked, 2);
  EXPECT_TRUE(record.repro.ends_with(" --verify-only --order odd")) << record.repro;
  EXPECT_TRUE(record.launch.has_value());
}

}  // namespace
}  // namespace redux
