// argmax / argmin, [rows, cols] -> int64 [rows]: several blocks a row, one launch, no memset.
//
// Each block reduces a run of the row and publishes its candidate as one self-validating word
// (slot.cuh). The row's last block takes the others' words as they appear, puts zero back, merges
// them with its own share and writes. So the scratch, zero-filled once at allocation, is zero again
// after every launch, and there is neither counter nor fence: a word is its own flag, as in
// decoupled look-back (Merrill and Garland 2016). Only the blocks with the highest number of a row
// wait, and those they wait for come before them in launch order; on a device that starts blocks in
// another order, those that wait take at most half of its room. Up to 33 blocks a row a block reads
// its run in one round of loads and the last block polls each word from a lane of its own. It wins
// for few rows of 8192 columns and more. With a row a multiprocessor or more one block takes a row
// and nobody waits; that is good down to some thousand columns. Any alignment.
#include "argminmax/launch_rows.cuh"
#include "argminmax/scan.cuh"
#include "argminmax/slot.cuh"

namespace redux::argminmax {
namespace {

constexpr std::int64_t kScratchBytes = 4096;
constexpr std::int64_t kPollingLanes = 32;
constexpr std::int64_t kMostThreads = 512;
constexpr std::int64_t kMostInFlight = 4;

template <class O, int Threads, int InFlight, bool Aligned, bool OneRound>
__global__ void __launch_bounds__(Threads)
    single_pass(Rows<typename O::Storage> problem, int chunk, void* scratch) {
  using S = Slot<typename O::Key>;
  using Word = typename S::Word;
  const auto part = static_cast<int>(blockIdx.y);
  const int others = static_cast<int>(gridDim.y) - 1;
  const auto thread = static_cast<int>(threadIdx.x);
  const std::int64_t row = blockIdx.x;
  auto mine = scan_row<O, InFlight, Aligned, OneRound>(
      problem, row, Share{part, others + 1, chunk, thread, Threads});
  Word* slots = static_cast<Word*>(scratch) + (row * others);
  if (part == others) {
#pragma unroll 1
    for (int i = thread; i < others; i += Threads) {
      Word word = observe(slots + i);
      while (S::empty(word)) word = observe(slots + i);
      publish(slots + i, Word{});
      mine.merge({S::key(word), S::index(word)});
    }
  }
  mine = merge_block<Threads>(mine);
  if (thread != 0) return;
  if (part == others) {
    problem.indices[row] = mine.answer();
  } else {
    publish(slots + part, S::pack(mine.key, mine.index));
  }
}

/// How a row is cut: `parts` blocks of `threads`, each `in_flight` loads a thread and round.
struct Plan {
  int threads = 512;
  int in_flight = 4;
  int parts = 1;
  int chunk = 1;  ///< vectors a part
  [[nodiscard]] bool one_round() const { return chunk <= threads * in_flight; }
};

/// One round of loads a block where 33 blocks or 4 KiB of words can do that. Longer rows take as
/// many blocks as there are words, which on big devices is just under two waves of them.
Plan plan_for(const Case& c, const DeviceFacts& device) {
  const std::int64_t rows = std::max<std::int64_t>(rows_of(c), 1);
  const std::int64_t vectors = vectors_of(c);
  const std::int64_t word = size_of(c.dtype) == 8 ? sizeof(Word128) : sizeof(std::uint64_t);
  Plan plan;
  std::int64_t parts = 1;
  // No more blocks than threads fit at once: blocks that wait would keep the others out.
  const std::int64_t resident = device.resident_threads() / kMostThreads;
  const std::int64_t most = std::min(kScratchBytes / word, resident) / rows;
  if (most > 1 && vectors > kMostThreads * kMostInFlight) {
    // A warp a block has no barrier to wait at: best as long as warps are enough.
    const bool warps_do = ceil_div(vectors, kWarp * 8) <= std::min(most, kPollingLanes + 1);
    parts = std::min({most, kPollingLanes + 1, ceil_div(vectors, warps_do ? kWarp * 8 : 256 * 2)});
    const std::int64_t in_one_round = ceil_div(vectors, kMostThreads * kMostInFlight);
    if (parts < in_one_round) parts = std::min(most, in_one_round);
  }
  // A run ends on a 128-byte line, so that no two blocks read one.
  plan.chunk = static_cast<int>(ceil_div(ceil_div(vectors, parts), 8) * 8);
  plan.parts = static_cast<int>(ceil_div(vectors, plan.chunk));
  if (plan.parts > 1 && plan.chunk <= kWarp * 8) {
    plan.threads = kWarp;
    plan.in_flight = 8;
  } else if (plan.chunk <= 256 * 2) {
    plan.threads = 256;
    plan.in_flight = 2;
  } else if (plan.chunk <= 512 * 2 || plan.chunk > 512 * 4) {
    plan.in_flight = 2;
  }
  return plan;
}

auto kernel_for(const Plan& plan, bool aligned) {
  return [=]<class O>(Tag<O>) {
    if (plan.threads == kWarp) {
      return aligned ? single_pass<O, kWarp, 8, true, true>
                     : single_pass<O, kWarp, 8, false, false>;
    }
    if (plan.threads == 256) {
      return aligned ? single_pass<O, 256, 2, true, true> : single_pass<O, 256, 2, false, false>;
    }
    if (!aligned) return single_pass<O, 512, 2, false, false>;
    if (plan.in_flight == 4) return single_pass<O, 512, 4, true, true>;
    return plan.one_round() ? single_pass<O, 512, 2, true, true>
                            : single_pass<O, 512, 2, true, false>;
  };
}

Geometry geometry_of(const Case& c, const DeviceFacts& device) {
  const Plan plan = plan_for(c, device);
  return {.grid = {static_cast<std::uint32_t>(rows_of(c)), static_cast<std::uint32_t>(plan.parts)},
          .block = {static_cast<std::uint32_t>(plan.threads)},
          .kernels = rows_of(c) == 0 ? 0 : 1,
          .function = function_of(c, kernel_for(plan, rows_keep_alignment(c)))};
}

std::size_t scratch_bytes(const Case& c, const DeviceFacts& device) {
  const std::int64_t words = rows_of(c) * (plan_for(c, device).parts - 1);
  const std::size_t word = size_of(c.dtype) == 8 ? sizeof(Word128) : sizeof(std::uint64_t);
  return static_cast<std::size_t>(words) * word;
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  const Plan plan = plan_for(c, *exec.device);
  launch_rows(problem, exec, geometry_of(c, *exec.device),
              kernel_for(plan, rows_are_aligned(problem)), plan.chunk, problem.workspace);
}

const RegisterVariant single_pass_variant{
    {"argmax", "argmin"},
    Variant{.name = "single_pass",
            .side = Side::cuda,
            .about = "several blocks a row merge through self-validating words, one launch; wins "
                     "for few long rows",
            .source = __FILE__,
            .workspace_alignment = alignof(Word128),
            .needs_zeroed_workspace = true,
            .unsupported = needs_32_bit_positions,
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::argminmax
