// What the device can do at best: the calls that floors and ceilings are measured with.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/problem.hpp"

namespace redux {

/// One kernel that does nothing.
void probe_empty(const Exec& exec);
/// Reads `bytes` (a multiple of 16, 16-byte aligned) once; `sink` (8 bytes, device) keeps the loads
/// alive and is hardly ever written.
void probe_read(const Exec& exec, const void* data, std::size_t bytes, void* sink);
/// Reads `bytes` from one place and writes them to another (both 16-byte aligned).
void probe_copy(const Exec& exec, const void* from, void* to, std::size_t bytes);

/// Keeps one thread busy for `nanoseconds` of the device's clock, which ticks at least once a
/// microsecond.
void probe_spin(const Exec& exec, std::uint64_t nanoseconds);

}  // namespace redux
