// The results as CSV (RFC 4180): one row a case and timing, with a header row.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/record.hpp"

namespace redux::report {

/// Rows end with CR LF. A case without timings has one row with those cells empty; a missing
/// number is an empty cell. Text that a spreadsheet would take for a formula gets a leading
/// apostrophe.
std::string csv_text(std::span<const Record> records);
/// The header row alone.
std::string csv_header();
/// One cell, quoted where it must be.
std::string csv_cell(std::string_view text);

}  // namespace redux::report
