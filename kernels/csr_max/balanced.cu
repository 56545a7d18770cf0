// csr_max, features [nodes, F] -> [nodes, F]: work split by edges, whatever the degrees.
//
// The path over edges and ends of nodes (path.cuh) is cut into equal stretches, one a block, and
// those into one a team of lanes (16 bytes of a row a lane). A team reads six neighbours at a
// time without regard to whose they are, so light nodes are packed and have as many loads in flight
// as heavy ones; a hub is spread over teams and blocks, whose pieces are merged (balanced.cuh). One
// launch and no memset. Costs a search in row_ptr for each block and team; wins wherever degrees
// differ, and is close elsewhere. Any degree, any alignment, 64-bit positions, 32-bit node numbers.
#include "core/registry.hpp"
#include "csr_max/balanced.cuh"
#include "csr_max/balanced_launch.hpp"
#include "csr_max/launch_csr.cuh"

namespace redux::csr_max {
namespace {

auto kernel_for(Reads reads) {
  return [reads]<class T>(T) {
    return with_reads<T>(reads, []<Reads R>(Reading<R>) { return balanced_kernel<T, R>; });
  };
}

}  // namespace

/// A team's share has 8 to 64 items: short shares give every multiprocessor something to do, long
/// ones make fewer searches and pieces. A block's shared memory is two stretches of words.
BalancedPlan balanced_plan(const Case& c, const DeviceFacts& device, int most_lanes) {
  constexpr int kLogMostStretch = 11;
  BalancedPlan plan{.tiling = tiling_of(c, most_lanes)};
  const std::int64_t items = nodes_of(c) + edges_of(c);
  const std::int64_t wave = device.resident_threads() / kBalancedThreads;
  const int log_teams = kLogBalancedThreads - plan.tiling.log_lanes();
  plan.log_stretch = log_teams + 3;
  while (plan.log_stretch < std::min(log_teams + 6, kLogMostStretch) &&
         (items >> plan.log_stretch) * plan.tiling.tiles > wave) {
    ++plan.log_stretch;
  }
  plan.blocks = ceil_div(items, std::int64_t{1} << plan.log_stretch);
  return plan;
}

std::string balanced_unsupported(const Case& c, const BalancedPlan& plan) {
  return first_of(past_row_limits(c, plan.tiling.tiles), past_the_grid(plan.blocks));
}

std::size_t balanced_scratch_bytes(const BalancedPlan& plan) {
  return piece_bytes(plan.tiling, plan.blocks);
}

Geometry balanced_geometry(const Case& c, const BalancedPlan& plan) {
  return {.grid = {static_cast<std::uint32_t>(plan.blocks),
                   static_cast<std::uint32_t>(plan.tiling.tiles)},
          .block = {kBalancedThreads},
          .shared_bytes = std::size_t{8} << plan.log_stretch,
          .kernels = is_empty(c) ? 0 : 1,
          .function = function_of(c, kernel_for(reads_of(c)))};
}

void balanced_run(const Problem& problem, const Exec& exec, const BalancedPlan& plan) {
  launch_csr(problem, exec, balanced_geometry(*problem.the_case, plan),
             kernel_for(reads_of(problem)), plan.tiling.log_lanes(), plan.log_stretch,
             pieces_in(problem.workspace, plan.tiling, plan.blocks));
}

namespace {

BalancedPlan plan_for(const Case& c, const DeviceFacts& device) {
  return balanced_plan(c, device, kMostLanes);
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
