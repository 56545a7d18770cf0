#include "core/shape.hpp"

namespace redux {

std::string Shape::text() const {
  if (!graph.empty()) return graph + "x" + std::to_string(dims.empty() ? 0 : dims.back());
  std::string text;
  for (const std::int64_t extent : dims) {
    if (!text.empty()) text += 'x';
    text += std::to_string(extent);
  }
  return text;
}

std::optional<std::int64_t> Shape::elements() const {
  std::int64_t product = 1;
  bool overflow = false;
  bool zero = false;
  for (const std::int64_t extent : dims) {
    if (extent < 0) return std::nullopt;
    zero = zero || extent == 0;
    overflow = overflow || __builtin_mul_overflow(product, extent, &product);
  }
  if (zero) return 0;
  if (overflow) return std::nullopt;
  return product;
}

std::optional<int> normalise_axis(int axis, std::size_t rank) {
  const auto signed_rank = static_cast<int>(rank);
  if (axis < -signed_rank || axis >= signed_rank) return std::nullopt;
  return axis < 0 ? axis + signed_rank : axis;
}

AxisView view_along(const std::vector<std::int64_t>& dims, int axis) {
  const int at = normalise_axis(axis, dims.size()).value();
  AxisView view;
  for (int i = 0; i < static_cast<int>(dims.size()); ++i) {
    auto& extent = i < at ? view.outer : (i == at ? view.length : view.inner);
    extent *= dims[static_cast<std::size_t>(i)];
  }
  return view;
}

}  // namespace redux
