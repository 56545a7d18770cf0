// A team's maximum over neighbours that stand next to one another in col_idx.
#pragma once

#include "common/reuse.cuh"
#include "csr_max/lane_view.cuh"

namespace redux::csr_max {

/// Merges the rows of `left` neighbours from `col_idx` on into `best`, kInFlight at a time.
template <int kInFlight, class T, Reads R>
__device__ void merge_run(RowPart<T, R>& best, const LaneView<T, R>& view,
                          const typename T::Index* col_idx, typename T::Index left) {
  using Index = typename T::Index;
  std::uint32_t ids[kInFlight];
  const auto load_ids = [&] {
    const int last = static_cast<int>(min(left, Index{kInFlight})) - 1;
#pragma unroll
    for (int i = 0; i < kInFlight; ++i) {  // past the last edge that one again: no change
      ids[i] = static_cast<std::uint32_t>(load_once(col_idx + min(i, last)));
    }
  };
  if (left > 0) load_ids();
  while (left > 0) {
    RowPart<T, R> parts[kInFlight];
#pragma unroll
    for (int i = 0; i < kInFlight; ++i) view.load(parts[i], ids[i]);
    // Here, because without something in between the assembler loads one row after the other to
    // save registers.
    left -= kInFlight;
    col_idx += kInFlight;
    if (left > 0) load_ids();
#pragma unroll
    for (int i = 0; i < kInFlight; ++i) best.merge(parts[i]);
  }
}

}  // namespace redux::csr_max
