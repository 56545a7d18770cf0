// A kernel that never ends, for redux-bench-hooks on a GPU: only the end of its process stops it.
#include "common/launch.hpp"
#include "core/registry.hpp"
#include "hooks/only_when_asked.hpp"

namespace redux {
namespace {

/// Writes what it waits for to be changed, so that no compiler takes the loop away.
__global__ void spin(volatile std::int64_t* indices) {
  indices[0] = 0;
  while (indices[0] == 0) {
  }
}

Geometry geometry(const Case& /*c*/, const DeviceFacts& /*device*/) {
  return {.grid = {1}, .block = {1}};
}

void run_spins(const Problem& problem, const Exec& exec) {
  launch(spin, geometry(*problem.the_case, *exec.device), exec.stream,
         problem.outputs[0].as<volatile std::int64_t>());
}

const RegisterVariant kSpins{{"argmax"},
                             Variant{.name = "hook_spins",
                                     .side = Side::cuda,
                                     .about = "for tests",
                                     .source = __FILE__,
                                     .unsupported = only_when_asked,
                                     .launch = geometry,
                                     .run = run_spins}};

}  // namespace
}  // namespace redux
