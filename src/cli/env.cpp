// --env: what a result header would say of this machine.
#include <fmt/format.h>

#include <string>

#include "backend/backend.hpp"
#include "backend/environment.hpp"
#include "cli/modes.hpp"
#include "report/json.hpp"

namespace redux::cli {

ExitCode env(const Options& options) {
  std::unique_ptr<Backend> cuda;
  std::string why;
  if (options.backend == BackendChoice::cuda || options.backend == BackendChoice::automatic) {
    cuda = make_cuda_backend(options.device.value_or(0), why);
    const bool wanted = options.device || options.backend == BackendChoice::cuda;
    if (cuda == nullptr && wanted) throw Failure(ExitCode::environment, why);
  }
  Environment environment = read_environment(cuda == nullptr ? nullptr : &cuda->device());
  if (options.backend == BackendChoice::simt) environment.gpu = simt_backend(options)->device();
  const report::Json json{{"tool", report::tool_json()},
                          {"env", report::environment_json(environment)}};
  fmt::print("{}\n", report::pretty_text_of(json));
  return ExitCode::ok;
}

}  // namespace redux::cli
