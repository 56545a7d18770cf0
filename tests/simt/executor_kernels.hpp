// Kernels that are tests of the executor itself. Each does one thing, right or wrong; a line that a
// fault has to name ends with "// here: " and a word for it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/variant.hpp"

namespace simt_tests {

using Word = std::uint32_t;

struct Arguments {
  const Word* in = nullptr;
  Word* out = nullptr;
  Word* work = nullptr;
  Word n = 0;                 ///< whatever a kernel takes a number for
  Word* elsewhere = nullptr;  ///< memory that is no buffer
};

/// Starts one kernel.
using Start = void (*)(const redux::Geometry&, const Arguments&);

// executor_block_kernels.cu
extern const Start coordinates, barrier_votes, barrier_votes_after_exit, barrier_passes_words,
    warp_barrier_passes_words, blocks_of_a_large_grid, visit_order, count_resident, do_nothing,
    static_objects, dynamic_words, too_much_static, static_beside_dynamic, cluster_ranks,
    cluster_stores, trapped;
// executor_warp_kernels.cu
extern const Start shuffle_index, shuffle_up, shuffle_down, shuffle_xor_lanes, shuffle_types, votes,
    active_mask, matches, reductions, halves, halves_then_all, chained_masks, short_warp,
    nan_extremes, helper_extremes;
// executor_atomic_kernels.cu
extern const Start atomics_unsigned, atomics_signed, atomics_wide, atomics_float, atomic_wraps,
    atomic_sum, compare_and_swap_wide, published_words, spin_lock, fences_and_atomics;
// executor_bounds_kernels.cu
extern const Start read_at, write_at, read_null, write_null, read_elsewhere, write_elsewhere,
    write_input, misaligned_vector, misaligned_plain, unaligned_copy, read_shared_of_block_0,
    shared_past_end, shared_before, dynamic_past_end, unwritten_shared, unwritten_output,
    unwritten_work, partly_written, atomic_on_unwritten, wrong_helper;
// executor_race_kernels.cu
extern const Start race_write_write, race_write_read, race_read_write, race_in_a_warp, race_bytes,
    race_after_many_reads, race_of_second_read, race_by_value, race_halves, broadcast_then_write,
    race_global_plain, race_between_blocks, mixed_atomic, mixed_plain, write_of_block,
    cluster_without_barrier, cluster_too_early, cluster_too_late, cluster_wait_alone,
    cluster_arrive_twice, cluster_bad_rank;
// executor_message_kernels.cu
extern const Start message, last_block, last_block_no_fence, block_message, warp_message;
// executor_wait_kernels.cu
extern const Start barrier_against_shuffle, barrier_against_spin, divergent_barriers,
    divergent_in_helper, exited_lane, absent_lane, mask_without_caller, mask_mismatch,
    operation_mismatch, lane_ends, reads_unnamed_lane, plain_loop, plain_loop_of_shared,
    waits_for_the_last_block, spins_on_two_words, plain_wait, waits_after_a_look;

/// What `message` leaves out of: data, fence, flag; flag, fence, data.
enum Message : Word {
  kFences = 0,
  kNoWriterFence = 1,
  kNoReaderFence = 2,
  kHelpers = 3,           ///< publish_release and observe_acquire
  kReleaseNoAcquire = 4,  ///< publish_release and observe
  kAcquireNoRelease = 5,  ///< publish and observe_acquire
  kBlockFences = 6,       ///< __threadfence_block on both sides
  kReleaseElsewhere = 7,  ///< publish_release to another word, then publish
  kAcquireIsNoFence = 8,  ///< observe_acquire of another word, then publish
};

#ifdef REDUX_SIMT
template <auto* Kernel>
void start(const redux::Geometry& geometry, const Arguments& arguments) {
  redux::launch(Kernel, geometry, nullptr, arguments);
}
#endif

}  // namespace simt_tests
