#include "backend/simt/grid.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "backend/simt/position.hpp"
#include "backend/simt/watch.hpp"

namespace redux::simt {

Executor* g_executor = nullptr;

Executor& make_executor() {
  static Executor state;
  g_executor = &state;
  return state;
}

void note_fault(FaultKind kind, const std::string& message) {
  Executor& e = executor();
  e.fault_kind = kind;
  e.fault = message + context_text();
}

void stop() {
  g_watch.on = false;
  for (;;) executor().thread->fiber->switch_out();
}

void wait(ThreadState state, const char* operation, const void* const* frame) {
  Executor& e = executor();
  Thread& thread = *e.thread;
  thread.state = state;
  thread.waits_at = operation;
  thread.frame = frame;
  if (state != ThreadState::ready) e.idle_loads = 0;  // nobody waits twice without a reason
  thread.fiber->switch_out();
}

void may_switch(const char* operation, const void* const* frame) {
  Executor& e = executor();
  if (e.schedule.order == Order::random && e.random.below(2) == 0) {
    wait(ThreadState::ready, operation, frame);
  }
}

std::string text_of(const Extent3& index) {
  return fmt::format("({}, {}, {})", index.x, index.y, index.z);
}

std::string text_of(const Thread& thread) {
  return fmt::format("thread {} of block {}", text_of(thread.index), text_of(thread.block->index));
}

Extent3 index_in(std::uint32_t number, const Extent3& extent) {
  return {number % extent.x, number / extent.x % extent.y, number / extent.x / extent.y};
}

std::string text_of(const Stamp& stamp) {
  const Geometry& geometry = executor().grid->geometry;
  return fmt::format("thread {} of block {}", text_of(index_in(stamp.thread, geometry.block)),
                     text_of(index_in(stamp.block, geometry.grid)));
}

std::string context_text() {
  const Executor& e = executor();
  return fmt::format("; schedule {}, {} multiprocessors", name_of(e.schedule),
                     e.device.multiprocessors);
}

bool is_ordered(const Thread& thread, const Stamp& stamp) {
  const Executor& e = executor();
  if (stamp.time < e.grid->begin_time) return true;
  const Block& block = *thread.block;
  if (stamp.block == block.number) {
    if (stamp.thread == thread.number || stamp.time < block.barrier_time) return true;
    if (!thread.knows.empty() && stamp.thread / kWarpLanes == thread.number / kWarpLanes &&
        stamp.time < thread.knows[stamp.thread % kWarpLanes]) {
      return true;
    }
  }
  const Cluster& cluster = *block.cluster;
  const std::uint32_t first = cluster.blocks.front()->number;
  if (cluster.phase > 0 && stamp.block - first < cluster.blocks.size()) {
    // Arrivals of the last phase that this thread has waited for.
    const std::uint32_t waited = thread.cluster_phase - (thread.cluster_arrived ? 1U : 0U);
    const std::size_t threads = block.threads.size();
    if (waited > 0) {
      const auto before = [&](Time arrived) { return arrived == 0 || stamp.time < arrived; };
      const auto* arrivals = &cluster.arrivals[waited - 1][(stamp.block - first) * threads];
      // 0: it had ended. Of readers that are not known, what the last arrival covers is.
      if (stamp.thread < threads && before(arrivals[stamp.thread])) return true;
      if (stamp.thread == kNobody && std::any_of(arrivals, arrivals + threads, before)) return true;
    }
  }
  return thread.acquired.covers(stamp) || block.acquired.covers(stamp);
}

}  // namespace redux::simt
