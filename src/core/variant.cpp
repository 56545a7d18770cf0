#include "core/variant.hpp"

#include <stdexcept>

namespace redux {

std::string why_unsupported(const Variant& variant, const Case& c, const DeviceFacts& device) {
  return variant.unsupported == nullptr ? std::string{} : variant.unsupported(c, device);
}

std::size_t workspace_bytes(const Variant& variant, const Case& c, const DeviceFacts& device) {
  return variant.workspace_bytes == nullptr ? 0 : variant.workspace_bytes(c, device);
}

Geometry geometry(const Variant& variant, const Case& c, const DeviceFacts& device) {
  return variant.launch == nullptr ? Geometry{} : variant.launch(c, device);
}

void run(const Variant& variant, const Problem& problem, const Exec& exec) {
  const std::size_t needed = workspace_bytes(variant, *problem.the_case, *exec.device);
  const auto address = reinterpret_cast<std::uintptr_t>(problem.workspace);
  const std::size_t past = address % variant.workspace_alignment;
  const bool missing =
      problem.workspace == nullptr || problem.workspace_bytes < needed || past != 0;
  if (needed > 0 && missing) {
    const std::size_t got = problem.workspace == nullptr ? 0 : problem.workspace_bytes;
    throw std::invalid_argument(
        "variant '" + variant.name + "' needs a workspace of " + std::to_string(needed) +
        " bytes, aligned to " + std::to_string(variant.workspace_alignment) + "; got " +
        std::to_string(got) + " bytes, " + std::to_string(past) + " past such an address");
  }
  variant.run(problem, exec);
}

}  // namespace redux
