// Which options go together.
#pragma once

#include <functional>
#include <string>

#include "cli/options.hpp"

namespace redux::cli {

/// Throws Failure(usage) for options that exclude, lack or say nothing to each other. `mode` is the
/// option that chose the action ("--list"), empty for a run; `given`: an option was given.
void check_combinations(const Options& options, const std::string& mode,
                        const std::function<bool(const char*)>& given);

}  // namespace redux::cli
