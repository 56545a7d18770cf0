#pragma once

#include <string>

namespace redux::report {

/// What the linker named this executable by, in hexadecimal: the same for the same content, also
/// where the sources had changes that git does not name. Empty where it gave no name.
std::string build_id();

}  // namespace redux::report
