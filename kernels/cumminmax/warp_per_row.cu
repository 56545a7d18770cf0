// cummax / cummin along rows: one warp a row, no barrier.
//
// Lanes read a 16-byte vector each and scan by shuffles; longer rows are walked over with the carry
// in registers. It wins for many rows of up to some hundred elements; with few rows most of the
// device is idle, and a row of fewer vectors than lanes leaves lanes without any. Any alignment,
// 64-bit positions.
#include "cumminmax/launch_lines.cuh"
#include "cumminmax/tile.cuh"

namespace redux::cumminmax {
namespace {

constexpr int kRowsPerBlock =
    kWarpsOfRows;  ///< a warp each: small blocks spread over all multiprocessors

template <class O, int Chunks, bool Aligned>
__global__ void __launch_bounds__(kRowsPerBlock* kWarp)
    warp_per_row(Lines<typename O::Storage> lines) {
  using T = Tile<O, 1, Chunks, Aligned>;
  const std::int64_t row =
      (static_cast<std::int64_t>(blockIdx.x) * kRowsPerBlock) + (threadIdx.x / kWarp);
  if (row >= lines.outer) return;  // the whole warp
  const typename O::Storage* elements = lines.input + (row * lines.length);
  auto carry = Pair<O, std::int64_t>::none();
  for (std::int64_t begin = 0; begin < lines.length; begin += T::kElements) {
    T mine;
    mine.load(elements, begin, lines.length);
    const Pair<O, int> total = mine.scan_run();
    mine.store(lines, row, begin, Pair<O, int>::none(), carry);
    carry.follow({total.value, begin + total.index});
  }
}

int chunks_for(const Case& c) {
  const std::int64_t vectors = ceil_div(axis_of(c).length, vector_width(c));
  int chunks = 1;
  while (chunks < 4 && chunks * kWarp < vectors) chunks *= 2;
  return chunks;
}

auto kernel_for(int chunks, bool aligned) {
  return [=]<class O>(Tag<O>) {
    switch (chunks) {
      case 1:
        return aligned ? warp_per_row<O, 1, true> : warp_per_row<O, 1, false>;
      case 2:
        return aligned ? warp_per_row<O, 2, true> : warp_per_row<O, 2, false>;
      default:
        return aligned ? warp_per_row<O, 4, true> : warp_per_row<O, 4, false>;
    }
  };
}

std::string unsupported(const Case& c, const DeviceFacts& device) {
  return first_of(needs_rows(c, device), past_the_grid(ceil_div(axis_of(c).outer, kRowsPerBlock)));
}

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  const bool aligned = rows_can_align(c);
  return {.grid = {static_cast<std::uint32_t>(ceil_div(axis_of(c).outer, kRowsPerBlock))},
          .block = {kRowsPerBlock * kWarp},
          .kernels = is_empty(c) ? 0 : 1,
          .function = function_of(c, kernel_for(chunks_for(c), aligned))};
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  launch_lines(problem, exec, geometry_of(c, *exec.device),
               kernel_for(chunks_for(c), rows_are_aligned(problem)));
}

const RegisterVariant warp_per_row_variant{
    {"cummax", "cummin"},
    Variant{.name = "warp_per_row",
            .side = Side::cuda,
            .about = "a warp a row, scanned by shuffles; wins for many rows of up to some hundred "
                     "elements",
            .source = __FILE__,
            .unsupported = unsupported,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::cumminmax
