// csr_max, features [nodes, F] -> [nodes, F]: features cut into tiles, so that the slice of the
// table that a tile needs stays in the L2 cache.
//
// As balanced, with narrower teams: as many lanes (16 bytes each) as keep the slice within 60% of
// the L2 cache, but never less than a sector of memory, 32 bytes. Tiles follow one another along y,
// the slow direction of the grid. Each tile reads row_ptr and the ids once more, in exchange for
// rows that come from L2 instead of memory. Wins where the table is larger than the cache and nodes
// are read many times. Any degree, any alignment, 64-bit positions, 32-bit node numbers.
#include "csr_max/balanced_launch.cuh"

namespace redux::csr_max {
namespace {

constexpr int kLeastLanes = 2;  // of 16 bytes: a sector

BalancedPlan plan_for(const Case& c, const DeviceFacts& device) {
  const auto room = static_cast<std::int64_t>(device.l2_bytes) / 5 * 3;
  int lanes = kWarp;
  while (lanes > kLeastLanes && nodes_of(c) > room / (lanes * kLaneBytes)) lanes /= 2;
  return balanced_plan(c, device, lanes);
}

std::string unsupported(const Case& c, const DeviceFacts& device) {
  return balanced_unsupported(c, plan_for(c, device));
}

std::size_t scratch_bytes(const Case& c, const DeviceFacts& device) {
  return balanced_scratch_bytes(plan_for(c, device));
}

Geometry geometry_of(const Case& c, const DeviceFacts& device) {
  return balanced_geometry(c, plan_for(c, device));
}

void run(const Problem& problem, const Exec& exec) {
  balanced_run(problem, exec, plan_for(*problem.the_case, *exec.device));
}

const RegisterVariant feature_tiled{
    {"csr_max"},
    Variant{.name = "feature_tiled",
            .side = Side::cuda,
            .about =
                "features in tiles whose slice of the table stays in L2; wins on tables larger "
                "than that, read many times",
            .source = __FILE__,
            .workspace_alignment = kLaneBytes,
            .needs_zeroed_workspace = true,
            .unsupported = unsupported,
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::csr_max
