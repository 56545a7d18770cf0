// The host backend with variants that misbehave: stale outputs, writes past the end, changed
// inputs.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <vector>

#include "backend/backend.hpp"
#include "core/op.hpp"
#include "core/variant.hpp"
#include "verify/verify.hpp"

namespace redux {
namespace {

std::atomic<int> calls_made{0};

void write_count(const Problem& problem, const Exec& /*exec*/) {
  *problem.outputs[0].as<std::int64_t>() = ++calls_made;
}

class HostWorkloadTest : public testing::Test {
 protected:
  HostWorkloadTest() {
    calls_made = 0;
    op_.name = "fake";
    op_.inputs = [](const Case& c) -> std::vector<TensorSpec> {
      return {{"input", c.dtype, c.shape.dims}};
    };
    op_.outputs = [](const Case&) -> std::vector<TensorSpec> {
      return {{"indices", DType::int64, {1}}};
    };
    variant_.name = "fake";
    variant_.run = write_count;
    case_.op = &op_;
    case_.variant = &variant_;
    case_.shape.dims = {1, 1024};
  }

  std::unique_ptr<Workload> prepare(bool cold) { return backend_->prepare(case_, inputs_, cold); }
  static std::vector<std::int64_t> outputs_of(Workload& work, std::int64_t limit) {
    std::vector<std::int64_t> values;
    work.read_outputs(
        [&](std::int64_t copy, std::span<const View> views) {
          EXPECT_EQ(copy, static_cast<std::int64_t>(values.size()));
          values.push_back(*views[0].as<std::int64_t>());
        },
        limit);
    return values;
  }

