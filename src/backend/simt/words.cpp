// Fences, atomic words and shared objects: how threads hand things to each other.
#include <fmt/format.h>

#include <cstring>

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

/// What a fence of this thread made ready to be passed on, with what it got from others.
ReleaseSet released(const Thread& thread) {
  const Block& block = *thread.block;
  std::vector<Release> set = block.fenced;
  if (thread.fence_time > 0) {
    set.push_back({block.number, thread.number, thread.fence_time, thread.fence_block_time});
  }
  for (const ReleaseSets* sets : {&thread.acquired, &block.acquired}) {
    for (const ReleaseSet& one : sets->sets()) set.insert(set.end(), one->begin(), one->end());
  }
  return set.empty() ? nullptr : std::make_shared<const std::vector<Release>>(std::move(set));
}

void take_from(Thread& thread, const void* word) {
  const Grid& grid = *executor().grid;
  if (!grid.any_fence) return;
  if (const auto found = grid.releases.find(word); found != grid.releases.end()) {
    thread.pending.add(found->second);
  }
}

/// A store replaces what the word passes on; an update adds to it (a release sequence).
void pass_on(const Thread& thread, const void* word, bool keeps) {
  Grid& grid = *executor().grid;
  if (!grid.any_fence) return;
  ReleaseSet set = released(thread);
  ReleaseSet& held = grid.releases[word];
  if (keeps && held != nullptr) {
    auto both = *held;
    if (set != nullptr) both.insert(both.end(), set->begin(), set->end());
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
}

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

void fence(Fence scope) {
  const Inside inside;
  const auto frame = static_cast<Frame>(__builtin_frame_address(0));
  may_switch("a fence", frame);
  if (scope != Fence::block) fence_of(*executor().thread);
}

void atomic_load(const void* from, void* value, std::size_t bytes, Strength strength) {
  const Inside inside;
  const auto frame = static_cast<Frame>(__builtin_frame_address(0));
  Thread& thread = *executor().thread;
  require_alignment(from, bytes);
  may_switch("an atomic read", frame);
  check_access(from, bytes, Access::atomic_read, __builtin_return_address(0), frame);
  if (thread.polled == from && std::memcmp(thread.polled_value.data(), from, bytes) == 0) {
    wait(ThreadState::polling, "a word that does not change", frame);
  }
  std::memcpy(value, from, bytes);
  thread.polled = from;
  thread.polled_bytes = bytes;
  std::memcpy(thread.polled_value.data(), from, bytes);
  take_from(thread, from);
  if (strength == Strength::acquire_release) fence_of(thread);
}

void atomic_store(void* to, const void* value, std::size_t bytes, Strength strength) {
  const Inside inside;
  const auto frame = static_cast<Frame>(__builtin_frame_address(0));
  Thread& thread = *executor().thread;
  require_alignment(to, bytes);
  may_switch("an atomic write", frame);
  check_access(to, bytes, Access::atomic_write, __builtin_return_address(0), frame);
  if (strength == Strength::acquire_release) fence_of(thread);
  pass_on(thread, to, false);
  std::memcpy(to, value, bytes);
  thread.polled = nullptr;
  progress();
}

void atomic_update(void* word, void* old, std::size_t bytes,
                   void (*change)(void* word, const void* operand), const void* operand) {
  const Inside inside;
  const auto frame = static_cast<Frame>(__builtin_frame_address(0));
  Thread& thread = *executor().thread;
  require_alignment(word, bytes);
  may_switch("an atomic update", frame);
  check_access(word, bytes, Access::atomic_update, __builtin_return_address(0), frame);
  std::memcpy(old, word, bytes);
  take_from(thread, word);
  pass_on(thread, word, true);
  change(word, operand);
  thread.polled = nullptr;
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
  if (total > kMostStatic) {
    raise(FaultKind::launch, fmt::format("{} bytes of static shared memory, at most {} are allowed",
                                         total, kMostStatic));
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
  raise(
      FaultKind::misaligned,
      fmt::format("{} accesses {} bytes at an address {} bytes past a multiple of {}{}",
                  text_of(thread), alignment, reinterpret_cast<std::uintptr_t>(address) % alignment,
                  alignment, origin_text(accessed)));
}

void trap(const char* what) {
  g_watch.on = false;
  raise(FaultKind::launch, fmt::format("{} in {}", what, text_of(*executor().thread)));
}

}  // namespace redux::simt
