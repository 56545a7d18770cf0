// The name that somebody probably meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace redux {

/// Edits (insert, delete, replace, swap of neighbours) from one name to the other, ignoring ASCII
/// case. The optimal string alignment distance: no part is edited twice.
std::size_t edit_distance(std::string_view from, std::string_view to);

/// The candidate with the fewest edits, the first of several; empty where each is more than a third
/// of its letters away, since a far-fetched guess misleads.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

/// "; did you mean 'dtypes'?" or nothing.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

/// "a, b, c".
std::string listed(const std::vector<std::string>& names);

/// Bytes of the control character that starts there: 1 for ASCII's, 2 for U+0080 to U+009F in
/// UTF-8, some of which steer a terminal as well; 0 for anything else.
std::size_t control_bytes(std::string_view text, std::size_t at);

/// Control characters as \xHH, so that what a file holds cannot disturb a terminal.
std::string without_controls(std::string_view text);

/// In single quotes, without controls, a long text cut.
std::string in_quotes(std::string_view text);

}  // namespace redux
