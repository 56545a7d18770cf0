// The same as config.hpp's over a registry of the caller's: other variants, or a test's own ops.
#pragma once

#include <string>
#include <string_view>

#include "config/config.hpp"
#include "core/registry.hpp"

namespace redux {

Config load_config(const std::string& path, const Registry& registry);
Config parse_config(std::string_view text, const std::string& path, const Registry& registry);

}  // namespace redux
