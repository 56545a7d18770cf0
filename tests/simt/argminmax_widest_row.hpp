// Test kernels on a row of 2^31 - 1 float16: one warp of those that the widest launch has.
#pragma once

#include <cstdint>

namespace simt_widest_row {

inline constexpr std::int64_t kCols = 2147483647;
inline constexpr int kLanes = 32;

/// Which elements the warp takes and how it goes through them.
enum class Walk : std::uint8_t {
  differences,  ///< scan_strided of cooperative, 256 blocks of 256 threads, 32-bit positions
  differences_of_64_bits,
  sums,     ///< the same elements by `id += step` in 32 bits: wrong
  vectors,  ///< scan_row of single_pass, the last of 512 parts, 512 threads
};

/// Launches the last warp of that walk. `indices`, one a lane, is what its candidate points to, or
/// -1 where that is nothing. `propagate`: the NaN policy of argmax.
void scan_with_last_warp(Walk walk, bool propagate, const void* row, std::int64_t* indices);

}  // namespace simt_widest_row
