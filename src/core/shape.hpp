// Extents of a case, with overflow-checked products.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace redux {

/// NumPy's limit for long. More extents only make ids long.
inline constexpr std::size_t kMostExtents = 32;

/// Extents, outermost first. A case over a graph has nodes, edges and features, and the graph's
/// name, e.g. "cyclic-640-16", which stands in the id in place of all extents but the last.
struct Shape {
  std::vector<std::int64_t> dims;
  std::string graph;

  /// "1x202048", or "cyclic-640-16x80" for a graph.
  [[nodiscard]] std::string text() const;
  /// Product of the extents; nothing if one is negative or the product exceeds int64.
  [[nodiscard]] std::optional<std::int64_t> elements() const;

  bool operator==(const Shape&) const = default;
};

/// A shape seen from one axis: index = (outer * length + position) * inner_extent + inner.
struct AxisView {
  std::int64_t outer = 1;   ///< product of the extents before the axis
  std::int64_t length = 1;  ///< extent of the axis
  std::int64_t inner = 1;   ///< product of the extents after the axis
};

/// The axis as 0..rank-1 where -rank <= axis < rank, else nothing.
std::optional<int> normalise_axis(int axis, std::size_t rank);
/// Requires a valid axis.
AxisView view_along(const std::vector<std::int64_t>& dims, int axis);

}  // namespace redux
