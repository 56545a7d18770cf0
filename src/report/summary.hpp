// What a run comes to, in a few lines.
#pragma once

#include <span>
#include <string>

#include "core/record.hpp"
#include "report/counts.hpp"

namespace redux::report {

Counts counts_of(std::span<const Record> records);
/// "12 of 14 measured: 12 ok, 1 wrong, 1 unsupported".
std::string summary_line(const Counts& counts, bool verify_only);
/// Two lines for each case that is not ok: its status and reason, and the command that reproduces
/// it. Unsupported cases of a variant that have one reason are one line, unless `all`.
std::string fault_lines(std::span<const Record> records, bool all);

}  // namespace redux::report
