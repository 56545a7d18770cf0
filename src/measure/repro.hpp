// The command line that runs one case again.
#pragma once

#include <string>
#include <string_view>

#include "core/case.hpp"

namespace redux {

/// `text` with every character that is special in an ECMAScript regex escaped.
std::string escape_regex(std::string_view text);
/// `text` as one word of a POSIX shell, quoted only where it must be.
std::string quote_for_shell(std::string_view text);
/// "redux-bench --config F --filter '^id$' --seed S" and then `options`, if there are any.
std::string reproduction_line(const Case& c, std::string_view config_path,
                              std::string_view options = {});

}  // namespace redux
