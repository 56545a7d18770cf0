// The host side of cooperative and cooperative_int64: launch geometry, scratch, memset and launch.
#pragma once

#include <algorithm>
#include <cstddef>

#include "argminmax/cooperative.cuh"
#include "argminmax/launch_rows.cuh"

namespace redux::argminmax {

/// One wave: as many threads a row as the device has for it, if each gets four elements.
inline Geometry cooperative_geometry(const Case& c, const DeviceFacts& device) {
  const std::int64_t rows = rows_of(c);
  if (rows == 0) return {.grid = {}, .block = {}, .kernels = 0};
  const std::int64_t capacity = device.resident_threads();
  std::int64_t per_row = std::min(cols_of(c) / kElementsInFlight, capacity / rows);
  per_row = std::clamp<std::int64_t>(per_row, kWarp, 256 * kCooperativeThreads);
  if (per_row >= 2 * kCooperativeThreads) {
    const std::int64_t blocks = per_row / kCooperativeThreads;
    return {.grid = {static_cast<std::uint32_t>(blocks), static_cast<std::uint32_t>(rows)},
            .block = {kCooperativeThreads},
            .memsets = 1};
  }
  std::uint32_t lanes = kWarp;
  while (lanes < kCooperativeThreads && lanes * 2 <= per_row) lanes *= 2;
  const std::uint32_t rows_a_block = kCooperativeThreads / lanes;
  const std::int64_t blocks = std::min(ceil_div(rows, rows_a_block),
                                       std::max<std::int64_t>(1, capacity / kCooperativeThreads));
  return {.grid = {1, static_cast<std::uint32_t>(std::min<std::int64_t>(blocks, 65535))},
          .block = {lanes, rows_a_block}};
}

/// Partials, then a counter a row.
template <class Position>
std::size_t cooperative_partials_bytes(const Case& c, const Geometry& geometry) {
  const std::size_t key = size_of(c.dtype) == 8 ? 8 : 4;
  const std::size_t candidate = 2 * std::max(key, sizeof(Position));
  return static_cast<std::size_t>(rows_of(c)) * geometry.grid.x * candidate;
}

template <class Position>
std::size_t cooperative_scratch_bytes(const Case& c, const DeviceFacts& device) {
  const Geometry geometry = cooperative_geometry(c, device);
  if (geometry.memsets == 0) return 0;
  return cooperative_partials_bytes<Position>(c, geometry) +
         (static_cast<std::size_t>(rows_of(c)) * sizeof(std::uint32_t));
}

template <class Position>
Geometry cooperative_launch(const Case& c, const DeviceFacts& device) {
  Geometry geometry = cooperative_geometry(c, device);
  geometry.function =
      function_of(c, []<class O>(Tag<O>) { return cooperative_kernel<O, Position>; });
  return geometry;
}

template <class Position>
void cooperative_run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  const Geometry geometry = cooperative_geometry(c, *exec.device);
  if (geometry.kernels == 0) return;
  auto* partials = static_cast<std::byte*>(problem.workspace);
  auto* arrived = reinterpret_cast<std::uint32_t*>(
      partials + cooperative_partials_bytes<Position>(c, geometry));
  if (geometry.memsets != 0) {
    memset_async(arrived, 0, static_cast<std::size_t>(rows_of(c)) * sizeof(std::uint32_t),
                 exec.stream);
  }
  with_order(c, [&]<class O>(Tag<O>) {
    launch(cooperative_kernel<O, Position>, geometry, exec.stream,
           rows_of<typename O::Storage>(problem),
           reinterpret_cast<Candidate<O, std::make_unsigned_t<Position>>*>(partials), arrived);
  });
}

}  // namespace redux::argminmax
