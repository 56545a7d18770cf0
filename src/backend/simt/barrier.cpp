// Barriers of a block and of a cluster. Threads that have ended count as arrived, as on compute
// capability 7.0 and later.
#include <fmt/format.h>

#include <map>

#include "backend/simt/device_api.hpp"
#include "backend/simt/grid.hpp"
#include "backend/simt/position.hpp"
#include "backend/simt/watch.hpp"

namespace redux::simt {
namespace {

std::vector<const void*> stack_of(const Thread& thread) {
  const auto* begin = thread.fiber->stack_begin();
  return call_stack(thread.frame, begin, begin + Fiber::kStackBytes);
}

/// Whether both were called by the same instructions, all the way out.
bool same_calls(const Thread& a, const Thread& b) {
  Frame one = a.frame;
  Frame other = b.frame;
  const auto within = [](const Thread& thread, Frame frame) {
    const auto* begin = thread.fiber->stack_begin();
    const auto* at = reinterpret_cast<const std::byte*>(frame);
    return at >= begin && at + (2 * sizeof(void*)) <= begin + Fiber::kStackBytes;
  };
  while (within(a, one) && within(b, other)) {
    if (one[1] != other[1]) return false;
    const auto* const next = static_cast<Frame>(one[0]);
    if (next <= one) break;
    one = next;
    other = static_cast<Frame>(other[0]);
  }
  return true;
}

/// The lanes of a warp have to be at one barrier instruction. Compilers may make several calls of
/// one line of source, so lines decide.
void check_convergence(Block& block) {
  const Thread* leader = nullptr;
  for (Thread& thread : block.threads) {
    if (thread.number % kWarpLanes == 0) leader = nullptr;
    if (thread.state != ThreadState::at_barrier) continue;
    if (leader == nullptr) leader = &thread;
    if (&thread == leader || same_calls(thread, *leader)) continue;
    if (text_of_stack(stack_of(thread)) == text_of_stack(stack_of(*leader))) continue;
    raise(FaultKind::divergent_barrier, [&] {
      return fmt::format("lanes of one warp wait at different barriers: {} at {}; {} at {}",
                         text_of(*leader), text_of_stack(stack_of(*leader)), text_of(thread),
                         text_of_stack(stack_of(thread)));
    });
  }
}

/// What threads learnt from other blocks is now known to all of the block.
void share_knowledge(Block& block) {
  if (!executor().grid->any_fence) return;
  block.fenced.clear();  // a thread's last fence covers what its earlier ones did
  for (Thread& thread : block.threads) {
    block.pending.add(thread.pending);
    block.acquired.add(thread.acquired);
    thread.pending.clear();
    thread.acquired.clear();
    append_fenced(thread, block.fenced);
  }
}

void release(Block& block) {
  check_convergence(block);
  share_knowledge(block);
  block.barrier_time = ++executor().time;
  block.barrier_result = block.barrier_sum;
  block.barrier_sum = 0;
  block.barrier_live = block.live;
  block.arrived = 0;
  for (Thread& thread : block.threads) {
    if (thread.state == ThreadState::at_barrier) thread.state = ThreadState::ready;
  }
  progress();
}

void complete_phase(Cluster& cluster) {
  ++cluster.phase;
  cluster.missing = 0;
  for (const auto& block : cluster.blocks) {
    cluster.missing += block->live;
    for (Thread& thread : block->threads) {
      if (thread.state == ThreadState::at_cluster) thread.state = ThreadState::ready;
    }
  }
  progress();
}

}  // namespace

int sync_block(Vote vote, int predicate) {
  const Inside inside;
  const auto* const frame = static_cast<Frame>(__builtin_frame_address(0));
  Thread& thread = *executor().thread;
  Block& block = *thread.block;
  may_switch("a block barrier", frame);
  if (vote != Vote::none && predicate != 0) ++block.barrier_sum;
  ++block.arrived;
  thread.state = ThreadState::at_barrier;
  thread.frame = frame;
  if (block.arrived == block.live) {
    release(block);
  } else {
    wait(ThreadState::at_barrier, "a block barrier", frame);
  }
  switch (vote) {
    case Vote::all:
      return block.barrier_result == block.barrier_live ? 1 : 0;
    case Vote::any:
      return block.barrier_result != 0 ? 1 : 0;
    default:
      return block.barrier_result;
  }
}

void thread_exited(Thread& thread) {
  Block& block = *thread.block;
  --block.live;
  thread.state = ThreadState::exited;
  if (block.live > 0 && block.arrived == block.live) release(block);
}

std::uint32_t cluster_rank() {
  const Block& block = *executor().thread->block;
  return block.number - block.cluster->blocks.front()->number;
}

std::uint32_t cluster_blocks() {
  return static_cast<std::uint32_t>(executor().thread->block->cluster->blocks.size());
}

void cluster_arrive() {
  const Inside inside;
  const auto* const frame = static_cast<Frame>(__builtin_frame_address(0));
  Thread& thread = *executor().thread;
  Cluster& cluster = *thread.block->cluster;
  may_switch("a cluster barrier's arrival", frame);
  thread.frame = frame;
  if (thread.cluster_arrived) {
    raise(FaultKind::cluster, [&] {
      return text_of(thread) +
             " arrives at a cluster barrier twice without "
             "waiting; at " +
             text_of_stack(stack_of(thread));
    });
  }
  const std::size_t threads = thread.block->threads.size();
  const std::size_t phase = thread.cluster_phase++;
  if (cluster.arrivals.size() <= phase) {
    cluster.arrivals.emplace_back(threads * cluster.blocks.size(), 0);
  }
  cluster.arrivals[phase][(cluster_rank() * threads) + thread.number] = ++executor().time;
  thread.cluster_arrived = true;
  progress();
  if (--cluster.missing == 0) complete_phase(cluster);
}

void cluster_wait() {
  const Inside inside;
  const auto* const frame = static_cast<Frame>(__builtin_frame_address(0));
  Thread& thread = *executor().thread;
  thread.frame = frame;
  if (!thread.cluster_arrived) {
    raise(FaultKind::cluster, [&] {
      return text_of(thread) +
             " waits at a cluster barrier without having "
             "arrived; at " +
             text_of_stack(stack_of(thread));
    });
  }
  while (thread.block->cluster->phase < thread.cluster_phase) {
    wait(ThreadState::at_cluster, "a cluster barrier", frame);
  }
  thread.cluster_arrived = false;
}

void cluster_exited(Thread& thread) {
  Cluster& cluster = *thread.block->cluster;
  const bool arrived = thread.cluster_phase > cluster.phase;
  if (!arrived && --cluster.missing == 0) {
    bool anyone = false;
    for (const auto& block : cluster.blocks) anyone = anyone || block->live > 0;
    if (anyone) complete_phase(cluster);
  }
}

void* shared_of_rank(const void* mine, std::uint32_t rank) {
  const Inside inside;
  Thread& thread = *executor().thread;
  const Cluster& cluster = *thread.block->cluster;
  thread.frame = static_cast<Frame>(__builtin_frame_address(0));
  const auto offset = reinterpret_cast<std::uintptr_t>(mine) -
                      reinterpret_cast<std::uintptr_t>(thread.block->shared->memory);
  if (rank >= cluster.blocks.size() || offset >= SharedArena::kBytes) {
    raise(FaultKind::cluster, [&] {
      return fmt::format("{} maps {} to rank {} of a cluster of {} blocks; at {}", text_of(thread),
                         offset >= SharedArena::kBytes ? "what is not shared memory" : "its memory",
                         rank, cluster.blocks.size(), text_of_stack(stack_of(thread)));
    });
  }
  return cluster.blocks[rank]->shared->memory + offset;
}

}  // namespace redux::simt
