#include <algorithm>
#include <limits>

#include "data/graph.hpp"

namespace redux {
namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kBlock = std::int64_t{1} << 16U;

/// The first position in [0, count) where it holds, or kNone. A block is searched only as long as
/// nothing was found before it.
template <class Holds>
std::int64_t first_where(std::int64_t count, Holds holds) {
  std::int64_t first = kNone;
  const std::int64_t blocks = (count + kBlock - 1) / kBlock;
#pragma omp parallel for schedule(static) reduction(min : first)
  for (std::int64_t block = 0; block < blocks; ++block) {
    if (first != kNone) continue;
    const std::int64_t begin = block * kBlock;
    const std::int64_t end = std::min(begin + kBlock, count);
    // One pass without a branch that the compiler can make vectors of, then the place.
    bool found = false;
    for (std::int64_t i = begin; i < end; ++i) found |= holds(i);
    for (std::int64_t i = begin; found && i < end; ++i) {
      if (!holds(i)) continue;
      first = i;
      break;
    }
  }
  return first;
}

std::string text(std::int64_t value) {
  return std::to_string(value);
}

template <class Index>
std::string fault_of(std::span<const Index> row_ptr, std::span<const Index> col_idx) {
  if (row_ptr.empty()) return "row_ptr is empty; it has an entry for each node and one more";
  const auto edges = static_cast<std::int64_t>(col_idx.size());
  const auto nodes = static_cast<std::int64_t>(row_ptr.size()) - 1;
  if (row_ptr.front() != 0) {
    return "row_ptr is " + text(row_ptr.front()) + " at position 0, where it has to be 0";
  }
  const Index* ends = row_ptr.data();
  const std::int64_t fall =
      first_where(nodes, [ends](std::int64_t v) { return ends[v + 1] < ends[v]; });
  if (fall != kNone) {
    return "row_ptr falls from " + text(ends[fall]) + " to " + text(ends[fall + 1]) +
           " at position " + text(fall + 1);
  }
  if (row_ptr.back() != edges) {
    return "row_ptr ends at " + text(row_ptr.back()) + " (position " + text(nodes) +
           ") but there are " + text(edges) + " edges";
  }
  const Index* columns = col_idx.data();
  // Unsigned, so that a negative column is too large.
  const std::int64_t outside = first_where(edges, [columns, nodes](std::int64_t e) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(columns[e])) >=
           static_cast<std::uint64_t>(nodes);
  });
  if (outside != kNone) {
    return "col_idx is " + text(columns[outside]) + " at position " + text(outside) +
           ", outside [0, " + text(nodes) + ")";
  }
  return {};
}

}  // namespace

std::string csr_fault(std::span<const std::int32_t> row_ptr,
                      std::span<const std::int32_t> col_idx) {
  return fault_of(row_ptr, col_idx);
}

std::string csr_fault(std::span<const std::int64_t> row_ptr,
                      std::span<const std::int64_t> col_idx) {
  return fault_of(row_ptr, col_idx);
}

}  // namespace redux
