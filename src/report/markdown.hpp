// The whole report of a run as Markdown.
#pragma once

#include <span>
#include <string>

#include "core/record.hpp"
#include "report/json.hpp"

namespace redux::report {

/// Facts of the machine and the run, the counts, the tables, then each case that is not ok with
/// its reason and the command that reproduces it.
std::string markdown_report(const RunFacts& facts, const Ceilings& ceilings,
                            std::span<const Record> records);

}  // namespace redux::report
