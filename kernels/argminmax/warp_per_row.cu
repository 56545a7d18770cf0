// argmax / argmin, [rows, cols] -> int64 [rows]: one warp a row, 16-byte loads, eight in flight.
//
// A warp holds 4 KiB of its row in flight, needs no barrier and no shared memory, and merges its
// lanes with whole-warp reductions (redux.sync on an order-preserving key, sm_80 and later;
// shuffles before). It wins from a few hundred to some ten thousand columns wherever there are
// enough rows to give every multiprocessor its 32 warps; with few rows most of the device is idle.
// Any alignment.
#include "argminmax/subwarp.cuh"

namespace redux::argminmax {
namespace {

constexpr int kThreads = 256;
constexpr int kInFlight = 8;
constexpr auto kKernel = []<class O>(Tag<O>) {
  return lanes_per_row<O, kWarp, kInFlight, kThreads>;
};

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  const std::int64_t blocks = ceil_div(rows_of(c), kThreads / kWarp);
  return {.grid = {static_cast<std::uint32_t>(blocks)},
          .block = {kThreads},
          .kernels = blocks == 0 ? 0 : 1,
          .function = function_of(c, kKernel)};
}

void run(const Problem& problem, const Exec& exec) {
  launch_rows(problem, exec, geometry_of(*problem.the_case, *exec.device), kKernel);
}

const RegisterVariant warp_per_row{
    {"argmax", "argmin"},
    Variant{.name = "warp_per_row",
            .side = Side::cuda,
            .about = "a warp a row, eight 16-byte loads in flight; wins for many rows of 512 to "
                     "16384 columns",
            .source = __FILE__,
            .unsupported = needs_32_bit_positions,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::argminmax
