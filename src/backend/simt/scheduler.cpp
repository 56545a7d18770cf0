#include "backend/simt/scheduler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "backend/simt/watch.hpp"

namespace redux::simt {
namespace {

std::uint32_t volume(const Extent3& extent) {
  return extent.x * extent.y * extent.z;
}

bool can_go_on(const Thread& thread) {
  if (thread.state == ThreadState::fresh || thread.state == ThreadState::ready) return true;
  return thread.state == ThreadState::polling &&
         std::ranges::any_of(thread.seen, [](const Seen& seen) {
           return seen.word != nullptr &&
                  std::memcmp(seen.word, seen.value.data(), seen.bytes) != 0;
         });
}

void thread_main(void* opaque) {
  Thread& thread = *static_cast<Thread*>(opaque);
  const Grid& grid = *executor().grid;
  g_watch.on = true;
  grid.body(grid.arguments);
  g_watch.on = false;
  lane_exited(thread);
  thread_exited(thread);
  cluster_exited(thread);
  progress();
}

void reset(Thread& thread, Block& block, std::uint32_t number, const Extent3& extent) {
  thread.block = &block;
  thread.fiber = nullptr;
  thread.number = static_cast<std::uint16_t>(number);
  thread.state = ThreadState::fresh;
  thread.index = index_in(number, extent);
  thread.seen = {};
  thread.cluster_phase = 0;
  thread.cluster_arrived = false;
  thread.knows.clear();
  thread.fence_time = 0;
  thread.pending.clear();
  thread.acquired.clear();
}

}  // namespace

Scheduler::Scheduler(Grid& grid) : grid_(grid), executor_(executor()) {
  const Geometry& geometry = grid.geometry;
  const std::uint32_t threads = volume(geometry.block);
  clusters_ = volume(geometry.grid) / geometry.cluster;
  constexpr std::uint32_t kMostBlocks = 32;  // a multiprocessor's slots, of compute capability 9.0
  const auto room = static_cast<std::uint32_t>(executor_.device.max_threads_per_multiprocessor);
  const std::uint32_t warps = (threads + kWarpLanes - 1) / kWarpLanes;
  // Of a multiprocessor's shared memory a block gets what it asks for and 1 KiB.
  const std::size_t shared = (std::size_t{228} << 10U) / (geometry.shared_bytes + 1024);
  const std::uint32_t most =
      std::min({room / (warps * kWarpLanes), static_cast<std::uint32_t>(shared), kMostBlocks});
  const std::uint32_t blocks =
      std::max(most, 1U) * static_cast<std::uint32_t>(executor_.device.multiprocessors);
  resident_ = std::max(blocks / geometry.cluster, 1U);
  if (executor_.schedule.order == Order::random) {
    shuffled_.resize(clusters_);
    std::iota(shuffled_.begin(), shuffled_.end(), 0U);
    for (std::uint32_t i = clusters_; i > 1; --i) {
      std::swap(shuffled_[i - 1], shuffled_[executor_.random.below(i)]);
    }
  }
}

void Scheduler::start_cluster() {
  std::uint32_t number = next_++;
  if (executor_.schedule.order == Order::descending) number = clusters_ - 1 - number;
  if (executor_.schedule.order == Order::random) number = shuffled_[number];
  auto cluster = std::make_unique<Cluster>();
  for (std::uint32_t i = 0; i < grid_.geometry.cluster; ++i) {
    std::unique_ptr<Block> block;
    if (executor_.spare_blocks.empty()) {
      block = std::make_unique<Block>();
      block->shared = std::make_unique<SharedArena>();
    } else {
      block = std::move(executor_.spare_blocks.back());
      executor_.spare_blocks.pop_back();
    }
    start_block(*block, *cluster, (number * grid_.geometry.cluster) + i);
    cluster->blocks.push_back(std::move(block));
  }
  active().push_back(std::move(cluster));
}

void Scheduler::start_block(Block& block, Cluster& cluster, std::uint32_t number) {
  const std::uint32_t threads = volume(grid_.geometry.block);
  block.number = number;
  block.index = index_in(number, grid_.geometry.grid);
  block.threads.resize(threads);
  for (std::uint32_t i = 0; i < threads; ++i) {
    reset(block.threads[i], block, i, grid_.geometry.block);
  }
  block.warps.resize((threads + kWarpLanes - 1) / kWarpLanes);
  for (Warp& warp : block.warps) warp.groups.clear();
  block.live = static_cast<int>(threads);
  block.arrived = 0;
  block.barrier_sum = 0;
  block.any_started = false;
  block.start_time = ++executor_.time;
  block.barrier_time = block.start_time;
  block.cluster = &cluster;
  block.any_sync_sets = false;
  block.pending.clear();
  block.acquired.clear();
  block.fenced.clear();
  cluster.missing += block.live;
}

void Scheduler::resume(Thread& thread) {
  if (thread.state == ThreadState::fresh) {
    thread.fiber = executor_.fibers.take();
    thread.fiber->begin(thread_main, &thread);
    thread.block->any_started = true;
  }
  thread.state = ThreadState::ready;
  executor_.thread = &thread;
  g_watch.stack_begin = reinterpret_cast<std::uintptr_t>(thread.fiber->stack_begin());
  g_watch.stack_bytes = Fiber::kStackBytes;
  const bool ended = thread.fiber->resume();
  executor_.thread = nullptr;
  if (!executor_.fault.empty()) {
    const std::string message = std::exchange(executor_.fault, {});
    throw Fault(executor_.fault_kind, message);
  }
  if (!ended) return;
  thread.state = ThreadState::exited;
  executor_.fibers.give(std::exchange(thread.fiber, nullptr));
}

bool Scheduler::run_block(Block& block) {
  const bool down = executor_.schedule.order == Order::descending;
  const std::size_t count = block.threads.size();
  bool moved = false;
  for (bool again = true; again && block.live > 0;) {
    again = false;
    for (std::size_t i = 0; i < count; ++i) {
      Thread& thread = block.threads[down ? count - 1 - i : i];
      if (!can_go_on(thread)) continue;
      resume(thread);
      if (thread.state == ThreadState::ready) {
        turn_ended_ = true;  // by nothing but loads: others first
      } else {
        again = true;
      }
    }
    moved = moved || again;
  }
  return moved;
}

bool Scheduler::run_by_turns() {
  bool moved = false;
  turn_ended_ = false;
  for (const auto& cluster : active()) {
    auto& blocks = cluster->blocks;
    const bool down = executor_.schedule.order == Order::descending;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      moved = run_block(*blocks[down ? blocks.size() - 1 - b : b]) || moved;
    }
  }
  retire();
  if (moved && !active().empty()) return true;
  if (can_start()) {
    start_cluster();
    return true;
  }
  return moved || turn_ended_;
}

