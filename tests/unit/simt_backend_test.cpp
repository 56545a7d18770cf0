// The SIMT executor as a backend: what it refuses, and that each schedule starts afresh.
#include <gtest/gtest.h>

#include "backend/backend.hpp"
#include "core/registry.hpp"
#include "core/status.hpp"
#include "data/data.hpp"

namespace redux {
namespace {

#ifdef REDUX_HAVE_SIMT

Case case_of(const char* variant) {
  Case c;
  c.op = simt_registry().find_op("argmax");
  c.variant = simt_registry().find_variant("argmax", variant);
  c.shape.dims = {2, 5000};
  c.seed = 9;
  return c;
}

TEST(SimtBackend, HasEverySideOfTheRegistry) {
  EXPECT_EQ(simt_registry().find_variant("argmax", "host_serial")->side, Side::host);
  EXPECT_EQ(simt_registry().find_variant("argmin", "cub")->side, Side::cuda);
  EXPECT_EQ(simt_registry().ops().size(), Registry::instance().ops().size());
}

TEST(SimtBackend, RunsTwiceUnderEachSchedule) {
  const auto backend = make_simt_backend({});
  const Case c = case_of("two_stage");
  const auto work = backend->prepare(c, make_inputs(c), false);
  ASSERT_EQ(work->ways(), 6);
  std::vector<std::string> options;
  for (std::int64_t way = 0; way < 6; ++way) options.push_back(work->choose_way(way));
  const std::vector<std::string> expected{"--simt-schedule in-order", "--simt-schedule in-order",
                                          "--simt-schedule reverse",  "--simt-schedule reverse",
                                          "--simt-schedule random:9", "--simt-schedule random:9"};
  EXPECT_EQ(options, expected);
  const auto one = make_simt_backend({.schedule = "random:3"});
  const auto alone = one->prepare(c, make_inputs(c), false);
  EXPECT_EQ(alone->ways(), 2);
  EXPECT_EQ(alone->choose_way(1), "--simt-schedule random:3");
}

TEST(SimtBackend, TimesNothing) {
  const auto backend = make_simt_backend({});
  const Case c = case_of("thread_per_row");
  const auto work = backend->prepare(c, make_inputs(c), true);
  EXPECT_EQ(work->copies(), 1);
  EXPECT_THROW(work->set_up_batch(Mode::graph, Cache::warm, 1), std::logic_error);
  EXPECT_THROW(work->run_batch(), std::logic_error);
  Ceilings ceilings;
  EXPECT_THROW(backend->measure_ceilings(ceilings), std::logic_error);
}

TEST(SimtBackend, CountsHostMemoryWithTheHistoryOfOutputs) {
  const auto backend = make_simt_backend({.multiprocessors = 2, .schedule = {}});
  EXPECT_TRUE(backend->in_host_memory());
  EXPECT_EQ(backend->device().multiprocessors, 2);
  Case c = case_of("thread_per_row");
  c.shape.dims = {1'000'000, 1};
  const std::size_t buffers = 4'000'000 + 8'000'000;
  EXPECT_GT(backend->memory_need(c).needed_bytes, buffers + (8 * 8'000'000));
}

#else

TEST(SimtBackend, WithoutTheExecutorSaysHowToGetIt) {
  const auto code_of = [](auto call) {
    try {
      call();
    } catch (const Failure& failure) {
      EXPECT_NE(std::string(failure.what()).find("libboost-context-dev"), std::string::npos);
      EXPECT_NE(std::string(failure.what()).find("REDUX_SIMT=ON"), std::string::npos);
      return failure.code();
    }
    return ExitCode::ok;
  };
  EXPECT_EQ(code_of([] { return make_simt_backend({}); }), ExitCode::environment);
  EXPECT_EQ(code_of([] { return simt_registry().ops(); }), ExitCode::environment);
}

#endif

}  // namespace
}  // namespace redux
