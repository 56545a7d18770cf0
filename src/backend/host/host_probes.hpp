// What this machine's memory can do at best with all threads, and how caches are emptied.
#pragma once

#include <cstddef>

#include "core/record.hpp"

namespace redux::host {

/// Puts `bytes` at `data` out of every cache level; the memory keeps its contents.
void evict(const void* data, std::size_t bytes);
/// std::memcpy with all threads, so that pages land where those threads run.
void parallel_copy(void* to, const void* from, std::size_t bytes);
/// An empty call, a read-only sweep and a copy (read + write counted), keeping what is better
/// already.
void measure_ceilings(Ceilings& ceilings);

}  // namespace redux::host
