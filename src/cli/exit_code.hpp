// What a run tells its caller.
#pragma once

#include "core/status.hpp"
#include "report/counts.hpp"

namespace redux::cli {

/// The one that takes precedence: 2, 3, 4, 6, 5, 1, 7, then 0.
ExitCode worse(ExitCode a, ExitCode b);

/// Of a run whose cases ended as counted. Unsupported cases are no fault by themselves, but where
/// nothing was measured at all that is ExitCode::nothing_selected.
ExitCode exit_code(const report::Counts& counts, bool allow_skips);

}  // namespace redux::cli
