// The history of four bytes against a new access: initialised? ordered after what others did?
// Internal to the executor.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "backend/simt/grid.hpp"

namespace redux::simt {

/// An access and by whom.
struct Accessed {
  std::size_t bytes = 0;
  Access access = Access::read;
  const Thread* thread = nullptr;
  const void* at = nullptr;
  const void* const* frame = nullptr;
};

/// Where it went.
struct Place {
  const std::string& name;
  std::size_t byte = 0;
  Time since = 0;            ///< what was written before does not count (a block's shared memory)
  bool initialised = false;  ///< the host has written all of it
};

/// "read of 4 bytes by thread (1, 0, 0) of block (0, 0, 0)".
std::string text_of(const Accessed& accessed);
/// " (scan.cuh:88, called at single_pass.cu:50)", and what ends every fault.
std::string origin_text(const Accessed& accessed);

/// One cell; `bits` are the accessed bytes within it. Raises or records.
void check_cell(const Accessed& accessed, const Place& place, Cell& cell, std::uint8_t bits);

template <class CellOf>
void check_history(const Accessed& accessed, const Place& place, std::uintptr_t start,
                   std::size_t bytes, CellOf cell_of) {
  const std::uintptr_t end = start + bytes;
  for (std::uintptr_t a = start & ~std::uintptr_t{3}; a < end; a += 4) {
    const unsigned from = a < start ? static_cast<unsigned>(start - a) : 0;
    const unsigned to = end - a < 4 ? static_cast<unsigned>(end - a) : 4;
    const auto bits = static_cast<std::uint8_t>(((1U << to) - 1U) & ~((1U << from) - 1U));
    check_cell(accessed, place, cell_of(a), bits);
  }
}

}  // namespace redux::simt
