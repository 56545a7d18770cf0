// What the config tests share: texts around one sweep, and the faults of a text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "config/parse.hpp"

namespace redux::test {

/// A config whose one sweep starts at 2:1.
inline std::string with_sweep(std::string_view sweep) {
  return "{\"version\":1,\"name\":\"t\",\"sweeps\":[\n" + std::string(sweep) + "]}";
}

/// An argmax sweep over `shapes`, which start at 3:1, with more keys from 4:2 on.
inline std::string argmax_over(std::string_view shapes, std::string_view more = "") {
  return with_sweep(R"({"op":"argmax","variants":["host_serial"],"dtypes":["float32"],"shapes":[)"
                    "\n" +
                    std::string(shapes) + "\n]" + std::string(more) + "}");
}

inline std::vector<std::string> faults(std::string_view text) {
  try {
    parse_config(text, "c.json");
  } catch (const ConfigError& error) {
    return error.messages();
  }
  return {};
}

inline std::vector<std::string> faults(std::string_view text, const Registry& registry) {
  try {
    parse_config(text, "c.json", registry);
  } catch (const ConfigError& error) {
    return error.messages();
  }
  return {};
}

/// The one fault of a text, or all of them between bars where there are more or none.
inline std::string only_fault(std::string_view text) {
  const auto all = faults(text);
  if (all.size() == 1) return all.front();
  std::string joined = std::to_string(all.size()) + " faults";
  for (const std::string& one : all) joined += " | " + one;
  return joined;
}

inline std::vector<std::string> ids(const Config& config) {
  std::vector<std::string> result;
  for (const Case& c : config.cases) result.push_back(c.id());
  return result;
}

inline std::vector<std::string> ids(std::string_view text) {
  return ids(parse_config(text, "c.json"));
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace redux::test
