// A file that announces, or holds, more than there is memory for ends in a message like any other
// bad file.
#pragma once

#include <new>
#include <stdexcept>
#include <string>

#include "core/status.hpp"

namespace redux::data {

/// What `read()` returns. Throws Failure(usage) that names `path` where memory runs out in it.
template <class Read>
auto within_memory(const std::string& path, Read read) {
  try {
    return read();
  } catch (const std::bad_alloc&) {
    throw Failure(ExitCode::usage, path + ": does not fit the memory of this machine");
  } catch (const std::length_error&) {
    throw Failure(ExitCode::usage, path + ": does not fit any memory");
  }
}

}  // namespace redux::data
