// A kernel that answers -1 for every row, for redux-bench-hooks on a GPU.
#include "common/launch.hpp"
#include "core/registry.hpp"

namespace redux {
namespace {

constexpr unsigned kThreads = 128;

__global__ void answer_nothing(std::int64_t* indices, std::int64_t rows) {
  const std::int64_t row = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (row < rows) indices[row] = -1;
}

std::int64_t rows_of(const Case& c) {
  return c.shape.dims.front();
}

Geometry geometry(const Case& c, const DeviceFacts& /*device*/) {
  const auto blocks = static_cast<std::uint32_t>((rows_of(c) + kThreads - 1) / kThreads);
  return {.grid = {blocks}, .block = {kThreads}};
}

void run_wrong_index(const Problem& problem, const Exec& exec) {
  launch(answer_nothing, geometry(*problem.the_case, *exec.device), exec.stream,
         problem.outputs[0].as<std::int64_t>(), problem.outputs[0].count);
}

const RegisterVariant kWrongIndex{{"argmax"},
                                  Variant{.name = "hook_wrong_index",
                                          .side = Side::cuda,
                                          .about = "for tests",
                                          .source = __FILE__,
                                          .launch = geometry,
                                          .run = run_wrong_index}};

}  // namespace
}  // namespace redux
