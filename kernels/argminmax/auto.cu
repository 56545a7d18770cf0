// argmax / argmin, [rows, cols] -> int64 [rows]: picks one of the other variants.
//
// By the rows, the 16-byte vectors a row takes and the number of multiprocessors; the thresholds
// are where the curves of configs/argmax-crossover.json and cliffs.json crossed on an H200 on
// 2026-11-30, and another card may want others. The record names the variant that was picked. Any
// alignment.
#include "argminmax/rows.hpp"
#include "core/registry.hpp"

namespace redux::argminmax {
namespace {

const char* pick(const Case& c, const DeviceFacts& device) {
  if (cols_of(c) > std::numeric_limits<std::int32_t>::max()) return "cooperative_int64";
  const std::int64_t rows = rows_of(c);
  const std::int64_t vectors = vectors_of(c);
  // Rows that no 16-byte load fits: lanes would load element by element, as a thread does, and then
  // have to agree (7840000 rows of 9 float16 take 53 us by threads and 167 by lanes).
  if (vectors <= 1 || (cols_of(c) < 16 && !rows_keep_alignment(c))) return "thread_per_row";
  // Too little data for vector loads to matter: what counts is how short the kernel is.
  const bool few = rows * vectors <= 16L * device.multiprocessors;
  if (few && rows >= 32 && vectors > 4 && vectors <= 16) return "cooperative";
  if (vectors <= 16 || (vectors <= 33 && rows >= 8192)) return "subwarp_per_row";
  const bool very_few = rows * vectors <= 8L * device.multiprocessors;
  if (very_few && !rows_keep_alignment(c) && vectors <= 130) return "cooperative";
  if (vectors <= 130 || (vectors <= 400 && rows >= 2048)) return "warp_per_row";
  // Up to 8 rows of 8192 vectors single_pass gives each run to a warp. Beyond that a cluster, which
  // is 16 multiprocessors a row, merges faster than words in global memory do.
  const bool warps_do = rows <= 8 && vectors <= 8192;
  const bool clusters_do = vectors > 2048 && vectors <= 16384 && rows * vectors <= 560000;
  if (device.compute_capability() >= 90 && clusters_do && !warps_do) return "cluster";
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
            .needs_zeroed_workspace = true,  // of single_pass
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::argminmax
