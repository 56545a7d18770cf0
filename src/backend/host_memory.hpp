// How much memory this process may still take, and how big the last-level cache is.
#pragma once

#include <cstddef>
#include <string>

namespace redux {

/// MemAvailable, or what is left of the control group's limit where that is less. The largest
/// size_t where the system says neither.
std::size_t free_host_bytes();
/// The last-level cache as the C library reports it; 32 MiB where it does not.
std::size_t last_level_cache_bytes();
/// "1.50 GiB": for messages.
std::string bytes_text(std::size_t bytes);

}  // namespace redux
