// A kernel that writes where nothing is, for redux-bench-hooks on a GPU: the error stays with the
// context, so that no later call of the process works.
#include "common/launch.hpp"
#include "core/registry.hpp"
#include "hooks/only_when_asked.hpp"

namespace redux {
namespace {

__global__ void write_far_away(std::int64_t* indices, std::int64_t distance) {
  indices[distance] = 7;
}

Geometry geometry(const Case& /*c*/, const DeviceFacts& /*device*/) {
  return {.grid = {1}, .block = {1}};
}

void run_illegal_address(const Problem& problem, const Exec& exec) {
  constexpr std::int64_t kFar = std::int64_t{1} << 45;
  launch(write_far_away, geometry(*problem.the_case, *exec.device), exec.stream,
         problem.outputs[0].as<std::int64_t>(), kFar);
}

const RegisterVariant kIllegalAddress{{"argmax"},
                                      Variant{.name = "hook_illegal_address",
                                              .side = Side::cuda,
                                              .about = "for tests",
                                              .source = __FILE__,
                                              .unsupported = only_when_asked,
                                              .launch = geometry,
                                              .run = run_illegal_address}};

}  // namespace
}  // namespace redux
