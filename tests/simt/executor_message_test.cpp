// Messages between blocks: with what the memory model asks for, and without.
#include "simt/executor_support.hpp"

namespace simt_tests {
namespace {

const std::string kFile = "executor_message_kernels.cu";

Outcome send(Word how, const Setting& setting = {}) {
  return run(message, {.grid = {2}, .block = {1}}, {.work = Words(4, 0), .n = how}, setting);
}

TEST(ExecutorMessages, FencesOnBothSidesOrder) {
  for (const Setting& setting : settings()) {
    for (const Word how : {kFences, kHelpers}) {
      const Outcome outcome = send(how, setting);
      EXPECT_EQ(outcome.text, "");
      EXPECT_EQ(outcome.out, Words{42});
    }
  }
}

TEST(ExecutorMessages, WhatLacksAFenceIsARace) {
  for (const Setting& setting : settings()) {
    for (const Word how : {kNoWriterFence, kNoReaderFence, kReleaseNoAcquire, kBlockFences,
                           kReleaseElsewhere, kAcquireIsNoFence}) {
      SCOPED_TRACE(how);
      expect_fault(send(how, setting), FaultKind::data_race,
                   {"read of 4 bytes by thread (0, 0, 0) of block (1, 0, 0) at byte 0 of the "
                    "workspace is not ordered after a write by thread (0, 0, 0) of block (0, 0, 0) "
                    "at " +
                        here(kFile, "data"),
                    here(kFile, "message read")});
    }
    expect_fault(send(kAcquireNoRelease, setting), FaultKind::data_race,
                 {here(kFile, "read after acquire")});
  }
}

TEST(ExecutorMessages, TheLastBlockReadsWhatAllLeft) {
  const Geometry geometry{.grid = {40}, .block = {64}};
  for (const Setting& setting : settings()) {
    const Outcome outcome =
        run(last_block, geometry, {.work = Words(41, 0), .n = 1, .launches = 3}, setting);
    EXPECT_EQ(outcome.text, "");
    EXPECT_EQ(outcome.out, Words{820});
    EXPECT_EQ(outcome.work[0], 0U);  // the counter wraps, so that the next launch finds zero
  }
}

TEST(ExecutorMessages, TheLastBlockNeedsBothFences) {
  const Geometry geometry{.grid = {40}, .block = {64}};
  for (const Setting& setting : settings()) {
    expect_fault(run(last_block, geometry, {.work = Words(41, 0)}, setting), FaultKind::data_race,
                 {here(kFile, "partials")});
    expect_fault(run(last_block_no_fence, geometry, {.out = 40, .work = Words(41, 0)}, setting),
                 FaultKind::data_race, {here(kFile, "no fence")});
  }
}

TEST(ExecutorMessages, BarriersCarryThemToAndFromOtherThreads) {
  const Geometry geometry{.grid = {2}, .block = {64}};
  for (const Setting& setting : settings()) {
    const Words out =
        good(block_message, geometry, {.out = 64, .work = Words(66, 0), .n = 1}, setting);
    for (Word t = 0; t < 64; ++t) ASSERT_EQ(out[t], (63 - t) * (63 - t));
    expect_fault(run(block_message, geometry, {.out = 64, .work = Words(66, 0)}, setting),
                 FaultKind::data_race, {" of block (1, 0, 0)", " of block (0, 0, 0)"});
  }
}

TEST(ExecutorMessages, WarpBarriersDoToo) {
  const Geometry geometry{.grid = {2}, .block = {32}};
  for (const Setting& setting : settings()) {
    const Words out =
        good(warp_message, geometry, {.out = 32, .work = Words(34, 0), .n = 1}, setting);
    for (Word t = 0; t < 32; ++t) ASSERT_EQ(out[t], (31 - t) * (31 - t));
    expect_fault(run(warp_message, geometry, {.out = 32, .work = Words(34, 0)}, setting),
                 FaultKind::data_race, {" of block (1, 0, 0)", " of block (0, 0, 0)"});
  }
}

}  // namespace
}  // namespace simt_tests
