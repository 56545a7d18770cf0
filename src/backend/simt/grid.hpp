// One launch while it runs: threads, blocks, clusters and who is to go on. Internal to the
// executor; single-threaded, one launch at a time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "backend/simt/device_api.hpp"
#include "backend/simt/fault.hpp"
#include "backend/simt/fiber.hpp"
#include "backend/simt/memory.hpp"
#include "backend/simt/ordering.hpp"
#include "backend/simt/schedule.hpp"
#include "core/variant.hpp"

namespace redux::simt {

inline constexpr unsigned kWarpLanes = 32;

enum class ThreadState : std::uint8_t {
  fresh,       ///< not started
  ready,       ///< may go on
  at_barrier,  ///< waits for its block
  at_warp,     ///< waits for lanes of its warp
  at_cluster,  ///< waits for its cluster
  polling,     ///< has looked at a word again and found no change
  exited,
};

struct Block;

/// An atomic word and what a thread found there.
struct Seen {
  const void* word = nullptr;
  std::size_t bytes = 0;
  std::array<std::uint64_t, 2> value{};
};

struct Thread {
  Block* block = nullptr;
  Fiber* fiber = nullptr;
  std::uint16_t number = 0;  ///< within its block, x fastest
  ThreadState state = ThreadState::fresh;
  Extent3 index;

  const char* waits_at = "";           ///< the operation, for reports
  const void* const* frame = nullptr;  ///< where that operation was called, while switched out

  std::array<std::uint64_t, 2> lane_value{};  ///< its part of a warp operation, then the result
  int lane_argument = 0;
  int lane_width = 0;

  std::array<Seen, 4> seen{};  ///< words that it looked at since it last changed one, last first

  std::uint32_t cluster_phase = 0;  ///< barriers of the cluster that it has arrived at
  bool cluster_arrived = false;     ///< and not waited for yet

  std::vector<Time> knows;  ///< by lane of its warp: from __syncwarp; empty without one
  Time fence_time = 0;      ///< of its last fence; 0: none
  Time fence_block_time = 0;
  std::vector<Time> fence_knows;  ///< `knows` at that fence
  ReleaseSets pending;            ///< seen by its atomics, waiting for a fence
  ReleaseSets acquired;           ///< since the last barrier
};

/// Lanes that wait for each other at one warp operation.
struct WarpGroup {
  std::uint32_t mask = 0;
  std::uint32_t arrived = 0;
  WarpOperation operation = WarpOperation::sync;
};

struct Warp {
  std::vector<WarpGroup> groups;
};

struct Cluster;

struct Block {
  std::uint32_t number = 0;  ///< x fastest
  Extent3 index;
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  int live = 0;
  int arrived = 0;
  bool any_started = false;
  Time start_time = 0;
  Time barrier_time = 0;
  int barrier_sum = 0;     ///< of predicates
  int barrier_result = 0;  ///< of the barrier before
  int barrier_live = 0;    ///< threads that had not ended then
  Cluster* cluster = nullptr;
  std::unique_ptr<SharedArena> shared;
  bool any_sync_sets = false;
  ReleaseSets pending;
  ReleaseSets acquired;
  std::vector<Release> fenced;  ///< fences of its threads before the last barrier
};

struct Cluster {
  std::vector<std::unique_ptr<Block>> blocks;
  std::uint32_t phase = 0;  ///< barriers that all have arrived at
  int missing = 0;          ///< live threads that have not arrived at the current one
  std::vector<std::vector<Time>> arrivals;  ///< by phase: of each thread, block by block
};

/// Everything about the launch that is running.
struct Grid {
  Geometry geometry;
  const void* function = nullptr;
  void (*body)(const void*) = nullptr;
  const void* arguments = nullptr;
  std::size_t argument_bytes = 0;

  Time begin_time = 0;
  std::uint64_t version = 0;  ///< moves whenever something happened that another may wait for
  std::vector<SharedObject> shared_objects;
  std::unordered_map<const void*, ReleaseSet> releases;  ///< by address of an atomic word
  bool any_fence = false;

  std::vector<std::unique_ptr<Cluster>> active;  ///< started, not all of their blocks ended
};

/// The executor's state. `thread` is set while a fiber runs.
struct Executor {
  Grid* grid = nullptr;
  Thread* thread = nullptr;
  Time time = 1;
  Schedule schedule;
  Random random{0};
  DeviceFacts device = simulated_device();
  std::string fault;  ///< raised by a thread, thrown by launch()
  FaultKind fault_kind = FaultKind::deadlock;
  FiberPool fibers;
  std::vector<std::unique_ptr<Block>> spare_blocks;
  std::uint64_t idle_loads = 0;  ///< since anything but a load happened
};

extern Executor* g_executor;
Executor& make_executor();
inline Executor& executor() {
  return g_executor != nullptr ? *g_executor : make_executor();
}

/// From a fiber: the launch ends with a Fault. Two steps, because the stack is left as it is: what
/// is still alive on it in the second is never released.
void note_fault(FaultKind kind, const std::string& message);
[[noreturn]] void stop();
template <class MakeMessage>
[[noreturn]] void raise(FaultKind kind, MakeMessage message) {
  note_fault(kind, message());
  stop();
}
/// From a fiber: waits in that state until somebody makes the thread ready.
void wait(ThreadState state, const char* operation, const void* const* frame);
/// A point where a random schedule may let another thread run.
void may_switch(const char* operation, const void* const* frame);
/// Something happened that others may wait for.
inline void progress() {
  Executor& e = executor();
  ++e.grid->version;
  e.idle_loads = 0;
}

/// "thread (3, 0, 0) of block (1, 0, 0)".
std::string text_of(const Thread& thread);
/// The same by numbers.
std::string text_of(const Stamp& stamp);
std::string text_of(const Extent3& index);
/// Coordinates of the thread or block of that number, x fastest.
Extent3 index_in(std::uint32_t number, const Extent3& extent);
/// What every fault ends with.
std::string context_text();

/// A launch's first turn: as long as any other's, whatever ran before.
void begin_turn();
/// A load that is no progress: many of them end the thread's turn, too many are a hang.
void count_load(std::uint64_t weight, const void* const* frame);
/// What the thread's last fence lets it pass on, words.cpp.
void append_fenced(const Thread& thread, std::vector<Release>& set);

void thread_exited(Thread& thread);   ///< barrier.cpp, after warp.cpp has looked
void lane_exited(Thread& thread);     ///< warp.cpp
void cluster_exited(Thread& thread);  ///< cluster.cpp

/// Whether the thread may rely on what that access did.
bool is_ordered(const Thread& thread, const Stamp& stamp);

}  // namespace redux::simt
