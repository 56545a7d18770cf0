// argmax / argmin, [rows, cols] -> int64 [rows]: tiles first, then the tiles' winners.
//
// The portable rewrite of ONNX Runtime pull request 32092 for runtimes without a cooperative
// kernel: one kernel reduces tiles of 4096 columns, a block each, to winners in scratch; a second
// one reduces a row's winners. No atomics, no memset, nothing to be left clean. It loses a launch
// to the single-launch variants everywhere, and matters where those are not to be had. Positions
// are 64-bit; any alignment.
#include "argminmax/cooperative.cuh"
#include "argminmax/launch_rows.cuh"

namespace redux::argminmax {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kTile = 4096;

template <class O>
using Winner = Candidate<O, std::uint64_t>;

/// grid (rows * tiles): winners [rows, tiles], positions row-local.
template <class O>
__global__ void __launch_bounds__(kThreads)
    reduce_tiles(Rows<typename O::Storage> problem, std::int64_t tiles, Winner<O>* winners) {
  const std::int64_t row = blockIdx.x / tiles;
  const std::int64_t begin = (blockIdx.x % tiles) * kTile;
  const auto width = static_cast<int>(problem.cols - begin < kTile ? problem.cols - begin : kTile);
  const typename O::Storage* tile = problem.input + (row * problem.cols) + begin;
  const auto thread = static_cast<int>(threadIdx.x);
  const auto mine =
      merge_block<kThreads>(scan_strided<O>(tile, width, thread, kThreads, begin == 0));
  if (thread != 0) return;
  const bool none = mine.index == Candidate<O>::kNone;
  winners[blockIdx.x] = {mine.key, none ? Winner<O>::kNone : begin + mine.index};
}

/// grid (rows)
template <class O>
__global__ void __launch_bounds__(kThreads)
    reduce_winners(Rows<typename O::Storage> problem, std::int64_t tiles,
                   const Winner<O>* winners) {
  auto mine = Winner<O>::none();
  for (std::int64_t i = threadIdx.x; i < tiles; i += kThreads) {
    mine.merge(Winner<O>::at(winners[(blockIdx.x * tiles) + i]));
  }
  mine = merge_block<kThreads>(mine);
  if (threadIdx.x == 0) problem.indices[blockIdx.x] = mine.answer();
}

std::int64_t tiles_of(const Case& c) {
  return ceil_div(cols_of(c), kTile);
}

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  return {.grid = {static_cast<std::uint32_t>(rows_of(c) * tiles_of(c))},
          .block = {kThreads},
          .kernels = rows_of(c) == 0 ? 0 : 2,
          .function = function_of(c, []<class O>(Tag<O>) { return reduce_tiles<O>; })};
}

std::string unsupported(const Case& c, const DeviceFacts& /*device*/) {
  const std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (rows_of(c) * tiles_of(c) <= most) return {};
  return "needs " + std::to_string(rows_of(c) * tiles_of(c)) + " tiles of 4096 columns, at most " +
         std::to_string(most) + " fit a grid";
}

std::size_t scratch_bytes(const Case& c, const DeviceFacts& /*device*/) {
  return static_cast<std::size_t>(rows_of(c) * tiles_of(c)) * 16;
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  const Geometry tiles = geometry_of(c, *exec.device);
  if (tiles.kernels == 0) return;
  Geometry rows = tiles;
  rows.grid.x = static_cast<std::uint32_t>(rows_of(c));
  with_order(c, [&]<class O>(Tag<O>) {
    const auto problem_rows = rows_of<typename O::Storage>(problem);
    auto* winners = static_cast<Winner<O>*>(problem.workspace);
    launch(reduce_tiles<O>, tiles, exec.stream, problem_rows, tiles_of(c), winners);
    launch(reduce_winners<O>, rows, exec.stream, problem_rows, tiles_of(c), winners);
  });
}

const RegisterVariant two_stage{
    {"argmax", "argmin"},
    Variant{.name = "two_stage",
            .side = Side::cuda,
            .about = "tiles of 4096 columns, then the tiles' winners: two plain kernels",
            .source = __FILE__,
            .workspace_alignment = 8,
            .unsupported = unsupported,
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::argminmax
