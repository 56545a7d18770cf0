// csr_max, features [nodes, F] -> [nodes, F]: picks one of the other variants.
//
// By nodes, edges, the bytes of a row and the L2 cache, never by the degrees, which a caller's
// graph does not tell: so only variants that no hub can slow down are picked. The thresholds are
// reasoned and not measured yet. The record names the pick. Any degree, any alignment.
#include "core/registry.hpp"
#include "csr_max/csr.hpp"

namespace redux::csr_max {
namespace {

/// Tiles pay where the table does not fit the cache and each row is read some times over.
const char* pick(const Case& c, const DeviceFacts& device) {
  constexpr std::int64_t kReuse = 8;
  const auto row_bytes = width_of(c) * static_cast<std::int64_t>(size_of(c.dtype));
  const auto cache = static_cast<std::int64_t>(device.l2_bytes) / 5 * 3;
  const bool spills = row_bytes > 0 && nodes_of(c) > cache / row_bytes;
  return spills && edges_of(c) / kReuse >= nodes_of(c) ? "feature_tiled" : "balanced";
}

const Variant& picked(const Case& c, const DeviceFacts& device) {
  return *Registry::instance().find_variant(c.op->name, pick(c, device));
}

Geometry geometry_of(const Case& c, const DeviceFacts& device) {
  Geometry geometry = picked(c, device).launch(c, device);
  geometry.picked = pick(c, device);
  return geometry;
}

std::size_t scratch_bytes(const Case& c, const DeviceFacts& device) {
  return workspace_bytes(picked(c, device), c, device);
}

std::string unsupported(const Case& c, const DeviceFacts& device) {
  return why_unsupported(picked(c, device), c, device);
}

void run(const Problem& problem, const Exec& exec) {
  picked(*problem.the_case, *exec.device).run(problem, exec);
}

const RegisterVariant auto_variant{
    {"csr_max"},
    Variant{.name = "auto",
            .side = Side::cuda,
            .about = "picks a variant by size and device, none that a hub slows down; what to call "
                     "when in doubt",
            .source = __FILE__,
            .workspace_alignment = 16,
            .needs_zeroed_workspace = true,  // of balanced
            .unsupported = unsupported,
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::csr_max
