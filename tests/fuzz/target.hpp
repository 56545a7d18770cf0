// What the targets share. libFuzzer calls LLVMFuzzerTestOneInput with one input after the other; a
// finding is what a sanitizer reports, an exception that no reader announces, or a failed
// require().
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "config/nearest.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace redux::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

/// A message has to be fit for a terminal: no control character but the line ends between messages.
inline void require_printable(std::string_view message) {
  require(!message.empty(), "a refusal says why");
  for (std::size_t at = 0; at < message.size(); ++at) {
    require(message[at] == '\n' || control_bytes(message, at) == 0, "a message steers no terminal");
  }
}

}  // namespace redux::fuzz
