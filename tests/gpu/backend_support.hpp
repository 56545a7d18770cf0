// A small op and variants, some of which misbehave on purpose, for tests of the CUDA backend.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "common/check.hpp"
#include "core/op.hpp"
#include "core/variant.hpp"
#include "verify/verify.hpp"

namespace redux {

/// A geometry that declares just what a call enqueues.
inline Geometry enqueues(int kernels, int memsets) {
  Geometry geometry;
  geometry.kernels = kernels;
  geometry.memsets = memsets;
  return geometry;
}

inline cudaStream_t stream_of(const Exec& exec) {
  return static_cast<cudaStream_t>(exec.stream);
}

/// float32 [rows, cols] -> int64 [rows]; what its variants write is up to the test.
class CudaBackendTest : public testing::Test {
 protected:
  CudaBackendTest() {
    std::string why;
    backend_ = make_cuda_backend(0, why);
    if (!backend_) ADD_FAILURE() << why;
    op_.name = "fake";
    op_.inputs = [](const Case& c) -> std::vector<TensorSpec> {
      return {{"input", c.dtype, c.shape.dims}};
    };
    op_.outputs = [](const Case& c) -> std::vector<TensorSpec> {
      return {{"indices", DType::int64, {c.shape.dims.front()}}};
    };
    variant_.name = "fake";
    variant_.side = Side::cuda;
    variant_.launch = [](const Case&, const DeviceFacts&) { return enqueues(0, 1); };
    variant_.run = [](const Problem& problem, const Exec& exec) {
      const View& output = problem.outputs[0];
      REDUX_CUDA_CHECK(cudaMemsetAsync(output.data, 1, output.bytes(), stream_of(exec)));
    };
    case_.op = &op_;
    case_.variant = &variant_;
    set_shape(4, 256);
  }

  void set_shape(std::int64_t rows, std::int64_t cols) {
    case_.shape.dims = {rows, cols};
    inputs_ = {HostTensor(static_cast<std::size_t>(rows * cols) * 4, std::byte{3})};
  }
  std::unique_ptr<Workload> prepare(bool cold) { return backend_->prepare(case_, inputs_, cold); }

  /// The first element of each copy's output.
  static std::vector<std::int64_t> first_outputs(Workload& work, std::int64_t limit) {
    std::vector<std::int64_t> values;
    work.read_outputs(
        [&](std::int64_t copy, std::span<const View> views) {
          EXPECT_EQ(copy, static_cast<std::int64_t>(values.size()));
          values.push_back(*views[0].as<std::int64_t>());
        },
        limit);
    return values;
  }

  static std::int64_t repeated(unsigned char byte) {
    std::int64_t value = 0;
    std::memset(&value, byte, sizeof(value));
    return value;
  }

  Op op_;
  Variant variant_;
  Case case_;
  std::vector<HostTensor> inputs_;
  std::unique_ptr<Backend> backend_;
};

}  // namespace redux
