// One function a mode of the program, each in a file of its own. All print to stdout, throw Failure
// and return the exit code.
#pragma once

#include <memory>

#include "backend/backend.hpp"
#include "cli/options.hpp"
#include "core/status.hpp"

namespace redux::cli {

ExitCode run(const Options& options);
/// The worker of a run.
ExitCode serve(const Options& options);
ExitCode list(const Options& options);
ExitCode list_ops(const Options& options);
ExitCode dry_run(const Options& options);
ExitCode env(const Options& options);

/// Of --backend simt, as the options ask for it.
std::unique_ptr<Backend> simt_backend(const Options& options);

/// Runs the mode that the options ask for.
ExitCode dispatch(const Options& options);

}  // namespace redux::cli
