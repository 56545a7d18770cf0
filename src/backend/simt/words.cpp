// Fences, atomic words and shared objects: how threads hand things to each other.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "backend/simt/device_api.hpp"
#include "backend/simt/grid.hpp"
#include "backend/simt/history.hpp"
#include "backend/simt/position.hpp"
#include "backend/simt/watch.hpp"

namespace redux::simt {
namespace {

Index3 index_of(const Extent3& extent) {
  return {extent.x, extent.y, extent.z};
}

/// "; at scan.cuh:88, called at ..." of the running thread.
std::string place_of(Frame frame) {
  return origin_text({0, Access::read, executor().thread, nullptr, frame});
}

/// One entry a thread: what one of several covers, the latest of them does.
void merge(std::vector<Release>& set) {
  const auto name = [](const Release& r) { return std::pair(r.block, r.thread); };
  std::ranges::sort(set, {}, name);
  std::size_t kept = 0;
  for (const Release& one : set) {
    if (kept > 0 && name(set[kept - 1]) == name(one)) {
      Release& have = set[kept - 1];
      have.own = std::max(have.own, one.own);
      have.block_time = std::max(have.block_time, one.block_time);
    } else {
      set[kept++] = one;
    }
  }
  set.resize(kept);
}

/// What the thread passes on with a release at that time: its own accesses, its block's before the
/// last barrier, and those of lanes that it has met.
void append_release(const Thread& thread, Time own, Time block_time, const std::vector<Time>& knows,
                    std::vector<Release>& set) {
  const std::uint32_t block = thread.block->number;
  set.push_back({block, thread.number, own, block_time});
  const unsigned first = thread.number / kWarpLanes * kWarpLanes;
  for (unsigned lane = 0; lane < knows.size(); ++lane) {
    const auto number = static_cast<std::uint16_t>(first + lane);
    if (knows[lane] > block_time && number != thread.number) {
      set.push_back({block, number, knows[lane], 0});
    }
  }
}

/// What the thread can pass on, with what it got from others; `now`: as a release does, without a
/// fence before.
ReleaseSet released(const Thread& thread, bool now) {
  const Block& block = *thread.block;
  std::vector<Release> set = block.fenced;
  append_fenced(thread, set);
  if (now) append_release(thread, ++executor().time, block.barrier_time, thread.knows, set);
  for (const ReleaseSets* sets : {&thread.acquired, &block.acquired}) {
    for (const ReleaseSet& one : sets->sets()) set.insert(set.end(), one->begin(), one->end());
  }
  merge(set);
  return set.empty() ? nullptr : std::make_shared<const std::vector<Release>>(std::move(set));
}

/// A later fence makes use of what the word passes on; an acquire does at once.
void take_from(Thread& thread, const void* word, bool acquires) {
  const Grid& grid = *executor().grid;
  if (!grid.any_fence) return;
  if (const auto found = grid.releases.find(word); found != grid.releases.end()) {
    (acquires ? thread.acquired : thread.pending).add(found->second);
  }
}

enum class Pass : std::uint8_t {
  fenced,    ///< a store: replaces what the word passes on
  released,  ///< a store that is a release
  added,     ///< an update: adds to it (a release sequence)
};
void pass_on(const Thread& thread, const void* word, Pass how) {
  Grid& grid = *executor().grid;
  if (how == Pass::released) grid.any_fence = true;
  if (!grid.any_fence) return;
  ReleaseSet set = released(thread, how == Pass::released);
  ReleaseSet& held = grid.releases[word];
  if (how == Pass::added && held != nullptr) {
    auto both = *held;
    if (set != nullptr) both.insert(both.end(), set->begin(), set->end());
    merge(both);
    set = std::make_shared<const std::vector<Release>>(std::move(both));
  }
  held = std::move(set);
}

void fence_of(Thread& thread) {
  Executor& e = executor();
  e.grid->any_fence = true;
  thread.acquired.add(thread.pending);
  thread.acquired.add(thread.block->pending);
  thread.pending.clear();
  thread.fence_time = ++e.time;
  thread.fence_block_time = thread.block->barrier_time;
  thread.fence_knows = thread.knows;
}

/// Waits if the thread has seen this before and changed nothing since: it is in a loop that waits
/// for a word, or for one of a few.
void look_at(Thread& thread, const void* word, std::size_t bytes, const char* operation,
             Frame frame) {
  constexpr std::uint64_t kWeight = 64;
  count_load(kWeight, frame);
  auto& seen = thread.seen;
  auto* at = std::ranges::find(seen, word, &Seen::word);
  if (at != seen.end() && at->bytes == bytes && std::memcmp(at->value.data(), word, bytes) == 0) {
    wait(ThreadState::polling, operation, frame);
    // What woke it is no news any more, or a word that it no longer asks for would wake it for
    // ever.
    for (Seen& other : seen) {
      if (other.word == nullptr || other.word == word) continue;
      if (std::memcmp(other.value.data(), other.word, other.bytes) != 0) other = {};
    }
  }
  if (at == seen.end()) --at;
  std::rotate(seen.begin(), at, at + 1);
  seen.front() = {word, bytes, {}};
  std::memcpy(seen.front().value.data(), word, bytes);
}

constexpr const char* kUnchanged = "a word that does not change";

}  // namespace

Index3 thread_index() {
  return index_of(executor().thread->index);
}
Index3 block_index() {
  return index_of(executor().thread->block->index);
}
Index3 block_extent() {
  return index_of(executor().grid->geometry.block);
}
Index3 grid_extent() {
  return index_of(executor().grid->geometry.grid);
}

void append_fenced(const Thread& thread, std::vector<Release>& set) {
  if (thread.fence_time == 0) return;
  append_release(thread, thread.fence_time, thread.fence_block_time, thread.fence_knows, set);
}

void fence(Fence scope) {
  const Inside inside;
  const auto* const frame = static_cast<Frame>(__builtin_frame_address(0));
  may_switch("a fence", frame);
  if (scope != Fence::block) fence_of(*executor().thread);
}

void atomic_load(const void* from, void* value, std::size_t bytes, Strength strength) {
  const Inside inside;
  const auto* const frame = static_cast<Frame>(__builtin_frame_address(0));
  Thread& thread = *executor().thread;
  require_alignment(from, bytes);
  may_switch("an atomic read", frame);
  check_access(from, bytes, Access::atomic_read, __builtin_return_address(0), frame);
  look_at(thread, from, bytes, kUnchanged, frame);
  std::memcpy(value, from, bytes);
  take_from(thread, from, strength == Strength::acquire_release);
}

void atomic_store(void* to, const void* value, std::size_t bytes, Strength strength) {
  const Inside inside;
  const auto* const frame = static_cast<Frame>(__builtin_frame_address(0));
  Thread& thread = *executor().thread;
  require_alignment(to, bytes);
  may_switch("an atomic write", frame);
  check_access(to, bytes, Access::atomic_write, __builtin_return_address(0), frame);
  pass_on(thread, to, strength == Strength::acquire_release ? Pass::released : Pass::fenced);
  std::memcpy(to, value, bytes);
  thread.seen = {};
  progress();
}

void atomic_update(void* word, void* old, std::size_t bytes,
                   void (*change)(void* word, const void* operand), const void* operand) {
  const Inside inside;
  const auto* const frame = static_cast<Frame>(__builtin_frame_address(0));
  Thread& thread = *executor().thread;
  require_alignment(word, bytes);
  may_switch("an atomic update", frame);
  check_access(word, bytes, Access::atomic_update, __builtin_return_address(0), frame);
  std::array<std::uint64_t, 2> next{};
  const auto changes = [&] {
    std::memcpy(next.data(), word, bytes);
    change(next.data(), operand);
    return std::memcmp(next.data(), word, bytes) != 0;
  };
  const bool looks = !changes();  // as a lock's compare-and-swap that fails
  if (looks) look_at(thread, word, bytes, kUnchanged, frame);
  const bool changed = changes();
  std::memcpy(old, word, bytes);
  take_from(thread, word, false);
  pass_on(thread, word, Pass::added);
  if (!changed) return;
  std::memcpy(word, next.data(), bytes);
  thread.seen = {};
  progress();
}

void* shared_object(const void* key, std::size_t bytes, std::size_t alignment, const char* type) {
  const Inside inside;
  Executor& e = executor();
  auto& objects = e.grid->shared_objects;
  std::byte* memory = e.thread->block->shared->memory;
  std::size_t end = 0;
  std::size_t total = bytes;
  for (const SharedObject& object : objects) {
    if (object.key == key) return memory + object.offset;
    constexpr std::size_t kGap = 256;
    end = object.offset + object.bytes + kGap;
    if (object.key != nullptr) total += object.bytes;
  }
  constexpr std::size_t kMostStatic = 49152;  // of any kernel; more has to be dynamic
  const auto* const frame = static_cast<Frame>(__builtin_frame_address(0));
  if (total > kMostStatic) {
    raise(FaultKind::launch, [&] {
      return fmt::format("{} bytes of static shared memory, at most {} are allowed{}", total,
                         kMostStatic, place_of(frame));
    });
  }
  const std::size_t dynamic = e.grid->geometry.shared_bytes;
  if (total + dynamic > e.device.shared_bytes_per_block) {
    raise(FaultKind::launch, [&] {
      return fmt::format(
          "{} bytes of static and {} of dynamic shared memory, at most {} are allowed{}", total,
          dynamic, e.device.shared_bytes_per_block, place_of(frame));
    });
  }
  const std::size_t offset = (end + alignment - 1) / alignment * alignment;
  objects.push_back({key, offset, bytes, fmt::format("shared memory '{}'", type)});
  return memory + offset;
}

void* dynamic_shared() {
  return executor().thread->block->shared->memory;
}

void require_alignment(const void* address, std::size_t alignment) {
  if (reinterpret_cast<std::uintptr_t>(address) % alignment == 0) return;
  const Inside inside;
  Thread& thread = *executor().thread;
  const Accessed accessed{alignment, Access::read, &thread, nullptr,
                          static_cast<Frame>(__builtin_frame_address(0))};
  raise(FaultKind::misaligned, [&] {
    return fmt::format("{} accesses {} bytes at an address {} bytes past a multiple of {}{}",
                       text_of(thread), alignment,
                       reinterpret_cast<std::uintptr_t>(address) % alignment, alignment,
                       origin_text(accessed));
  });
}

void trap(const char* what) {
  g_watch.on = false;
  const auto* const frame = static_cast<Frame>(__builtin_frame_address(0));
  raise(FaultKind::launch, [&] {
    return fmt::format("{} in {}{}", what, text_of(*executor().thread), place_of(frame));
  });
}

}  // namespace redux::simt
