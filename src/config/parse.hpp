// parse_config() over a registry of the caller's, so that tests can bring ops of their own.
#pragma once

#include <string>
#include <string_view>

#include "config/config.hpp"
#include "core/registry.hpp"

namespace redux {

Config parse_config(std::string_view text, const std::string& path, const Registry& registry);

}  // namespace redux
