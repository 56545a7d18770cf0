// csr_max, features [nodes, F] -> [nodes, F]: work split by edges, whatever the degrees.
//
// The path over edges and ends of nodes (path.cuh) is cut into equal stretches, one a block, and
// those into one a team of lanes (16 bytes of a row a lane). A team reads eight neighbours at a
// time without regard to whose they are, so light nodes are packed and have as many loads in flight
// as heavy ones; a hub is spread over teams and blocks, whose pieces are merged (balanced.cuh). One
// launch and no memset. Costs a search in row_ptr for each block and team; wins wherever degrees
// differ, and is close elsewhere. Any degree, any alignment, 64-bit positions, 32-bit node numbers.
#include "csr_max/balanced_launch.cuh"

namespace redux::csr_max {
namespace {

BalancedPlan plan_for(const Case& c, const DeviceFacts& device) {
  return balanced_plan(c, device, kWarp);
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

const RegisterVariant balanced{
    {"csr_max"},
    Variant{.name = "balanced",
            .side = Side::cuda,
            .about = "work split by edges: light nodes packed, hubs spread over blocks and merged; "
                     "wins wherever degrees differ",
            .source = __FILE__,
            .workspace_alignment = kLaneBytes,
            .needs_zeroed_workspace = true,
            .unsupported = unsupported,
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::csr_max