  Op op_;
  Variant variant_;
  Case case_;
  std::vector<HostTensor> inputs_{HostTensor(4096, std::byte{3})};
  std::unique_ptr<Backend> backend_ = make_host_backend();
};

const std::int64_t kPoison = [] {
  std::int64_t value = 0;
  std::memset(&value, kPoisonByte, sizeof(value));
  return value;
}();

TEST_F(HostWorkloadTest, GivesVariantsAlignedInputsAndAZeroedWorkspace) {
  variant_.workspace_bytes = [](const Case&, const DeviceFacts&) { return std::size_t{64}; };
  variant_.run = [](const Problem& problem, const Exec&) {
    const auto* input = problem.inputs[0].as<const std::byte>();
    const auto* workspace = static_cast<const std::byte*>(problem.workspace);
    bool right = reinterpret_cast<std::uintptr_t>(input) % 64 == 0 && problem.workspace_bytes == 64;
    for (int i = 0; i < 4096; ++i) right = right && input[i] == std::byte{3};
    for (int i = 0; i < 64; ++i) right = right && workspace[i] == std::byte{0};
    *problem.outputs[0].as<std::int64_t>() = right ? 1 : 0;
  };
  const auto work = prepare(false);
  EXPECT_EQ(work->copies(), 1);
  work->warm_up(Cache::warm, 1);
  EXPECT_EQ(outputs_of(*work, 1), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(work->damage(), "");
}

TEST_F(HostWorkloadTest, ShowsStaleOutputsAsPoison) {
  variant_.run = [](const Problem&, const Exec&) {};
  const auto work = prepare(false);
  EXPECT_EQ(outputs_of(*work, 1), (std::vector<std::int64_t>{kPoison}));
  variant_.run = write_count;
  work->warm_up(Cache::warm, 1);
  EXPECT_EQ(outputs_of(*work, 1), (std::vector<std::int64_t>{1}));
  work->poison_outputs();
  EXPECT_EQ(outputs_of(*work, 1), (std::vector<std::int64_t>{kPoison}));
}

TEST_F(HostWorkloadTest, RotatesOverCopiesFromBatchToBatch) {
  const auto work = prepare(true);
  ASSERT_GT(work->copies(), 4);
  work->set_up_batch(Mode::stream, Cache::cold, 2);
  EXPECT_GT(work->run_batch(), 0);
  EXPECT_EQ(work->called_copies(), 2);
  EXPECT_EQ(outputs_of(*work, 3), (std::vector<std::int64_t>{1, 2, kPoison}));
  work->run_batch();
  EXPECT_EQ(work->called_copies(), 4);
  EXPECT_EQ(outputs_of(*work, 5), (std::vector<std::int64_t>{1, 2, 3, 4, kPoison}));
}

TEST_F(HostWorkloadTest, MakesExactlyTheCallsOfABatch) {
  const auto work = prepare(true);
  const std::int64_t calls = 2 * work->copies() + 1;
  work->set_up_batch(Mode::stream, Cache::cold, calls);
  work->run_batch();
  EXPECT_EQ(calls_made, calls);
  EXPECT_EQ(work->called_copies(), work->copies());
  EXPECT_EQ(outputs_of(*work, 2), (std::vector<std::int64_t>{calls, work->copies() + 2}));
  work->set_up_batch(Mode::stream, Cache::warm, 5);
  work->run_batch();
  EXPECT_EQ(calls_made, calls + 5);
  EXPECT_EQ(work->called_copies(), 1);
  EXPECT_EQ(outputs_of(*work, 1), (std::vector<std::int64_t>{calls + 5}));
}

TEST_F(HostWorkloadTest, NamesAWritePastTheEnd) {
  variant_.run = [](const Problem& problem, const Exec&) {
    std::memset(problem.outputs[0].as<std::byte>() + 8, 0, 8);
  };
  const auto work = prepare(false);
  EXPECT_EQ(work->damage(), "");
  work->warm_up(Cache::warm, 1);
  EXPECT_EQ(work->damage(), "output 'indices', copy 0: 8 bytes past the end");
}

TEST_F(HostWorkloadTest, NamesAWriteBeforeTheStartInTheLastCopy) {
  variant_.run = [](const Problem& problem, const Exec&) {
    if (++calls_made == 3) std::memset(problem.inputs[0].as<std::byte>() - 4, 0, 4);
  };
  const auto work = prepare(true);
  work->warm_up(Cache::cold, 3);
  EXPECT_EQ(work->damage(), "input 'input', copy 2: 4 bytes before the start");
}

TEST_F(HostWorkloadTest, NamesWritesOutsideTheWorkspace) {
  variant_.workspace_bytes = [](const Case&, const DeviceFacts&) { return std::size_t{10}; };
  variant_.run = [](const Problem& problem, const Exec&) {
    static_cast<std::byte*>(problem.workspace)[10] = std::byte{1};
  };
  const auto work = prepare(false);
  work->warm_up(Cache::warm, 1);
  EXPECT_EQ(work->damage(), "workspace, copy 0: 1 bytes past the end");
}

TEST_F(HostWorkloadTest, NamesAChangedInput) {
  variant_.run = [](const Problem& problem, const Exec&) {
    problem.inputs[0].as<std::byte>()[100] = std::byte{4};
  };
  const auto work = prepare(false);
  work->warm_up(Cache::warm, 1);
  EXPECT_EQ(work->damage(), "input 'input', copy 0: changed between bytes 0 and 4095");
}

TEST_F(HostWorkloadTest, StartsAfreshAfterADamagingCase) {
  variant_.run = [](const Problem& problem, const Exec&) {
    std::memset(problem.outputs[0].data, 0, 100);
  };
  {
    const auto work = prepare(false);
    work->warm_up(Cache::warm, 1);
    EXPECT_NE(work->damage(), "");
  }
  variant_.run = write_count;
  const auto work = prepare(false);
  EXPECT_EQ(work->damage(), "");
}

TEST_F(HostWorkloadTest, KeepsTwoWorkloadsApart) {
  const auto first = prepare(false);
  first->warm_up(Cache::warm, 1);
  const auto second = prepare(false);
  second->warm_up(Cache::warm, 1);
  EXPECT_EQ(outputs_of(*first, 1), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(outputs_of(*second, 1), (std::vector<std::int64_t>{2}));
}

TEST_F(HostWorkloadTest, EstimatesTheLeastThatCanRunTheCase) {
  const MemoryNeed need = backend_->memory_need(case_);
  EXPECT_EQ(need.needed_bytes, 256U + 4096 + 256 + 8 + 248 + 256);
  EXPECT_GT(need.free_bytes, need.needed_bytes);
}

TEST_F(HostWorkloadTest, KeepsTheBetterCeiling) {
  Ceilings ceilings;
  ceilings.host_read_gbps = 1e9;
  ceilings.host_copy_gbps = 1e-9;
  ceilings.host_floor_us = 1e-9;
  backend_->measure_ceilings(ceilings);
  EXPECT_EQ(ceilings.host_read_gbps, 1e9);
  EXPECT_GT(ceilings.host_copy_gbps.value(), 1e-9);
  EXPECT_EQ(ceilings.host_floor_us, 1e-9);
  EXPECT_FALSE(ceilings.read_gbps.has_value());
  EXPECT_FALSE(ceilings.graph_floor_us.has_value());
}

TEST_F(HostWorkloadTest, AHandicapTakesItsShareOfTheBatchesOwnTime) {
  static std::atomic<double> own_us{0};
  variant_.run = [](const Problem& /*problem*/, const Exec& /*exec*/) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    while (Clock::now() - start < std::chrono::milliseconds(2)) {
    }
    own_us = std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  };
  const auto work = prepare(false);
  work->set_up_batch(Mode::stream, Cache::warm, 1);
  work->handicap(1.5);
  const double batch_us = work->run_batch();
  EXPECT_GE(batch_us, 1.5 * own_us);
  work->handicap(1);
  EXPECT_GE(work->run_batch(), own_us);
}

}  // namespace
}  // namespace redux
