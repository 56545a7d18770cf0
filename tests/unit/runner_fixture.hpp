// One case of a fake op on a fake backend, for the tests of what becomes of a case.
#pragma once

#include <gtest/gtest.h>

#include "measure/runner.hpp"
#include "measure_fakes.hpp"

namespace redux::testing_fakes {

inline int references_computed = 0;

inline Op fake_op() {
  Op op;
  op.name = "seven";
  op.inputs = [](const Case& c) -> std::vector<TensorSpec> {
    return {{"input", c.dtype, c.shape.dims}};
  };
  op.outputs = [](const Case& c) -> std::vector<TensorSpec> {
    return {{"indices", DType::int64, {c.shape.dims.front()}}};
  };
  op.reference = [](const Problem& problem) {
    ++references_computed;
    *problem.outputs[0].as<std::int64_t>() = 7;
  };
  op.bytes_moved = [](const Case&) { return std::int64_t{1'000'000}; };
  return op;
}

class RunnerTest : public testing::Test {
 protected:
  RunnerTest() {
    references_computed = 0;
    variant_.op = "seven";
    variant_.name = "fake";
    variant_.side = Side::cuda;
    case_.op = &op_;
    case_.variant = &variant_;
    case_.shape.dims = {1, 8};
    settings_.config_path = "a.json";
    settings_.measure.min_samples = 2;
    settings_.measure.max_samples = 2;
  }
  Record run() { return run_with({}); }
  Record run_with(const Ceilings& ceilings) {
    Runner runner(settings_, ceilings);
    return runner.run(case_, backend_);
  }

  Op op_ = fake_op();
  Variant variant_;
  Case case_;
  RunSettings settings_;
  FakeBackend backend_{Side::cuda};
};

}  // namespace redux::testing_fakes
