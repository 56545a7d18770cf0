// In which order threads and blocks run, how many at a time, and what launches leave behind.
#include <algorithm>
#include <array>
#include <fstream>
#include <set>

#include "simt/executor_support.hpp"

namespace simt_tests {
namespace {

constexpr Geometry kGrid{.grid = {4}, .block = {40}};

Words order_of(const Schedule& schedule) {
  return good(visit_order, kGrid, {.out = 160, .work = {0, 0}}, {schedule});
}

TEST(ExecutorSchedules, InOrderAndReverse) {
  const Words forwards = order_of({Order::ascending});
  const Words backwards = order_of({Order::descending});
  for (Word i = 0; i < 160; ++i) {
    ASSERT_EQ(forwards[i], i);
    ASSERT_EQ(backwards[i], 159 - i);
  }
}

TEST(ExecutorSchedules, ASeedIsAnOrder) {
  std::set<Words> orders;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Words order = order_of({Order::random, seed});
    EXPECT_EQ(order_of({Order::random, seed}), order) << seed;
    Words sorted = order;
    std::ranges::sort(sorted);
    for (Word i = 0; i < 160; ++i) ASSERT_EQ(sorted[i], i);
    orders.insert(order);
  }
  EXPECT_EQ(orders.size(), 20U);
}

TEST(ExecutorSchedules, NamesGoBothWays) {
  using redux::simt::schedule_of;
  EXPECT_EQ(redux::simt::name_of(Schedule{Order::ascending}), "in-order");
  EXPECT_EQ(redux::simt::name_of(Schedule{Order::descending}), "reverse");
  EXPECT_EQ(redux::simt::name_of(Schedule{Order::random, 17}), "random:17");
  const Schedule largest{Order::random, 18446744073709551615U};
  for (const Schedule& schedule : {Schedule{Order::ascending}, Schedule{Order::descending},
                                   Schedule{Order::random, 0}, largest}) {
    EXPECT_EQ(schedule_of(redux::simt::name_of(schedule)), schedule);
  }
  for (const char* rubbish :
       {"", "in-order ", "In-order", "inorder", "reverse:1", "random", "random:", "random:-1",
        "random:+1", "random: 1", "random:1x", "random:0x1", "random:18446744073709551616"}) {
    EXPECT_EQ(schedule_of(rubbish), std::nullopt) << rubbish;
  }
}

TEST(ExecutorSchedules, NoMoreBlocksAtATimeThanTheDeviceHolds) {
  struct Case {
    int multiprocessors;
    int threads;
    Geometry geometry;
    Word most;
  };
  const std::vector<Case> cases{
      {1, 2048, {.grid = {9}, .block = {1024}}, 2},
      {1, 1024, {.grid = {9}, .block = {1024}}, 1},
      {1, 1536, {.grid = {9}, .block = {1024}}, 1},
      {3, 2048, {.grid = {20}, .block = {512}}, 12},
      {1, 2048, {.grid = {40}, .block = {65}}, 21},  // three warps each
      {1, 2048, {.grid = {40}, .block = {1}}, 32},
      {2, 2048, {.grid = {80}, .block = {1}}, 64},
      {1, 2048, {.grid = {9}, .block = {32}, .shared_bytes = 100000}, 2},
      {2, 2048, {.grid = {9}, .block = {32}, .shared_bytes = 232448}, 2},
      {1, 2048, {.grid = {12}, .block = {256}, .cluster = 3}, 6},
  };
  for (Setting setting : settings()) {
    for (const Case& one : cases) {
      setting.device = simulated_device(one.multiprocessors, one.threads);
      const Outcome outcome =
          run(count_resident, one.geometry, {.work = {0, 0, 0}, .n = 3}, setting);
      EXPECT_EQ(outcome.text, "");
      EXPECT_EQ(outcome.work[0], 0U);
      EXPECT_LE(outcome.work[1], one.most) << one.geometry.block.x;
      // In order, as many start as fit, since those that run wait for a word.
      EXPECT_TRUE(setting.schedule.order == Order::random || outcome.work[1] == one.most);
    }
  }
}

std::size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t all = 0;
  std::size_t resident = 0;
  statm >> all >> resident;
  return resident * 4096;
}

TEST(ExecutorLaunches, LeaveNothingBehind) {
  const auto launch = [](int times) {
    for (int i = 0; i < times; ++i) {
      run_once(barrier_passes_words, {.grid = {1}, .block = {64}}, {.out = 64}, {});
      if (i % 100 == 0) run_once(lane_ends, {.grid = {2}, .block = {32}}, {.n = 31}, {});
    }
  };
  launch(500);
  const std::size_t before = resident_bytes();
  launch(10000);
  // The address sanitizer keeps what was freed for a while; a fiber or block lost each time would
  // be more than this.
  EXPECT_LE(resident_bytes(), before + (std::size_t{16} << 20U));
}

TEST(ExecutorFaults, HaveNames) {
  const std::array<std::string, 11> names{
      "launch",    "out-of-bounds",     "write-to-input", "misaligned-access", "uninitialised-read",
      "data-race", "divergent-barrier", "lane-mask",      "cluster",           "deadlock",
      "hang"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto kind = static_cast<FaultKind>(i);
    EXPECT_EQ(redux::simt::name_of(kind), names[i]);
    const redux::simt::Fault fault(kind, "what");
    EXPECT_EQ(std::string(fault.what()), "[" + names[i] + "] what");
    EXPECT_EQ(fault.kind(), kind);
  }
  EXPECT_EQ(static_cast<std::size_t>(FaultKind::hang) + 1, names.size());
}

}  // namespace
}  // namespace simt_tests
