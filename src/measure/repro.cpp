#include "measure/repro.hpp"

namespace redux {

std::string escape_regex(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view{R"(\^$.|?*+()[]{})"}.find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string quote_for_shell(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=+:,@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "'";
  for (const char c : text) {
    // A single quote cannot stand inside single quotes: close, escape it, open again.
    if (c == '\'') {
      quoted += R"('\'')";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string reproduction_line(const Case& c, std::string_view config_path,
                              std::string_view options) {
  std::string filter = "^";
  filter += escape_regex(c.id());
  filter += "$";
  std::string line = "redux-bench --config ";
  line += quote_for_shell(config_path);
  line += " --filter ";
  line += quote_for_shell(filter);
  line += " --seed ";
  line += std::to_string(c.seed);
  if (!options.empty()) line.append(" ").append(options);
  return line;
}

}  // namespace redux
