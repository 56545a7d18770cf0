// argmax / argmin, [rows, cols] -> int64 [rows]: 2 to 16 lanes a row, 16-byte loads, four in
// flight.
//
// The group is the smallest whose lanes need at most four 16-byte loads each, so a warp works on 2
// to 16 rows at once and its loads stay coalesced across them. It wins for many rows of up to some
// 256 columns, where a whole warp a row would leave lanes without an element. Any alignment.
#include "argminmax/subwarp.cuh"

namespace redux::argminmax {
namespace {

constexpr int kThreads = 128;
constexpr int kInFlight = 4;

int lanes_for(const Case& c) {
  const std::int64_t vectors =
      ceil_div(cols_of(c) * static_cast<std::int64_t>(size_of(c.dtype)), 16);
  int lanes = 2;
  while (lanes < 16 && lanes * kInFlight < vectors) lanes *= 2;
  return lanes;
}

auto kernel_for(int lanes) {
  return [lanes]<class O>(Tag<O>) {
    switch (lanes) {
      case 2:
        return lanes_per_row<O, 2, kInFlight, kThreads>;
      case 4:
        return lanes_per_row<O, 4, kInFlight, kThreads>;
      case 8:
        return lanes_per_row<O, 8, kInFlight, kThreads>;
      default:
        return lanes_per_row<O, 16, kInFlight, kThreads>;
    }
  };
}

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  const int lanes = lanes_for(c);
  const std::int64_t blocks = ceil_div(rows_of(c), kThreads / lanes);
  return {.grid = {static_cast<std::uint32_t>(blocks)},
          .block = {kThreads},
          .kernels = blocks == 0 ? 0 : 1,
          .function = function_of(c, kernel_for(lanes))};
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  launch_rows(problem, exec, geometry_of(c, *exec.device), kernel_for(lanes_for(c)));
}

const RegisterVariant subwarp_per_row{
    {"argmax", "argmin"},
    Variant{.name = "subwarp_per_row",
            .side = Side::cuda,
            .about = "2 to 16 lanes a row, 16-byte loads; wins for many rows of up to 256 columns",
            .source = __FILE__,
            .unsupported = needs_32_bit_positions,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::argminmax
