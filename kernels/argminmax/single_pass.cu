// argmax / argmin, [rows, cols] -> int64 [rows]: several blocks a row, one launch, no memset.
//
// Each block reduces its share of the row (16-byte loads, strided over all blocks of the row) and
// publishes its candidate as one self-validating word: key and ~index, which is never zero. The
// last block of the row collects the others' words as they appear, puts zero back into each slot,
// merges and writes. So the scratch, zero-filled once at allocation, is zero again after every
// launch, and there is neither a counter nor a fence: a word is its own flag, as in decoupled
// look-back (Merrill and Garland 2016). Only blocks with the highest index of a row wait, and they
// wait for blocks that are scheduled before them. With a row a multiprocessor or more, one block
// takes a row and nobody waits. It wins for few long rows; narrow rows do not fill its blocks. Any
// alignment.
#include "argminmax/launch_rows.cuh"
#include "argminmax/scan.cuh"
#include "common/memory.cuh"

namespace redux::argminmax {
namespace {

constexpr int kThreads = 512;
constexpr int kInFlight = 4;
constexpr std::int64_t kMostWords = 256;        // 4 KiB of 16-byte words
constexpr std::int64_t kMinVectorsAThread = 2;  // less, and a block costs more than it brings

template <class Key>
struct Slot;

/// 32-bit keys travel with their index in 64 bits.
template <>
struct Slot<std::uint32_t> {
  using Word = std::uint64_t;
  __device__ static Word pack(std::uint32_t key, std::uint32_t index) {
    return (static_cast<Word>(key) << 32U) | ~index;
  }
  __device__ static bool empty(Word word) { return word == 0; }
  __device__ static std::uint32_t key(Word word) { return static_cast<std::uint32_t>(word >> 32U); }
  __device__ static std::uint32_t index(Word word) { return ~static_cast<std::uint32_t>(word); }
};

template <>
struct Slot<std::uint64_t> {
  using Word = Word128;
  __device__ static Word pack(std::uint64_t key, std::uint32_t index) {
    return {key, ~static_cast<std::uint64_t>(index)};
  }
  __device__ static bool empty(Word word) { return word.high == 0; }
  __device__ static std::uint64_t key(Word word) { return word.low; }
  __device__ static std::uint32_t index(Word word) {
    return static_cast<std::uint32_t>(~word.high);
  }
};

template <class O>
__global__ void __launch_bounds__(kThreads)
    single_pass(Rows<typename O::Storage> problem, int blocks_per_row, void* scratch) {
  using S = Slot<typename O::Key>;
  using Word = typename S::Word;
  const int row = static_cast<int>(blockIdx.x) / blocks_per_row;
  const int part = static_cast<int>(blockIdx.x) % blocks_per_row;
  const int threads = static_cast<int>(blockDim.x);
  auto mine = scan_row<O, kInFlight>(
      problem.input + (row * problem.cols), static_cast<int>(problem.cols),
      (part * threads) + static_cast<int>(threadIdx.x), blocks_per_row * threads);
  mine = merge_block(mine);
  if (static_cast<int>(threadIdx.x) >= kWarp) return;

  const int others = blocks_per_row - 1;
  auto* slots = static_cast<Word*>(scratch) + (static_cast<std::int64_t>(row) * others);
  if (part != others) {
    if (lane_id() == 0) publish(slots + part, S::pack(mine.key, mine.index));
    return;
  }
  for (int i = lane_id(); i < others; i += kWarp) {
    Word word = observe(slots + i);
    while (S::empty(word)) word = observe(slots + i);
    publish(slots + i, Word{});
    mine.merge({S::key(word), S::index(word)});
  }
  if (others > 0) mine = merge_lanes<kWarp>(mine);
  if (lane_id() == 0) problem.indices[row] = mine.answer();
}

constexpr auto kKernel = []<class O>(Tag<O>) { return single_pass<O>; };

int threads_for(std::int64_t vectors) {
  std::int64_t threads = kThreads;
  while (threads > kWarp && threads > vectors) threads /= 2;
  return static_cast<int>(threads);
}

Geometry geometry_of(const Case& c, const DeviceFacts& device) {
  const std::int64_t rows = rows_of(c);
  const std::int64_t vectors =
      ceil_div(cols_of(c) * static_cast<std::int64_t>(size_of(c.dtype)), 16);
  const std::int64_t threads = threads_for(vectors);
  std::int64_t blocks = 1;
  if (rows > 0 && rows < device.multiprocessors) {
    const std::int64_t wave = (2 * device.multiprocessors) / rows;
    blocks = std::min({vectors / (threads * kMinVectorsAThread), wave, kMostWords / rows});
    blocks = std::max<std::int64_t>(blocks, 1);
  }
  return {.grid = {static_cast<std::uint32_t>(rows * blocks)},
          .block = {static_cast<std::uint32_t>(threads)},
          .kernels = rows == 0 ? 0 : 1,
          .function = function_of(c, kKernel)};
}

std::size_t scratch_bytes(const Case& c, const DeviceFacts& device) {
  if (rows_of(c) == 0) return 0;
  const std::int64_t words = static_cast<std::int64_t>(geometry_of(c, device).grid.x) - rows_of(c);
  const std::size_t word = size_of(c.dtype) == 8 ? sizeof(Word128) : sizeof(std::uint64_t);
  return static_cast<std::size_t>(words) * word;
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  if (rows_of(c) == 0) return;
  const Geometry geometry = geometry_of(c, *exec.device);
  const auto blocks_per_row = static_cast<int>(geometry.grid.x / rows_of(c));
  launch_rows(problem, exec, geometry, kKernel, blocks_per_row, problem.workspace);
}

const RegisterVariant single_pass_variant{
    {"argmax", "argmin"},
    Variant{.name = "single_pass",
            .side = Side::cuda,
            .about = "several blocks a row merge through self-validating words; wins for few long "
                     "rows",
            .source = __FILE__,
            .workspace_alignment = alignof(Word128),
            .unsupported = needs_32_bit_positions,
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::argminmax
