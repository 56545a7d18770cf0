// Coordinates, barriers and shared memory of the executor, and the geometries that it refuses.
#include "simt/executor_support.hpp"

namespace simt_tests {
namespace {

TEST(ExecutorBlocks, EveryThreadKnowsWhereItIs) {
  const Geometry geometry{.grid = {3, 2, 2}, .block = {5, 4, 3}};
  for (const Setting& setting : settings()) {
    const Words out = good(coordinates, geometry, {.out = 12 * 60 * 6}, setting);
    std::size_t i = 0;
    for (Word b = 0; b < 12; ++b) {
      for (Word t = 0; t < 60; ++t) {
        const Words expected{t % 5, t / 5 % 4, t / 20, b % 3, b / 3 % 2, b / 6};
        ASSERT_EQ(Words(out.begin() + static_cast<long>(i), out.begin() + static_cast<long>(i + 6)),
                  expected);
        i += 6;
      }
    }
  }
}

TEST(ExecutorBlocks, BarriersCountAndVote) {
  for (const Setting& setting : settings()) {
    for (const Word threads : {1U, 6U, 32U, 45U, 1024U}) {
      const Words out =
          good(barrier_votes, {.grid = {1}, .block = {threads}}, {.out = 5 * threads}, setting);
      for (Word t = 0; t < threads; ++t) {
        ASSERT_EQ(out[5 * t], (threads + 1) / 2);
        ASSERT_EQ(out[(5 * t) + 1], threads == 1 ? 1U : 0U);
        ASSERT_EQ(out[(5 * t) + 2], 1U);
        ASSERT_EQ(out[(5 * t) + 3], threads > 5 ? 1U : 0U);
        ASSERT_EQ(out[(5 * t) + 4], 0U);
      }
    }
  }
}

TEST(ExecutorBlocks, ThreadsThatHaveEndedCountAsArrivedAndDoNotVote) {
  for (const Setting& setting : settings()) {
    for (const Word left : {0U, 1U, 2U}) {
      std::vector<bool> stays(100);
      Word count = 0;
      for (Word t = 0; t < 100; ++t) {
        stays[t] = t % 3 != left;
        count += stays[t] ? 1 : 0;
      }
      const Outcome outcome = run(barrier_votes_after_exit, {.grid = {1}, .block = {100}},
                                  {.out = 200, .n = left}, setting);
      ASSERT_EQ(outcome.text, "");
      for (Word t = 0; t < 100; ++t) {
        if (!stays[t]) continue;
        ASSERT_EQ(outcome.out[2 * t], count) << t;
        ASSERT_EQ(outcome.out[(2 * t) + 1], 1U) << t;
      }
    }
  }
}

TEST(ExecutorBlocks, BarriersOrderSharedMemory) {
  for (const Setting& setting : settings()) {
    for (const redux::Extent3 block : {redux::Extent3{1}, {33}, {1024}, {7, 3, 2}}) {
      const Word threads = block.x * block.y * block.z;
      const Words out =
          good(barrier_passes_words, {.grid = {1}, .block = block}, {.out = threads}, setting);
      for (Word t = 0; t < threads; ++t) ASSERT_EQ(out[t], ((t + 1) % threads) + 2);
    }
  }
}

TEST(ExecutorBlocks, WarpBarriersOrderSharedMemoryOfAWarp) {
  for (const Setting& setting : settings()) {
    const Words out =
        good(warp_barrier_passes_words, {.grid = {1}, .block = {64}}, {.out = 64}, setting);
    for (Word t = 0; t < 64; ++t) {
      const Word from = (t & 32U) | ((t + 1) % 32);
      ASSERT_EQ(out[t], 100 + (from ^ 31U));
    }
  }
}

TEST(ExecutorBlocks, StaticObjectsAreToldApartByTypeAndTag) {
  for (const Setting& setting : settings()) {
    EXPECT_EQ(good(static_objects, {.grid = {1}, .block = {40}}, {.out = 40}, setting),
              Words(40, 101112));
  }
}

TEST(ExecutorBlocks, DynamicSharedMemoryIsAsLargeAsAskedFor) {
  const Word most = 232448 / 4;
  for (const Word words : {1U, 100U, 12000U}) {
    const Words out = good(dynamic_words, {.grid = {1}, .block = {96}, .shared_bytes = words * 4},
                           {.out = words, .n = words});
    for (Word i = 0; i < words; ++i) ASSERT_EQ(out[i], (words - 1 - i) * 3);
  }
  EXPECT_EQ(good(do_nothing, {.grid = {1}, .block = {96}, .shared_bytes = most * 4}),
            Words(1, 0xA7A7A7A7U));
}

TEST(ExecutorBlocks, GridsBeyond65535BlocksRun) {
  const Outcome outcome =
      run(blocks_of_a_large_grid, {.grid = {70001}, .block = {1}}, {.work = {0, 0}});
  EXPECT_EQ(outcome.text, "");
  EXPECT_EQ(outcome.work, (Words{70001, 70000}));
}

TEST(ExecutorBlocks, TheLargestExtentsRun) {
  EXPECT_EQ(good(do_nothing, {.grid = {1, 65535}, .block = {1}}).size(), 1U);
  EXPECT_EQ(good(do_nothing, {.grid = {1, 1, 65535}, .block = {1}}).size(), 1U);
  EXPECT_EQ(good(do_nothing, {.grid = {1}, .block = {1, 1024}}).size(), 1U);
  EXPECT_EQ(good(do_nothing, {.grid = {1}, .block = {16, 1, 64}}).size(), 1U);
  EXPECT_EQ(good(do_nothing, {.grid = {32}, .block = {8}, .cluster = 16}).size(), 1U);
}

TEST(ExecutorLaunch, GeometriesThatAGpuRefusesAreRefused) {
  struct Bad {
    Geometry geometry;
    std::string text;
  };
  const std::vector<Bad> bad{
      {{.grid = {1, 65536}, .block = {1}}, "grid y is 65536"},
      {{.grid = {1, 1, 65536}, .block = {1}}, "grid z is 65536"},
      {{.grid = {2147483648U}, .block = {1}}, "grid x is 2147483648"},
      {{.grid = {0}, .block = {1}}, "grid x is 0"},
      {{.grid = {1, 0}, .block = {1}}, "grid y is 0"},
      {{.grid = {1, 1, 0}, .block = {1}}, "grid z is 0"},
      {{.grid = {1}, .block = {0}}, "block x is 0"},
      {{.grid = {1}, .block = {1, 0}}, "block y is 0"},
      {{.grid = {1}, .block = {1, 1, 0}}, "block z is 0"},
      {{.grid = {1}, .block = {1025}}, "block x is 1025"},
      {{.grid = {1}, .block = {1, 1025}}, "block y is 1025"},
      {{.grid = {1}, .block = {1, 1, 65}}, "block z is 65"},
      {{.grid = {1}, .block = {41, 25}}, "threads a block is 1025"},
      {{.grid = {1}, .block = {1}, .shared_bytes = 232449},
       "232449 bytes of dynamic shared memory, at most 232448"},
      {{.grid = {17}, .block = {1}, .cluster = 17}, "blocks a cluster is 17"},
      {{.grid = {1}, .block = {1}, .cluster = 0}, "blocks a cluster is 0"},
      {{.grid = {9}, .block = {1}, .cluster = 2}, "grid x is 9, not a multiple of the 2 blocks"},
      {{.grid = {2147483647, 3}, .block = {1}}, "blocks (in this executor)"},
  };
  for (const Bad& one : bad) {
    expect_fault(run(do_nothing, one.geometry), FaultKind::launch,
                 {"invalid configuration: " + one.text});
  }
}

TEST(ExecutorLaunch, TooMuchStaticSharedMemoryIsRefused) {
  const std::string file = "executor_block_kernels.cu";
  expect_fault(
      run(too_much_static, {.grid = {1}, .block = {1}}, {.n = 3}), FaultKind::launch,
      {"49156 bytes of static shared memory, at most 49152", here(file, "too much static")});
  const Geometry all{.grid = {1}, .block = {1}, .shared_bytes = 232448 - 4096};
  good(static_beside_dynamic, all);
  Geometry more = all;
  more.shared_bytes += 1;
  expect_fault(run(static_beside_dynamic, more), FaultKind::launch,
               {"4096 bytes of static and 228353 of dynamic shared memory", "232448",
                here(file, "static beside dynamic")});
}

TEST(ExecutorLaunch, ATrapIsAFault) {
  expect_fault(run(trapped, {.grid = {1}, .block = {40}}, {.n = 33}), FaultKind::launch,
               {"__trap", "thread (33, 0, 0) of block (0, 0, 0)",
                here("executor_block_kernels.cu", "trap")});
}

TEST(ExecutorClusters, RanksAreGivenAlongX) {
  for (const Setting& setting : settings()) {
    const Words out =
        good(cluster_ranks, {.grid = {6, 2}, .block = {3}, .cluster = 3}, {.out = 24}, setting);
    for (Word b = 0; b < 12; ++b) {
      ASSERT_EQ(out[2 * b], b % 3);
      ASSERT_EQ(out[(2 * b) + 1], 3U);
    }
  }
}

TEST(ExecutorClusters, BarriersOrderWhatBlocksStoreToEachOther) {
  for (const Setting& setting : settings()) {
    for (const Word blocks : {1U, 2U, 8U, 16U}) {
      const Words out =
          good(cluster_stores, {.grid = {blocks * 2}, .block = {40}, .cluster = blocks},
               {.out = blocks * 80, .n = 3}, setting);
      for (Word b = 0; b < blocks * 2; ++b) {
        const Word from = (b / blocks * blocks) + ((b + blocks - 1) % blocks);
        for (Word t = 0; t < 40; ++t) ASSERT_EQ(out[(b * 40) + t], (100 * from) + 2);
      }
    }
  }
}

}  // namespace
}  // namespace simt_tests
