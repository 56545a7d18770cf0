// What a build without the SIMT executor says when it is asked for it.
#ifndef REDUX_HAVE_SIMT

#include "backend/backend.hpp"
#include "core/status.hpp"

namespace redux {
namespace {

Failure no_executor() {
  return {ExitCode::environment,
          "this build has no SIMT executor: install Boost.Context (libboost-context-dev) and "
          "configure with REDUX_SIMT=ON"};
}

}  // namespace

std::unique_ptr<Backend> make_simt_backend(const SimtSettings& /*settings*/) {
  throw no_executor();
}

const Registry& simt_registry() {
  throw no_executor();
}

}  // namespace redux

#endif
