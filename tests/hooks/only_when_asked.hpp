// For variants that hang, end a process or stop a clock: a config with all variants of the op in it
// passes them by.
#pragma once

#include <cstdlib>
#include <string>

#include "core/case.hpp"
#include "core/device_facts.hpp"

namespace redux {

inline std::string only_when_asked(const Case& /*c*/, const DeviceFacts& /*device*/) {
  return std::getenv("REDUX_HOOKS_THAT_END") == nullptr ? "REDUX_HOOKS_THAT_END is not set" : "";
}

}  // namespace redux