bool Scheduler::run_some_thread(Block& block) {
  const std::size_t count = block.threads.size();
  const std::size_t from = executor_.random.below(count);
  for (std::size_t i = 0; block.live > 0 && i < count; ++i) {
    Thread& thread = block.threads[(from + i) % count];
    if (!can_go_on(thread)) continue;
    resume(thread);
    return true;
  }
  return false;
}

bool Scheduler::run_by_chance() {
  constexpr std::size_t kAtATime = 4;  // by choice; more are started where those are all waiting
  const bool few = active().size() < kAtATime;
  if (can_start() && (active().empty() || (few && executor_.random.below(8) == 0))) start_cluster();
  if (active().empty()) return false;
  bool moved = false;
  const std::size_t from = executor_.random.below(active().size());
  for (std::size_t i = 0; !moved && i < active().size(); ++i) {
    const Cluster& cluster = *active()[(from + i) % active().size()];
    const std::size_t first = executor_.random.below(cluster.blocks.size());
    for (std::size_t b = 0; !moved && b < cluster.blocks.size(); ++b) {
      moved = run_some_thread(*cluster.blocks[(first + b) % cluster.blocks.size()]);
    }
  }
  retire();
  if (moved) return true;
  if (!can_start()) return false;
  start_cluster();
  return true;
}

void Scheduler::retire() {
  std::erase_if(active(), [this](const std::unique_ptr<Cluster>& cluster) {
    const auto ended = [](const std::unique_ptr<Block>& block) { return block->live == 0; };
    if (!std::ranges::all_of(cluster->blocks, ended)) return false;
    for (auto& block : cluster->blocks) executor_.spare_blocks.push_back(std::move(block));
    return true;
  });
}

/// Nothing can go on. A loop that looks a bounded number of times gets the chance to end.
void Scheduler::wake_pollers_or_fail() {
  constexpr int kRounds = 100;
  constexpr std::uint64_t kWakes = std::uint64_t{1} << 14U;
  if (idle_version_ != grid_.version) idle_rounds_ = 0;
  if (idle_rounds_ == 0) idle_wakes_ = 0;
  idle_version_ = grid_.version;
  const bool enough = idle_rounds_ >= kRounds && idle_wakes_ >= kWakes;
  bool any = false;
  for (const auto& cluster : active()) {
    for (auto& block : cluster->blocks) {
      for (Thread& thread : block->threads) {
        if (thread.state != ThreadState::polling || enough) continue;
        thread.state = ThreadState::ready;
        ++idle_wakes_;
        any = true;
      }
    }
  }
  if (any) {
    ++idle_rounds_;
    return;
  }
  std::string text = waiting_text(grid_);
  if (next_ < clusters_) {
    const std::uint32_t blocks = clusters_ * grid_.geometry.cluster;
    text += fmt::format("; {} of {} blocks have not started, the device is full",
                        blocks - (next_ * grid_.geometry.cluster), blocks);
  }
  throw Fault(FaultKind::deadlock, text + context_text());
}

void Scheduler::run() {
  const bool by_chance = executor_.schedule.order == Order::random;
  while (next_ < clusters_ || !active().empty()) {
    if (!(by_chance ? run_by_chance() : run_by_turns()) && !active().empty()) {
      wake_pollers_or_fail();
    }
  }
}

void Scheduler::abandon() {
  for (const auto& cluster : active()) {
    for (auto& block : cluster->blocks) {
      for (Thread& thread : block->threads) {
        if (thread.fiber != nullptr) {
          executor_.fibers.give(std::exchange(thread.fiber, nullptr));
        }
      }
      executor_.spare_blocks.push_back(std::move(block));
    }
  }
  active().clear();
}

}  // namespace redux::simt
