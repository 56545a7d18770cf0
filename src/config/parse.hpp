// The same as config.hpp's over a registry of the caller's: other variants, or a test's own ops.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "config/config.hpp"
#include "config/expand.hpp"
#include "core/registry.hpp"

namespace redux {

Config load_config(const std::string& path, const Registry& registry);
/// `most_cases`: a text that expands to more is refused before it is expanded.
Config parse_config(std::string_view text, const std::string& path, const Registry& registry,
                    std::int64_t most_cases = kMostCases);

}  // namespace redux
