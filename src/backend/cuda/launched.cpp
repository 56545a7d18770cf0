#include "backend/cuda/launched.hpp"

#include <algorithm>
#include <stdexcept>

namespace redux::cuda {
namespace {

std::string text_of(const Extent3& extent) {
  return std::to_string(extent.x) + "x" + std::to_string(extent.y) + "x" + std::to_string(extent.z);
}

std::string text_of(const Extent3& grid, const Extent3& block, std::size_t shared_bytes) {
  return text_of(grid) + " blocks of " + text_of(block) + " threads with " +
         std::to_string(shared_bytes) + " bytes";
}

void require_same_nodes(const std::string& variant, const Geometry& declared, const Nodes& found) {
  const auto kernels = static_cast<int>(found.kernels.size());
  const bool agrees = declared.kernels == Geometry::kCounted || declared.kernels == kernels;
  if (agrees && found.memsets == declared.memsets && found.others == 0) return;
  throw std::logic_error("variant '" + variant + "' declares " + std::to_string(declared.kernels) +
                         " kernels and " + std::to_string(declared.memsets) +
                         " memsets a call, but enqueues " + std::to_string(kernels) + " kernels, " +
                         std::to_string(found.memsets) + " memsets and " +
                         std::to_string(found.others) + " other operations");
}

void require_main_kernel(const std::string& variant, const Geometry& declared, const Nodes& found) {
  std::string launched;
  for (const KernelNode& kernel : found.kernels) {
    if (kernel.grid == declared.grid && kernel.block == declared.block &&
        kernel.shared_bytes == declared.shared_bytes) {
      return;
    }
    launched +=
        (launched.empty() ? "" : ", ") + text_of(kernel.grid, kernel.block, kernel.shared_bytes);
  }
  throw std::logic_error("variant '" + variant + "' declares " +
                         text_of(declared.grid, declared.block, declared.shared_bytes) +
                         ", but launches " + launched);
}

}  // namespace

Geometry as_launched(const std::string& variant, Geometry declared, const Nodes& found) {
  require_same_nodes(variant, declared, found);
  declared.kernels = static_cast<int>(found.kernels.size());
  if (found.kernels.empty()) return declared;
  if (declared.function != nullptr) {
    require_main_kernel(variant, declared, found);
    return declared;
  }
  const KernelNode& widest =
      *std::ranges::max_element(found.kernels, {}, [](const KernelNode& k) { return k.threads(); });
  declared.function = widest.function;
  declared.grid = widest.grid;
  declared.block = widest.block;
  declared.shared_bytes = widest.shared_bytes;
  return declared;
}

}  // namespace redux::cuda
