// cummax / cummin along rows: one pass over the data, one launch, no memset.
//
// Rows are cut into tiles. A block scans its tile in registers, publishes the tile's best element
// as one 16-byte word and takes its carry from the words of the tiles before it (decoupled
// look-back, Merrill and Garland 2016). Since the operator is idempotent, any set of words that
// covers the row's beginning gives the carry: a thread a word, no order among them, no walk. A word
// is valid if it carries this call's number, so nothing is cleared between calls or replays. While
// a block waits for words, its next tile is on the way. The grid is one wave that strides over
// the tiles, so whoever waits, waits for blocks that run. It wins for few long rows; with a row a
// multiprocessor or more, block_per_row and warp_per_row need no waiting. Any alignment, 64-bit
// positions.
#include "cumminmax/launch_lines.cuh"
#include "cumminmax/words.cuh"

namespace redux::cumminmax {
namespace {

constexpr int kWarps = 8;
constexpr int kMostChunks = 8;

/// Blocks a multiprocessor, at least: 128 registers a thread for the largest tiles, else 80.
constexpr int resident(int chunks) {
  return chunks == kMostChunks ? 2 : 3;
}

template <class O, int Chunks, bool Aligned>
__global__ void __launch_bounds__(kWarps* kWarp, resident(Chunks))
    lookback(Lines<typename O::Storage> lines, std::int64_t tiles_a_row, Header* header,
             Word128* words) {
  using T = Tile<O, kWarps, Chunks, Aligned>;
  auto& shared_call = shared_object<Call>();
  const bool first = threadIdx.x == 0;
  Call begun{};
  const std::int64_t tiles = lines.outer * tiles_a_row;
  const auto load = [&](T& tile, std::int64_t t) {
    const std::int64_t row = quotient(t, tiles_a_row);
    tile.load(lines.input + (row * lines.length), (t - (row * tiles_a_row)) * T::kElements,
              lines.length);
  };
  T next;
  load(next, blockIdx.x);
  if (first && tiles_a_row > 1) {
    begun = begin_call(header);
    shared_call.number = begun.number;
  }
  for (std::int64_t t = blockIdx.x; t < tiles; t += gridDim.x) {
    const std::int64_t row = quotient(t, tiles_a_row);
    const std::int64_t tile = t - (row * tiles_a_row);
    const std::int64_t begin = tile * T::kElements;
    T mine = next;
    Pair<O, int> total;
    const Pair<O, int> in_front = scan_warps<O, kWarps>(mine.scan_run(), total);  // a barrier
    const std::uint64_t call = tiles_a_row > 1 ? shared_call.number : 0;
    Pair<O, std::int64_t> up_to{total.value, begin + total.index};
    Word128* word = words + t;
    if (first && tiles_a_row > 1) publish(word, Word<O>::pack(up_to, tile == 0, call));
    if (t + gridDim.x < tiles) load(next, t + gridDim.x);  // while this one waits for the others
    auto carry = Pair<O, std::int64_t>::none();
    if (tile > 0) {
      carry = look_back<O, kWarps>(words + (row * tiles_a_row), tile, call);
      auto whole = carry;
      whole.follow(up_to);
      if (first) publish(word, Word<O>::pack(whole, true, call));
    }
    mine.store(lines, row, begin, in_front, carry);
    sync_block();  // before the next tile's use of shared memory
  }
  if (first && tiles_a_row > 1) end_call(header, begun);
}

struct Plan {
  int chunks = 1;
  bool aligned = false;
};

/// As few tiles as still give every multiprocessor one: each looks at all before it. Larger ones
/// for larger problems, whose loads they keep in flight.
Plan plan_for(const Case& c, const DeviceFacts& device) {
  const AxisView view = axis_of(c);
  const std::int64_t vectors = view.outer * ceil_div(view.length, vector_width(c));
  Plan plan{.aligned = view.length % vector_width(c) == 0};
  while (plan.chunks < kMostChunks &&
         vectors > std::int64_t{2} * device.multiprocessors * plan.chunks * kWarps * kWarp) {
    plan.chunks *= 2;
  }
  return plan;
}

std::int64_t tiles_of_row(const Case& c, const Plan& plan) {
  return ceil_div(axis_of(c).length, std::int64_t{kWarps} * kWarp * plan.chunks * vector_width(c));
}

auto kernel_for(const Plan& plan) {
  return [=]<class O>(Tag<O>) {
    switch (plan.chunks) {
      case 1:
        return plan.aligned ? lookback<O, 1, true> : lookback<O, 1, false>;
      case 2:
        return plan.aligned ? lookback<O, 2, true> : lookback<O, 2, false>;
      case 4:
        return plan.aligned ? lookback<O, 4, true> : lookback<O, 4, false>;
      default:
        return plan.aligned ? lookback<O, 8, true> : lookback<O, 8, false>;
    }
  };
}

Geometry geometry_of(const Case& c, const DeviceFacts& device) {
  const Plan plan = plan_for(c, device);
  const std::int64_t tiles = axis_of(c).outer * tiles_of_row(c, plan);
  const std::int64_t room = device.max_threads_per_multiprocessor / (kWarps * kWarp);
  const std::int64_t wave =
      std::clamp<std::int64_t>(room, 1, resident(plan.chunks)) * device.multiprocessors;
  return {.grid = {static_cast<std::uint32_t>(std::min(tiles, wave))},
          .block = {kWarps * kWarp},
          .kernels = is_empty(c) ? 0 : 1,
          .function = function_of(c, kernel_for(plan))};
}

std::size_t scratch_bytes(const Case& c, const DeviceFacts& device) {
  const std::int64_t tiles = axis_of(c).outer * tiles_of_row(c, plan_for(c, device));
  return kHeaderBytes + (static_cast<std::size_t>(tiles) * sizeof(Word128));
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  Plan plan = plan_for(c, *exec.device);
  plan.aligned = rows_are_aligned(problem);
  auto* header = static_cast<std::byte*>(problem.workspace);
  launch_lines(problem, exec, geometry_of(c, *exec.device), kernel_for(plan), tiles_of_row(c, plan),
               reinterpret_cast<Header*>(header),
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
