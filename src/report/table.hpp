// Tables of results: one a group (op, dtype, data, attributes), a row a shape, a column a variant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/record.hpp"

namespace redux::report {

enum class Style : std::uint8_t { plain, best, bad, faint };

struct Cell {
  std::string text;
  Style style = Style::plain;
};

struct Table {
  std::string title;
  std::vector<std::string> headers;
  std::vector<std::vector<Cell>> rows;  ///< as many cells a row as there are headers
  std::size_t left_aligned = 1;         ///< that many columns; the others are numbers
};

/// The timing that a table shows of a record: the first cold one, else the first. Null where there
/// is none with a valid sample.
const Timing* primary_timing(const Record& record);

/// Columns: shape, best variant, speed-up over compare_to, share of the ceiling, then the variants,
/// those that come closest to the best over all shapes first. Statuses stand in the cells of cases
/// that are not ok. `verify_only`: "ok" in place of times.
std::vector<Table> result_tables(std::span<const Record> records, bool verify_only);
/// Every timing of every record that is ok, with its launch facts: one row a case and timing.
Table detail_table(std::span<const Record> records);
/// What the marks in result_tables() mean; empty where none of them occurs.
std::string legend(std::span<const Record> records);

/// Plain text of at most `width` columns where that is possible: columns that do not fit continue
/// in further blocks, each with the first column. `colour`: ANSI styles.
std::string terminal_text(const Table& table, std::size_t width, bool colour);
std::string markdown_text(const Table& table);

}  // namespace redux::report
