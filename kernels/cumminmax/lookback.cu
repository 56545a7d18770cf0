// cummax / cummin along rows: one pass over the data, one launch, no memset.
//
// Rows are cut into tiles. A block reduces its tile in registers, publishes the tile's best element
// as one 16-byte word, scans the tile and takes its carry from the words of the tiles before it
// (decoupled look-back, Merrill and Garland 2016). Since the operator is idempotent, any set of
// words that covers the row's beginning gives the carry: a thread a word, no order among them, no
// walk. A word is valid if it carries this call's number, so nothing is cleared between calls or
// replays. While a block waits for words, its next tile is on the way. The grid is one wave that
// strides over the tiles, so whoever waits, waits for blocks that run. It wins for few long rows;
// with a row a multiprocessor or more, block_per_row and warp_per_row need no waiting. Any
// alignment, 64-bit positions.
#include "cumminmax/launch_lines.cuh"
#include "cumminmax/lookback_tiles.cuh"
#include "cumminmax/words.cuh"

namespace redux::cumminmax {
namespace {

/// What a single row has past its last whole vector: fewer elements than fill one.
template <class O>
__device__ void write_rest(const Lines<typename O::Storage>& lines, int rest,
                           Pair<O, std::int64_t> best) {
#pragma unroll 1
  for (std::int64_t i = lines.length; i < lines.length + rest; ++i) {
    best.follow({lines.input[i], i});
    lines.values[i] = best.value;
    lines.indices[i] = best.index;
  }
}

template <class O, class T>
__global__ void __launch_bounds__(T::kWarps* kWarp, TilePlan{.chunks = T::kChunks}.resident())
    lookback(Lines<typename O::Storage> lines, std::int64_t tiles_a_row, int rest, Header* header,
             Word128* words) {
  auto& shared_call = shared_object<Call>();
  const bool first = threadIdx.x == 0;
  Call begun{};
  lines.length -= rest;
  const std::int64_t tiles = lines.outer * tiles_a_row;
  T next;
  const auto fetch = [&](std::int64_t t) {
    const std::int64_t row = quotient(t, tiles_a_row);
    next.fetch(lines.input + (row * lines.length), (t - (row * tiles_a_row)) * T::kElements,
               lines.length);
  };
  fetch(blockIdx.x);
  if (first && tiles_a_row > 1) {
    begun = begin_call(header);
    shared_call.number = begun.number;
  }
  for (std::int64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    const std::int64_t row = quotient(t, tiles_a_row);
    const std::int64_t tile = t - (row * tiles_a_row);
    const std::int64_t begin = tile * T::kElements;
    T mine = next.fetched();
    Pair<O, int> total;
    const Pair<O, int> in_front = scan_warps<O, T::kWarps>(mine.best_of_run(), total);  // a barrier
    const std::uint64_t call = tiles_a_row > 1 ? shared_call.number : 0;
    Pair<O, std::int64_t> up_to{total.value, begin + total.index};
    Word128* word = words + t;
    if (first && tiles_a_row > 1) publish(word, Word<O>::pack(up_to, tile == 0, call));
    if (t + gridDim.x < tiles) fetch(t + gridDim.x);  // while this one waits for the others
    mine.scan_ahead();
    auto carry = Pair<O, std::int64_t>::none();
    if (tile > 0) {
      carry = look_back<O, T::kWarps>(words + (row * tiles_a_row), tile, call);
      auto whole = carry;
      whole.follow(up_to);
      if (first) publish(word, Word<O>::pack(whole, true, call));
    }
    mine.store(lines, row, begin, in_front, carry);
    if (first && rest > 0 && tile == tiles_a_row - 1) {
      carry.follow(up_to);
      write_rest(lines, rest, carry);
    }
    sync_block();  // before the next tile's use of shared memory
  }
  if (first && tiles_a_row > 1) end_call(header, begun);
}

auto kernel_for(const TilePlan& plan) {
  return [=]<class O>(Tag<O>) {
    return with_tile<O>(plan, []<class T>(Tag<T>) { return lookback<O, T>; });
  };
}

Geometry geometry_of(const Case& c, const DeviceFacts& device) {
  const TilePlan plan = plan_tiles(c, device);
  const std::int64_t wave =
      std::int64_t{device.multiprocessors} * std::max(plan.resident_on(device), 1);
  return {.grid = {static_cast<std::uint32_t>(std::min(axis_of(c).outer * plan.of_row(c), wave))},
          .block = {static_cast<std::uint32_t>(plan.threads())},
          .shared_bytes = plan.shared_bytes(),
          .kernels = is_empty(c) ? 0 : 1,
          .function = function_of(c, kernel_for(plan))};
}

std::size_t scratch_bytes(const Case& c, const DeviceFacts& device) {
  const std::int64_t tiles = axis_of(c).outer * plan_tiles(c, device).of_row(c);
  return kHeaderBytes + (static_cast<std::size_t>(tiles) * sizeof(Word128));
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  TilePlan plan = plan_tiles(c, *exec.device);
  plan.aligned = plan.aligned && buffers_are_aligned(problem);
  const auto rest = static_cast<int>(axis_of(c).length % vector_width(c));
  auto* header = static_cast<std::byte*>(problem.workspace);
  launch_lines(problem, exec, geometry_of(c, *exec.device), kernel_for(plan), plan.of_row(c),
               plan.aligned ? rest : 0, reinterpret_cast<Header*>(header),
               reinterpret_cast<Word128*>(header + kHeaderBytes));
}

const RegisterVariant lookback_variant{
    {"cummax", "cummin"},
    Variant{.name = "lookback",
            .side = Side::cuda,
            .about = "one pass, tiles take their carry from words of the tiles before; wins for "
                     "few long rows",
            .source = __FILE__,
            .workspace_alignment = alignof(Word128),
            .needs_zeroed_workspace = true,
            .unsupported = needs_rows,
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::cumminmax
