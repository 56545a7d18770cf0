// argmax / argmin, [rows, cols] -> int64 [rows]: 2 to 16 lanes a row, 16-byte loads.
//
// The group is the smallest whose lanes need at most two 16-byte loads each, so a warp works on 2
// to 16 rows at once and its loads stay coalesced across them. It wins for many rows of up to some
// 128 columns, where a whole warp a row would leave lanes without an element; beyond that (16
// lanes, loads in a loop) warp_per_row is better. Any alignment.
#include "argminmax/subwarp.cuh"

namespace redux::argminmax {
namespace {

constexpr int kThreads = 256;

int lanes_for(const Case& c) {
  int lanes = 2;
  while (lanes < 16 && lanes * 2 < vectors_of(c)) lanes *= 2;
  return lanes;
}

auto kernel_for(const Case& c, bool aligned) {
  const std::int64_t vectors = vectors_of(c);
  const int lanes = lanes_for(c);
  return [=]<class O>(Tag<O>) {
    switch (lanes) {
      case 2:
        return aligned && vectors <= 2 ? lanes_per_row<O, 2, 1, kThreads, true, true>
                                       : lanes_kernel<2, 2, kThreads, O>(aligned, true);
      case 4:
        return lanes_kernel<4, 2, kThreads, O>(aligned, true);
      case 8:
        return lanes_kernel<8, 2, kThreads, O>(aligned, true);
      default:
        return lanes_kernel<16, 2, kThreads, O>(aligned, vectors <= 32);
    }
  };
}

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  const std::int64_t blocks = ceil_div(rows_of(c), kThreads / lanes_for(c));
  return {.grid = {static_cast<std::uint32_t>(blocks)},
          .block = {kThreads},
          .kernels = blocks == 0 ? 0 : 1,
          .function = function_of(c, kernel_for(c, rows_keep_alignment(c)))};
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  launch_rows(problem, exec, geometry_of(c, *exec.device),
              kernel_for(c, rows_are_aligned(problem)));
}

const RegisterVariant subwarp_per_row{
    {"argmax", "argmin"},
    Variant{.name = "subwarp_per_row",
            .side = Side::cuda,
            .about = "2 to 16 lanes a row, 16-byte loads; wins for many rows of up to 128 columns",
            .source = __FILE__,
            .unsupported = needs_32_bit_positions,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::argminmax
