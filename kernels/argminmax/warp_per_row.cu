// argmax / argmin, [rows, cols] -> int64 [rows]: one warp a row, up to eight 16-byte loads in
// flight.
//
// A warp needs no barrier and no shared memory; its lanes merge with whole-warp reductions
// (redux.sync on an order-preserving key, sm_80 and later; shuffles before). Rows of up to 4 KiB
// are read in one round, with just as many loads as they need. It wins from a hundred columns up
// wherever there are enough rows to give every multiprocessor its 32 warps; with few rows most of
// the device is idle, and under a hundred columns lanes are left without an element. Any alignment.
#include "argminmax/subwarp.cuh"

namespace redux::argminmax {
namespace {

constexpr int kThreads = 256;

int in_flight_for(const Case& c) {
  int in_flight = 1;
  while (in_flight < 8 && in_flight * kWarp < vectors_of(c)) in_flight *= 2;
  return in_flight;
}

auto kernel_for(const Case& c, bool aligned) {
  const std::int64_t rows = rows_of(c);
  const int in_flight = in_flight_for(c);
  const bool one_round = in_flight * kWarp >= vectors_of(c);
  return [=]<class O>(Tag<O>) {
    // Masking costs instructions, so that many rows want fewer loads a round and more warps. Few
    // rows want one round: the 65 vectors of 257 floats would make two.
    if (!aligned && rows >= 4096) return lanes_per_row<O, kWarp, 2, kThreads, false, false>;
    if (!aligned) return lanes_per_row<O, kWarp, 4, kThreads, false, false>;
    switch (in_flight) {
      case 1:
        return lanes_per_row<O, kWarp, 1, kThreads, true, true>;
      case 2:
        return lanes_per_row<O, kWarp, 2, kThreads, true, true>;
      case 4:
        return lanes_per_row<O, kWarp, 4, kThreads, true, true>;
      default:
        return one_round ? lanes_per_row<O, kWarp, 8, kThreads, true, true>
                         : lanes_per_row<O, kWarp, 8, kThreads, true, false>;
    }
  };
}

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  const std::int64_t blocks = ceil_div(rows_of(c), kThreads / kWarp);
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

const RegisterVariant warp_per_row{
    {"argmax", "argmin"},
    Variant{.name = "warp_per_row",
            .side = Side::cuda,
            .about = "a warp a row, up to eight 16-byte loads in flight; wins for many rows of 128 "
                     "columns and more",
            .source = __FILE__,
            .unsupported = needs_32_bit_positions,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::argminmax
