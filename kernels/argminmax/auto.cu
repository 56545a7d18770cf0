// argmax / argmin, [rows, cols] -> int64 [rows]: picks one of the other variants.
//
// By the rows, the 16-byte vectors a row takes and the number of multiprocessors; the thresholds
// are where the measured curves of configs/argmax-crossover.json cross on an H200, see the README
// there. The record names the variant that was picked. Any alignment.
#include "argminmax/rows.hpp"
#include "core/registry.hpp"

namespace redux::argminmax {
namespace {

const char* pick(const Case& c, const DeviceFacts& device) {
  if (cols_of(c) > std::numeric_limits<std::int32_t>::max()) return "cooperative_int64";
  const std::int64_t rows = rows_of(c);
  const std::int64_t vectors = vectors_of(c);
  if (vectors <= 16) return "subwarp_per_row";
  if (vectors <= 256) return "warp_per_row";
  if (rows >= device.multiprocessors || vectors <= 2048) return "single_pass";
  if (vectors <= 8192 && rows == 1 && device.compute_capability() >= 90) return "cluster";
  return "single_pass";
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

void run(const Problem& problem, const Exec& exec) {
  picked(*problem.the_case, *exec.device).run(problem, exec);
}

const RegisterVariant auto_variant{
    {"argmax", "argmin"},
    Variant{.name = "auto",
            .side = Side::cuda,
            .about = "picks a variant by shape, dtype and device; what to call when in doubt",
            .source = __FILE__,
            .workspace_alignment = 16,
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::argminmax
