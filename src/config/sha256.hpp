#pragma once

#include <string>
#include <string_view>

namespace redux {

/// SHA-256 (FIPS 180-4) of the bytes, as 64 lower-case hexadecimal digits. It names a config in a
/// result file; nothing secret depends on it.
std::string sha256_hex(std::string_view bytes);

}  // namespace redux
