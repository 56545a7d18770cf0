// The host side of a variant: which instantiation of its kernel a case needs, and starting it.
#pragma once

#include <algorithm>

#include "common/launch.hpp"
#include "core/registry.hpp"
#include "csr_max/row_part.cuh"

namespace redux::csr_max {

/// `kernel_of(Types)` gives a kernel; this gives the one for the case, for launch facts.
template <class KernelOf>
const void* function_of(const Case& c, KernelOf kernel_of) {
  return with_types(c, [&](auto types) { return reinterpret_cast<const void*>(kernel_of(types)); });
}

/// Starts the case's kernel with its graph and whatever else it takes; nothing where there is no
/// output.
template <class KernelOf, class... More>
void launch_csr(const Problem& problem, const Exec& exec, const Geometry& geometry,
                KernelOf kernel_of, More... more) {
  if (geometry.kernels == 0) return;
  with_types(*problem.the_case, [&]<class T>(T types) {
    launch(kernel_of(types), geometry, exec.stream,
           csr_of<typename T::Storage, typename T::Index>(problem), more...);
  });
}

inline std::int64_t row_bytes_of(const Case& c) {
  return width_of(c) * static_cast<std::int64_t>(size_of(c.dtype));
}

/// How rows can be read and written if table and output start at these addresses.
inline Reads reads_of(const Case& c, const void* features, const void* out) {
  const std::uint64_t places = reinterpret_cast<std::uintptr_t>(features) |
                               reinterpret_cast<std::uintptr_t>(out) |
                               static_cast<std::uint64_t>(row_bytes_of(c));
  if (places % kLaneBytes == 0) return Reads::vector;
  return places % 4 == 0 ? Reads::word : Reads::half;
}
/// The same where both are aligned.
inline Reads reads_of(const Case& c) {
  return reads_of(c, nullptr, nullptr);
}
inline Reads reads_of(const Problem& problem) {
  return reads_of(*problem.the_case, problem.inputs[2].data, problem.outputs[0].data);
}

template <Reads R>
struct Reading {};

/// Calls `make(Reading<...>{})`. Only 16-bit elements need half.
template <class T, class Make>
auto with_reads(Reads reads, Make make) {
  if (reads == Reads::vector) return make(Reading<Reads::vector>{});
  if constexpr (sizeof(typename T::Storage) == 2) {
    if (reads == Reads::half) return make(Reading<Reads::half>{});
  }
  return make(Reading<Reads::word>{});
}

/// Lanes of a team, a power of two up to a warp, and how many teams' tiles a row takes.
struct Tiling {
  int lanes = 1;
  std::int64_t tiles = 1;
};
inline Tiling tiling_of(const Case& c, int most_lanes = 32) {
  const std::int64_t parts = std::max<std::int64_t>(ceil_div(row_bytes_of(c), kLaneBytes), 1);
  Tiling tiling;
  while (tiling.lanes < most_lanes && tiling.lanes < parts) tiling.lanes *= 2;
  tiling.tiles = ceil_div(parts, tiling.lanes);
  return tiling;
}

/// For kernels that hold node numbers and the words of a row in 32 bits, and have a tile along y.
inline std::string past_row_limits(const Case& c, std::int64_t tiles) {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (nodes_of(c) > kMost) {
    return "node numbers are 32-bit: " + std::to_string(nodes_of(c)) + " nodes";
  }
  if (row_bytes_of(c) > kMost) return "a row of features has more than 2^32 - 1 bytes";
  if (tiles > 65535)
    return "a row of features takes " + std::to_string(tiles) + " tiles, at most 65535 fit a grid";
  return {};
}

/// Whether the inputs are so small that waiting for them is what takes the time.
inline bool is_small(const Case& c) {
  constexpr std::int64_t kSmallBytes = std::int64_t{2} << 20U;
  const std::int64_t index = c.attributes.index == Index::int64 ? 8 : 4;
  return (edges_of(c) * index) + (nodes_of(c) * row_bytes_of(c)) <= kSmallBytes;
}

/// The first of two reasons that there is.
inline std::string first_of(const std::string& first, const std::string& second) {
  return first.empty() ? second : first;
}

}  // namespace redux::csr_max
