// Data races that the executor finds, and what it must not take for one.
#include "simt/executor_support.hpp"

namespace simt_tests {
namespace {

const std::string kFile = "executor_race_kernels.cu";
constexpr Geometry kBlock{.grid = {1}, .block = {64}};
constexpr Geometry kWarp{.grid = {1}, .block = {32}};
constexpr Geometry kTwo{.grid = {2}, .block = {1}};

/// Faults in every schedule without what orders it, and never with it.
void expect_race(Start kernel, const Geometry& geometry, Memory memory,
                 std::initializer_list<std::string> parts) {
  for (const Setting& setting : settings()) {
    memory.n = 0;
    expect_fault(run(kernel, geometry, memory, setting), FaultKind::data_race, parts);
    memory.n = 1;
    EXPECT_EQ(run(kernel, geometry, memory, setting).text, "");
  }
}

TEST(ExecutorRaces, TwoWritesWithoutABarrier) {
  expect_race(race_write_write, kBlock, {.out = 64},
              {"byte 0 of shared memory '", "is not ordered after a write by thread (",
               here(kFile, "first write"), here(kFile, "second write")});
  expect_fault(
      run(race_write_write, kBlock, {.out = 64}), FaultKind::data_race,
      {"write of 4 bytes by thread (40, 0, 0) of block (0, 0, 0)",
       "after a write by thread (0, 0, 0) of block (0, 0, 0) at " + here(kFile, "first write")});
}

TEST(ExecutorRaces, AReadAfterAWriteWithoutABarrier) {
  // Where the reader comes first it reads what nobody wrote.
  const Memory memory{};
  expect_fault(run(race_write_read, kBlock, memory), FaultKind::data_race,
               {"read of 4 bytes by thread (40, 0, 0)", "a write by thread (0, 0, 0)",
                here(kFile, "write before read"), here(kFile, "read after write")});
  expect_fault(run(race_write_read, kBlock, memory, {{Order::descending}}),
               FaultKind::uninitialised, {here(kFile, "read after write")});
  for (const Setting& setting : settings()) {
    EXPECT_TRUE(run(race_write_read, kBlock, memory, setting).kind.has_value());
    EXPECT_EQ(good(race_write_read, kBlock, {.n = 1}, setting), Words{1});
  }
}

TEST(ExecutorRaces, AWriteAfterAReadWithoutABarrier) {
  expect_race(race_read_write, kBlock, {.out = 64}, {"shared memory '", " by thread ("});
  expect_fault(run(race_read_write, kBlock, {.out = 64}), FaultKind::data_race,
               {"read of 4 bytes by thread (0, 0, 0)", "a write by thread (63, 0, 0)",
                here(kFile, "write after read")});
  expect_fault(run(race_after_many_reads, kBlock, {.out = 64}), FaultKind::data_race,
               {"write of 4 bytes by thread (0, 0, 0)", "is not ordered after reads, the last by",
                here(kFile, "write after many reads")});
}

TEST(ExecutorRaces, WithinAWarpOnlyAWarpBarrierOrders) {
  for (const Setting& setting : settings()) {
    for (const Word how : {0U, 1U, 3U}) {
      const Outcome outcome = run(race_in_a_warp, kWarp, {.out = 32, .n = how}, setting);
      // The neighbour has either not written yet or not in an order.
      ASSERT_TRUE(outcome.kind.has_value()) << how;
      EXPECT_TRUE(outcome.kind == FaultKind::data_race || outcome.kind == FaultKind::uninitialised);
      EXPECT_NE(outcome.text.find(here(kFile, "read in a warp")), std::string::npos);
    }
    const Words out = good(race_in_a_warp, kWarp, {.out = 32, .n = 2}, setting);
    for (Word t = 0; t < 32; ++t) ASSERT_EQ(out[t], t ^ 1U);
  }
  // In this schedule the shuffle has them all write before any reads, and is no order of memory.
  expect_fault(run(race_in_a_warp, kWarp, {.out = 32, .n = 1}), FaultKind::data_race,
               {"is not ordered after a write by"});
}

TEST(ExecutorRaces, DifferentBytesOfAWordAreNoRace) {
  for (const Setting& setting : settings()) {
    const Words out = good(race_bytes, kBlock, {.out = 64}, setting);
    for (Word t = 0; t < 64; ++t) ASSERT_EQ(out[t], t ^ 3U);
  }
  // The byte of another. Of a word's writers the last is known.
  expect_fault(run(race_bytes, kBlock, {.out = 64, .n = 4}), FaultKind::data_race,
               {"write of 1 bytes by thread (4, 0, 0)", "byte 3 of shared memory '",
                "a write by thread (3, 0, 0)", here(kFile, "foreign byte")});
}

TEST(ExecutorRaces, AWriteBesideWhatOthersReadIsNoRace) {
  for (const Setting& setting : settings()) {
    const Words out = good(race_halves, kWarp, {.out = 32}, setting);
    for (Word t = 0; t < 32; ++t) ASSERT_EQ(out[t], t);
    EXPECT_EQ(run(race_halves, kWarp, {.out = 32, .n = 1}, setting).kind, FaultKind::data_race);
  }
}

TEST(ExecutorRaces, ManyLanesMayReadBeforeAWarpBarrierAndAWrite) {
  for (const Setting& setting : settings()) {
    EXPECT_EQ(good(broadcast_then_write, kWarp, {.out = 32, .n = 1}, setting), Words(32, 7));
    EXPECT_EQ(run(broadcast_then_write, kWarp, {.out = 32, .n = 3}, setting).text, "");
    for (const Word how : {0U, 2U}) {
      expect_fault(run(broadcast_then_write, kWarp, {.out = 32, .n = how}, setting),
                   FaultKind::data_race, {"shared memory '"});
    }
  }
}

TEST(ExecutorRaces, ManyReadersOfABlockAreAllWaitedFor) {
  expect_race(race_after_many_reads, kBlock, {.out = 64}, {"shared memory '"});
  for (const Setting& setting : settings()) {
    expect_fault(run(race_of_second_read, kBlock, {.out = 3, .work = {0, 0}}, setting),
                 FaultKind::data_race,
                 {"shared memory '", here(kFile, "write after its own reads")});
  }
}

TEST(ExecutorRaces, AStructPassedByValueIsReadLikeAnyOther) {
  for (const Setting& setting : settings()) {
    const Outcome outcome = run(race_by_value, kBlock, {.out = 64}, setting);
    ASSERT_TRUE(outcome.kind.has_value());
    EXPECT_TRUE(outcome.kind == FaultKind::data_race || outcome.kind == FaultKind::uninitialised);
    EXPECT_NE(outcome.text.find(here(kFile, "by value")), std::string::npos) << outcome.text;
    const Words out = good(race_by_value, kBlock, {.out = 64, .n = 1}, setting);
    for (Word t = 0; t < 64; ++t) ASSERT_EQ(out[t], 63 - t);
  }
}

TEST(ExecutorRaces, BlocksWithoutAnAtomic) {
  expect_fault(run(race_global_plain, kTwo, {.work = {0}}), FaultKind::data_race,
               {"read of 4 bytes by thread (0, 0, 0) of block (1, 0, 0) at byte 0 of the workspace",
                "a write by thread (0, 0, 0) of block (0, 0, 0) at " + here(kFile, "plain flag"),
                here(kFile, "plain look")});
  expect_fault(run(race_global_plain, kTwo, {.work = {0}}, {{Order::descending}}),
               FaultKind::data_race,
               {"write of 4 bytes by thread (0, 0, 0) of block (0, 0, 0)",
                "a read by thread (0, 0, 0) of block (1, 0, 0)", here(kFile, "plain flag")});
  for (const Setting& setting : settings()) {
    expect_fault(run(race_between_blocks, {.grid = {3}, .block = {1}}, {.out = 3}, setting),
                 FaultKind::data_race, {"byte 0 of the output", here(kFile, "same word")});
    EXPECT_EQ(good(race_between_blocks, {.grid = {3}, .block = {1}}, {.out = 3, .n = 1}, setting),
              (Words{0, 1, 2}));
  }
}

TEST(ExecutorRaces, AnAtomicBesideAPlainAccess) {
  expect_fault(
      run(mixed_atomic, kTwo, {.work = {0}}), FaultKind::data_race,
      {"atomic update of 4 bytes", "after a write by", here(kFile, "atomic beside plain")});
  expect_fault(run(mixed_plain, kTwo, {.work = {0}}), FaultKind::data_race,
               {"read of 4 bytes", "after an atomic write by", here(kFile, "plain beside atomic")});
  for (const Setting& setting : settings()) {
    EXPECT_EQ(run(mixed_atomic, kTwo, {.work = {0}}, setting).kind, FaultKind::data_race);
    EXPECT_EQ(run(mixed_plain, kTwo, {.work = {0}}, setting).kind, FaultKind::data_race);
  }
}

TEST(ExecutorRaces, LaunchesAreOrdered) {
  const Memory twice{.out = 4, .work = {0, 3}, .launches = 2};
  for (const Setting& setting : settings()) {
    for (const Word writer : {0U, 3U}) {
      Memory memory = twice;
      memory.n = writer;
      const Outcome outcome = run(write_of_block, {.grid = {4}, .block = {1}}, memory, setting);
      EXPECT_EQ(outcome.text, "");
      EXPECT_EQ(outcome.work, (Words{50 + writer, 3}));
    }
  }
}

constexpr Geometry kPair{.grid = {2}, .block = {3}, .cluster = 2};

TEST(ExecutorClusterFaults, AReadWithoutWaiting) {
  for (const Setting& setting : settings()) {
    EXPECT_EQ(good(cluster_without_barrier, kPair, {.out = 3, .n = 1}, setting), Words(3, 5));
    expect_fault(run(cluster_without_barrier, kPair, {.out = 3}, setting), FaultKind::data_race,
                 {" of block (1, 0, 0)", " of block (0, 0, 0)", here(kFile, "store")});
  }
}

TEST(ExecutorClusterFaults, MemoryOfABlockThatIsNotThere) {
  expect_fault(run(cluster_too_early, kPair), FaultKind::cluster,
               {"write of 8 bytes by thread (0, 0, 0) of block (0, 0, 0)",
                "of block (1, 0, 0), which has not started", here(kFile, "too early")});
  expect_fault(run(cluster_too_late, kPair), FaultKind::cluster,
               {"write of 8 bytes by thread (0, 0, 0) of block (1, 0, 0)",
                "of block (0, 0, 0), which has ended", here(kFile, "too late")});
  for (const Word rank : {2U, 16U}) {
    expect_fault(
        run(cluster_bad_rank, kPair, {.n = rank}), FaultKind::cluster,
        {"to rank " + std::to_string(rank) + " of a cluster of 2 blocks", here(kFile, "bad rank")});
  }
}

TEST(ExecutorClusterFaults, ArrivalsAndWaitsComeInPairs) {
  for (const Setting& setting : settings()) {
    expect_fault(run(cluster_wait_alone, kPair, {}, setting), FaultKind::cluster,
                 {"waits at a cluster barrier without having arrived", here(kFile, "wait alone")});
    expect_fault(
        run(cluster_arrive_twice, kPair, {}, setting), FaultKind::cluster,
        {"arrives at a cluster barrier twice without waiting", here(kFile, "arrive twice")});
  }
}

}  // namespace
}  // namespace simt_tests
