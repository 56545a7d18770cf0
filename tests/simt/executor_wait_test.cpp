// Deadlocks, barriers that lanes do not share, warp operations whose masks do not fit, and loops
// without an end.
#include "simt/executor_support.hpp"

namespace simt_tests {
namespace {

const std::string kFile = "executor_wait_kernels.cu";
constexpr Geometry kWarp{.grid = {1}, .block = {32}};

TEST(ExecutorDeadlocks, ABarrierAgainstAShuffle) {
  for (const Setting& setting : settings()) {
    expect_fault(
        run(barrier_against_shuffle, {.grid = {1}, .block = {64}}, {}, setting),
        FaultKind::deadlock,
        {"63 of 64 threads of block (0, 0, 0), the first (0, 0, 0), waits at a block barrier (",
         "1 of 64 threads of block (0, 0, 0), the first (3, 0, 0), waits at a shuffle (",
         here(kFile, "shuffle"), here(kFile, "barrier")});
  }
}

TEST(ExecutorDeadlocks, ABarrierAgainstAnEndlessWait) {
  for (const Setting& setting : settings()) {
    expect_fault(run(barrier_against_spin, {.grid = {1}, .block = {64}}, {.work = {0, 0}}, setting),
                 FaultKind::deadlock,
                 {"32 of 64 threads of block (0, 0, 0), the first (0, 0, 0), waits at a word that "
                  "does not change (",
                  "32 of 64 threads of block (0, 0, 0), the first (32, 0, 0), waits at a block "
                  "barrier (",
                  here(kFile, "spin"), here(kFile, "barrier beside spin")});
  }
}

TEST(ExecutorDeadlocks, ADeviceThatIsTooSmall) {
  // A multiprocessor has room for two such blocks.
  const Geometry geometry{.grid = {3}, .block = {1024}};
  const Memory memory{.out = 3, .work = {0, 0}};
  for (Setting setting : settings()) {
    setting.device = simulated_device(2, 2048);
    EXPECT_EQ(good(waits_for_the_last_block, geometry, memory, setting), Words(3, 7));
    setting.device = simulated_device(1, 2048);
    const Outcome outcome = run(waits_for_the_last_block, geometry, memory, setting);
    // Where the last block is among the first two, it runs.
    const bool lucky = !outcome.kind.has_value();
    EXPECT_TRUE(lucky || setting.schedule.order != Order::descending);
    EXPECT_FALSE(lucky && setting.schedule.order == Order::ascending);
    if (lucky) {
      EXPECT_EQ(outcome.out, Words(3, 7));
      continue;
    }
    expect_fault(outcome, FaultKind::deadlock,
                 {"1 of 1024 threads of block (0, 0, 0), the first (0, 0, 0), waits at a word that "
                  "does not change (",
                  here(kFile, "wait for the last"),
                  "1023 of 1024 threads of block (1, 0, 0), the first (1, 0, 0), has ended",
                  "1 of 3 blocks have not started", "1 multiprocessors"});
  }
}

TEST(ExecutorDeadlocks, TwoWordsInTurn) {
  const Geometry geometry{.grid = {1}, .block = {2}};
  for (const Setting& setting : settings()) {
    expect_fault(run(spins_on_two_words, geometry, {.work = Words(4, 0)}, setting),
                 FaultKind::deadlock, {"1 of 2 threads", here(kFile, "two words")});
    EXPECT_EQ(good(spins_on_two_words, geometry, {.work = Words(4, 0), .n = 1}, setting), Words{1});
  }
}

/// A change of the word that it no longer asks for wakes a waiting thread once: if it did so again
/// and again, the block that is waited for would never be started.
TEST(ExecutorWaits, ForAWordAfterALookAtAnother) {
  const Geometry geometry{.grid = {16}, .block = {2}};
  const Memory memory{.out = 16, .work = {0, 0}};
  for (Setting setting : settings()) {
    setting.device = simulated_device(16, 2048);
    EXPECT_EQ(good(waits_after_a_look, geometry, memory, setting), Words(16, 1));
  }
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Setting setting{{Order::random, seed}, simulated_device(16, 2048)};
    EXPECT_EQ(good(waits_after_a_look, geometry, memory, setting), Words(16, 1));
  }
}

TEST(ExecutorBarriers, LanesOfAWarpMeetAtOneBarrier) {
  for (const Setting& setting : settings()) {
    expect_fault(
        run(divergent_barriers, kWarp, {.out = 2}, setting), FaultKind::divergent_barrier,
        {"lanes of one warp wait at different barriers: thread (0, 0, 0) of block (0, 0, 0)",
         here(kFile, "even"), here(kFile, "odd"), "thread (1, 0, 0)"});
    expect_fault(run(divergent_in_helper, kWarp, {.out = 2}, setting), FaultKind::divergent_barrier,
                 {here(kFile, "helper by one"), here(kFile, "helper by the others")});
  }
}

void expect_lane_fault(Start kernel, const Memory& memory, const Geometry& geometry,
                       std::initializer_list<std::string> parts) {
  for (const Setting& setting : settings()) {
    expect_fault(run(kernel, geometry, memory, setting), FaultKind::lane_mask, parts);
  }
}

TEST(ExecutorLanes, AnExitedLane) {
  for (const Word lane : {0U, 17U, 31U}) {
    expect_lane_fault(exited_lane, {.out = 32, .n = lane}, kWarp,
                      {"of block (0, 0, 0)", here(kFile, "exited lane")});
  }
  expect_fault(run(exited_lane, kWarp, {.out = 32, .n = 0}), FaultKind::lane_mask,
               {"a shuffle of thread (1, 0, 0)", "mask 0xffffffff names lane 0, which has ended"});
}

TEST(ExecutorLanes, ALaneThatEndsWhileOthersWait) {
  expect_fault(
      run(lane_ends, kWarp, {.n = 31}), FaultKind::lane_mask,
      {"thread (31, 0, 0) of block (0, 0, 0) ended, but thread (0, 0, 0) of block (0, 0, 0) "
       "waits for it at __syncwarp",
       here(kFile, "lane ends")});
}

TEST(ExecutorLanes, AnAbsentLane) {
  expect_lane_fault(absent_lane, {.out = 40}, {.grid = {1}, .block = {40}},
                    {"a shuffle of thread (",
                     "mask 0xffffffff names lane 8, which the block does "
                     "not have",
                     here(kFile, "absent lane")});
}

TEST(ExecutorLanes, AMaskWithoutTheCaller) {
  expect_lane_fault(
      mask_without_caller, {.out = 32}, kWarp,
      {"mask 0x0000ffff does not name the caller, lane ", here(kFile, "without caller")});
}

TEST(ExecutorLanes, MasksThatDoNotFit) {
  expect_lane_fault(
      mask_mismatch, {.out = 32}, kWarp,
      {"with mask 0xffffff", "meets lanes that wait with mask 0xffffff", here(kFile, "mismatch")});
}

TEST(ExecutorLanes, OperationsThatDoNotFit) {
  expect_lane_fault(operation_mismatch, {.out = 32}, kWarp,
                    {" meets lanes that wait at a ", "mask 0xffffffff"});
  expect_fault(run(operation_mismatch, kWarp, {.out = 32}), FaultKind::lane_mask,
               {"a shuffle of thread (16, 0, 0)", "meets lanes that wait at a vote",
                here(kFile, "shuffle beside vote")});
}

TEST(ExecutorLanes, ALaneThatTheMaskDoesNotName) {
  expect_lane_fault(
      reads_unnamed_lane, {.out = 32}, kWarp,
      {"with mask 0x0000ffff reads lane 16, which it does not name", here(kFile, "unnamed lane")});
}

TEST(ExecutorHangs, ALoopOfPlainLoads) {
  const Words in{3, 3};
  expect_fault(run(plain_loop, {.grid = {2}, .block = {2}}, {.in = in, .n = 4}), FaultKind::hang,
               {"thread (", "nothing but loads has happened", here(kFile, "loop")});
  expect_fault(
      run(plain_loop_of_shared, {.grid = {1}, .block = {2}}, {.n = 4}, {{Order::random, 4}}),
      FaultKind::hang, {"nothing but loads has happened", here(kFile, "loop of shared")});
}

TEST(ExecutorHangs, APlainWaitLetsOthersRun) {
  for (const Order order : {Order::ascending, Order::random}) {
    expect_fault(run(plain_wait, {.grid = {2}, .block = {1}}, {.work = {0}}, {{order, 5}}),
                 FaultKind::data_race, {"byte 0 of the workspace", here(kFile, "plain write")});
  }
}

}  // namespace
}  // namespace simt_tests
