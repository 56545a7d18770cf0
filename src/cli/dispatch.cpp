#include <cstdio>

#include "cli/modes.hpp"

namespace redux::cli {

ExitCode dispatch(const Options& options) {
  switch (options.action) {
    case Action::run:
      return options.worker_channel ? serve(options) : run(options);
    case Action::list:
      return list(options);
    case Action::list_ops:
      return list_ops(options);
    case Action::dry_run:
      return dry_run(options);
    case Action::env:
      return env(options);
    case Action::help:
    case Action::version:
      break;
  }
  std::fputs(options.text.c_str(), stdout);
  return ExitCode::ok;
}

}  // namespace redux::cli
