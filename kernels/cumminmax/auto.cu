// cummax / cummin along any axis: picks one of the other variants.
//
// By the axis, the number of lines, the 16-byte vectors a line takes and the number of
// multiprocessors. The thresholds are where the variants crossed on an H200 on 2026-11-30
// (configs/cummax-crossover.json and the shapes of configs/seed-cummax.json); another card may want
// others. The record names the variant that was picked. Any alignment.
#include "core/registry.hpp"
#include "cumminmax/lines.hpp"

namespace redux::cumminmax {
namespace {

/// Along rows: rows packed into blocks, a warp or a block a row once there are enough rows to fill
/// the device; few long ones are cut, and shared by a cluster if they fit one.
const char* pick_rows(const Case& c, const DeviceFacts& device) {
  const AxisView view = axis_of(c);
  const std::int64_t vectors = ceil_div(view.length, vector_width(c));
  const std::int64_t per_multiprocessor = view.outer / device.multiprocessors;
  if (view.length <= 32 && per_multiprocessor >= (view.length <= 4 ? 124 : 248)) {
    return "packed_rows";
  }
  if (vectors <= 32 || (vectors <= 128 && per_multiprocessor >= 16)) return "warp_per_row";
  if (vectors <= 1024) return "block_per_row";
  if (vectors <= 8192 && view.outer * vectors <= 256L * device.multiprocessors &&
      device.compute_capability() >= 90) {
    return "cluster";
  }
  return 2 * view.outer >= 3L * device.multiprocessors ? "block_per_row" : "lookback";
}

/// Across rows: a thread a column where there are enough or the axis is short, else cut; rows of
/// less than a sector or two of memory staged.
const char* pick_columns(const Case& c, const DeviceFacts& device) {
  constexpr std::int64_t kSector = 32;
  constexpr std::int64_t kManyRows = 32768;
  const AxisView view = axis_of(c);
  const std::int64_t columns = view.outer * view.inner;
  const bool fills = columns >= 496L * device.multiprocessors ||
                     (view.length <= 64 && columns >= 248L * device.multiprocessors);
  if (fills || view.length <= 8) return "thread_per_column";
  const auto bytes = view.inner * static_cast<std::int64_t>(size_of(c.dtype));
  const bool staged = bytes < kSector || (bytes <= 2 * kSector && 4 * view.length >= kManyRows) ||
                      (view.inner <= 32 && view.length >= kManyRows);
  return staged ? "transposed_tile" : "lookback_column";
}

const Variant& picked(const Case& c, const DeviceFacts& device) {
  const char* name = axis_of(c).inner == 1 ? pick_rows(c, device) : pick_columns(c, device);
  return *Registry::instance().find_variant(c.op->name, name);
}

Geometry geometry_of(const Case& c, const DeviceFacts& device) {
  const Variant& variant = picked(c, device);
  Geometry geometry = variant.launch(c, device);
  geometry.picked = variant.name;
  return geometry;
}

std::size_t scratch_bytes(const Case& c, const DeviceFacts& device) {
  return workspace_bytes(picked(c, device), c, device);
}

std::string unsupported(const Case& c, const DeviceFacts& device) {
  return first_of(unsupported_scan(c, device), why_unsupported(picked(c, device), c, device));
}

void run(const Problem& problem, const Exec& exec) {
  picked(*problem.the_case, *exec.device).run(problem, exec);
}

const RegisterVariant auto_variant{
    {"cummax", "cummin"},
    Variant{.name = "auto",
            .side = Side::cuda,
            .about = "picks a variant by axis, shape, dtype and device; what to call when in doubt",
            .source = __FILE__,
            .workspace_alignment = 16,
            .needs_zeroed_workspace = true,  // of lookback and its like
            .unsupported = unsupported,
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::cumminmax
