// Numbers and strings as people read them. Nothing here depends on the locale.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace redux::report {

/// A time with its unit, three or four significant digits: "12.34 us", "1.234 ms", "2.500 s".
std::string time_text(double us);
/// A duration for progress and estimates: "40 ms", "0.4 s", "12 s", "3 min 20 s", "2 h 05 min".
std::string duration_text(double seconds);
/// A size in powers of 1024: "512 B", "1.5 KiB", "4.0 GiB".
std::string bytes_text(std::size_t bytes);
/// The shortest decimal that reads back as the same double; "" where it is not finite.
std::string shortest(double value);
/// Columns that UTF-8 text takes, counting a code point as one.
std::size_t width_of(std::string_view text);
/// The text with control bytes replaced by '?', so that it cannot move a terminal's cursor.
std::string printable(std::string_view text);
/// This moment as ISO 8601 in UTC: "2025-01-31T12:00:00Z".
std::string utc_now();
/// A name for a run, unique in practice: the time and random hexadecimal digits.
std::string new_run_id();

}  // namespace redux::report
