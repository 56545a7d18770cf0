// Rotation, graphs and floors on the device. Nothing here depends on how fast it is.
#include <algorithm>

#include "backend_support.hpp"
#include "common/probes.hpp"

namespace redux {
namespace {

using BackendTiming = CudaBackendTest;
using Values = std::vector<std::int64_t>;

void run_probe(const Problem& /*problem*/, const Exec& exec) {
  probe_empty(exec);
}

TEST_F(BackendTiming, CallsTheFirstCopiesInAShortColdBatch) {
  for (const Mode mode : {Mode::graph, Mode::stream}) {
    const auto work = prepare(true);
    work->warm_up(Cache::cold, 1);
    work->poison_outputs();
    work->set_up_batch(mode, Cache::cold, 3);
    EXPECT_GT(work->run_batch(), 0);
    EXPECT_EQ(work->called_copies(), 3);
    EXPECT_EQ(first_outputs(*work, 4),
              (Values{repeated(1), repeated(1), repeated(1), repeated(kPoisonByte)}));
  }
}

TEST_F(BackendTiming, CallsEveryCopyInWholeRotations) {
  for (const Mode mode : {Mode::graph, Mode::stream}) {
    const auto work = prepare(true);
    work->warm_up(Cache::cold, 1);
    work->poison_outputs();
    work->set_up_batch(mode, Cache::cold, 2 * work->copies());
    EXPECT_GT(work->run_batch(), 0);
    EXPECT_EQ(work->called_copies(), work->copies());
    EXPECT_EQ(first_outputs(*work, work->copies()),
              Values(static_cast<std::size_t>(work->copies()), repeated(1)));
  }
}

TEST_F(BackendTiming, WritesOnlyTheFirstCopyWhenWarm) {
  const auto work = prepare(true);
  work->warm_up(Cache::warm, 1);
  work->set_up_batch(Mode::graph, Cache::warm, 8);
  EXPECT_GT(work->run_batch(), 0);
  EXPECT_EQ(work->called_copies(), 1);
  EXPECT_EQ(first_outputs(*work, 2), (Values{repeated(1), repeated(kPoisonByte)}));
}

TEST_F(BackendTiming, TakesAsManyCopiesAsExceedThreeCaches) {
  const auto l2 = static_cast<std::int64_t>(backend_->device().l2_bytes);
  set_shape(1, l2 / 4);  // one cache and eight bytes of output
  EXPECT_EQ(prepare(true)->copies(), 3);
  set_shape(1, l2 + 1024);  // more than four caches
  EXPECT_EQ(prepare(true)->copies(), 1);
}

TEST_F(BackendTiming, AHandicapAddsItsShareToEveryBatchAndCallsNothingMore) {
  for (const Mode mode : {Mode::graph, Mode::stream}) {
    const auto work = prepare(false);
    work->warm_up(Cache::warm, 1);
    work->set_up_batch(mode, Cache::warm, 500);
    double plain_us = work->run_batch();
    for (int i = 0; i < 4; ++i) plain_us = std::min(plain_us, work->run_batch());
    work->handicap(4);
    work->set_up_batch(mode, Cache::warm, 500);
    // The share is that of a median, so it may exceed that of the fastest, and never by a factor.
    EXPECT_GE(work->run_batch(), 3 * plain_us);
    EXPECT_EQ(first_outputs(*work, 1), Values{repeated(1)});
    EXPECT_EQ(work->damage(), "");
  }
}

TEST_F(BackendTiming, AcceptsAGeometryThatIsTrue) {
  variant_.launch = [](const Case&, const DeviceFacts&) { return enqueues(2, 1); };
  variant_.run = [](const Problem& problem, const Exec& exec) {
    const View& output = problem.outputs[0];
    REDUX_CUDA_CHECK(cudaMemsetAsync(output.data, 1, output.bytes(), stream_of(exec)));
    probe_empty(exec);
    probe_empty(exec);
  };
  EXPECT_NO_THROW(prepare(false)->warm_up(Cache::warm, 1));
}

TEST_F(BackendTiming, RefusesAGeometryThatIsNot) {
  variant_.run = run_probe;
  try {
    prepare(false)->warm_up(Cache::warm, 1);
    FAIL() << "declared a memset, launched a kernel";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(),
                 "variant 'fake' declares 0 kernels and 1 memsets a call, but enqueues 1 kernels, "
                 "0 memsets and 0 other operations");
  }
  variant_.run = [](const Problem& problem, const Exec& exec) {
    const View& output = problem.outputs[0];
    REDUX_CUDA_CHECK(cudaMemcpyAsync(output.data, problem.inputs[0].data, output.bytes(),
                                     cudaMemcpyDeviceToDevice, stream_of(exec)));
  };
  EXPECT_THROW(prepare(false)->warm_up(Cache::warm, 1), std::logic_error);
}

TEST_F(BackendTiming, EndsACaptureThatFails) {
  const auto work = prepare(false);
  variant_.run = [](const Problem&, const Exec&) { throw std::runtime_error("mid-capture"); };
  EXPECT_THROW(work->set_up_batch(Mode::graph, Cache::warm, 2), std::runtime_error);
  variant_.run = [](const Problem& problem, const Exec& exec) {
    const View& output = problem.outputs[0];
    REDUX_CUDA_CHECK(cudaMemsetAsync(output.data, 2, output.bytes(), stream_of(exec)));
  };
  work->set_up_batch(Mode::graph, Cache::warm, 2);
  work->run_batch();
  EXPECT_EQ(first_outputs(*work, 1), Values{repeated(2)});
}

TEST_F(BackendTiming, MeasuresEveryFloorAndCeilingAndKeepsTheBetter) {
  Ceilings ceilings;
  backend_->measure_ceilings(ceilings);
  ASSERT_TRUE(ceilings.graph_floor_us && ceilings.stream_floor_us);
  EXPECT_GT(*ceilings.graph_floor_us, 0);
  // Replaying a graph saves what each launch costs: it cannot be the slower of the two.
  EXPECT_LT(*ceilings.graph_floor_us, *ceilings.stream_floor_us);
  EXPECT_GT(ceilings.read_gbps.value(), 0);
  EXPECT_GT(ceilings.copy_gbps.value(), 0);
  EXPECT_FALSE(ceilings.host_read_gbps.has_value());
  Ceilings kept;
  kept.graph_floor_us = 1e-9;
  kept.stream_floor_us = 1e-9;
  kept.read_gbps = 1e9;
  kept.copy_gbps = 1e9;
  backend_->measure_ceilings(kept);
  EXPECT_EQ(kept.graph_floor_us, 1e-9);
  EXPECT_EQ(kept.stream_floor_us, 1e-9);
  EXPECT_EQ(kept.read_gbps, 1e9);
  EXPECT_EQ(kept.copy_gbps, 1e9);
}

TEST_F(BackendTiming, KnowsTheDevice) {
  const DeviceFacts& facts = backend_->device();
  EXPECT_FALSE(facts.name.empty());
  EXPECT_EQ(facts.uuid.size(), 40U);  // "GPU-" and 8-4-4-4-12
  EXPECT_GT(facts.multiprocessors, 0);
  EXPECT_GT(facts.l2_bytes, 0U);
  EXPECT_GT(facts.memory_bytes, facts.l2_bytes);
  EXPECT_GE(facts.shared_bytes_per_block, 49152U);
}

TEST_F(BackendTiming, ListsTheDevicesWhereTheOrdinalIsNone) {
  std::string why;
  try {
    static_cast<void>(make_cuda_backend(1000, why));
    FAIL() << "there cannot be a thousand devices";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::environment);
    const std::string expected = "0 (" + backend_->device().name + ")";
    EXPECT_NE(std::string(failure.what()).find(expected), std::string::npos) << failure.what();
  }
}

}  // namespace
}  // namespace redux
