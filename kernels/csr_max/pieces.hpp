// Scratch in which blocks that share a node leave their pieces of its maximum.
#pragma once

#include <cstddef>
#include <cstdint>

#include "csr_max/tiling.hpp"

namespace redux::csr_max {

/// 16 bytes of a row in memory.
struct alignas(kLaneBytes) Saved {
  std::uint32_t words[4];
};

/// For each block along x two pieces (of a node that began before it, of one that begins in it),
/// and a count. A piece has 16 bytes a lane.
struct Pieces {
  Saved* saved;          ///< [tiles, blocks, 2, lanes]
  std::uint32_t* count;  ///< [tiles, blocks], zero before the first call
};

/// In scratch, counts come first.
inline std::size_t count_bytes(const Tiling& tiling, std::int64_t blocks) {
  return static_cast<std::size_t>(ceil_div(blocks * tiling.tiles * 4, kLaneBytes) * kLaneBytes);
}
inline std::size_t piece_bytes(const Tiling& tiling, std::int64_t blocks) {
  const std::int64_t pieces = 2 * blocks * tiling.tiles * tiling.lanes;
  return count_bytes(tiling, blocks) + (static_cast<std::size_t>(pieces) * sizeof(Saved));
}
inline Pieces pieces_in(void* scratch, const Tiling& tiling, std::int64_t blocks) {
  auto* saved = static_cast<std::byte*>(scratch) + count_bytes(tiling, blocks);
  return {reinterpret_cast<Saved*>(saved), static_cast<std::uint32_t*>(scratch)};
}

}  // namespace redux::csr_max
