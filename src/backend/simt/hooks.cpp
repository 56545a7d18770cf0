// Every load and store of a kernel passes here. Kernels are compiled with -fsanitize=thread, whose
// instrumentation calls the functions below; its runtime library is not linked, this is in its
// place (the interface is that of LLVM's compiler-rt, lib/tsan/rtl/tsan_interface.h). Accesses to
// locals that nobody else can see are not instrumented.
#include <cstring>

#include "backend/simt/device_api.hpp"
#include "backend/simt/grid.hpp"
#include "backend/simt/position.hpp"
#include "backend/simt/watch.hpp"

namespace redux::simt {

Watch g_watch;

namespace {

constexpr std::uint64_t kTurn = std::uint64_t{1} << 20U;  // accesses, then another thread's turn
constexpr std::uint64_t kPatience = std::uint64_t{1} << 30U;
constexpr std::uint64_t kSlowLoad = 64;  // its weight: scans of an input are long, waits are not
std::uint64_t g_left = kTurn;

/// A loop that only loads would keep all others waiting, and may wait for them.
void end_turn(Frame frame) {
  const Inside inside;
  g_left = kTurn;
  Executor& e = executor();
  e.idle_loads += kTurn;
  if (e.idle_loads >= kPatience) {
    const auto* begin = e.thread->fiber->stack_begin();
    raise(FaultKind::hang, [&] {
      return text_of(*e.thread) + " runs on, and nothing but loads has happened for long; at " +
             text_of_stack(call_stack(frame, begin, begin + Fiber::kStackBytes));
    });
  }
  wait(ThreadState::ready, "a load", frame);
}

void slow(const void* address, std::size_t bytes, bool writes, const void* at, Frame frame) {
  const Inside inside;
  check_access(address, bytes, writes ? Access::write : Access::read, at, frame);
  if (writes) {
    executor().idle_loads = 0;
  } else {
    count_load(kSlowLoad, frame);
  }
}

template <std::size_t Bytes, bool Aligned>
[[gnu::always_inline]] inline void on_access(const void* address, bool writes, const void* at,
                                             Frame frame) {
  if (!g_watch.on) return;
  const auto start = reinterpret_cast<std::uintptr_t>(address);
  if (start - g_watch.stack_begin < g_watch.stack_bytes) return;
  if (--g_left == 0) end_turn(frame);
  if (Aligned && (start & (Bytes - 1)) != 0 && Bytes <= 8) require_alignment(address, Bytes);
  const std::uintptr_t offset = start - g_watch.input_begin;
  if (!writes && offset < g_watch.input_bytes && g_watch.input_bytes - offset >= Bytes) return;
  slow(address, Bytes, writes, at, frame);
}

void on_range(const void* address, std::size_t bytes, bool writes, const void* at, Frame frame) {
  if (!g_watch.on || bytes == 0) return;
  const auto start = reinterpret_cast<std::uintptr_t>(address);
  if (start - g_watch.stack_begin < g_watch.stack_bytes) return;
  if (--g_left == 0) end_turn(frame);
  slow(address, bytes, writes, at, frame);
}

}  // namespace

void begin_turn() {
  g_left = kTurn;
}

void count_load(std::uint64_t weight, Frame frame) {
  if (g_left > weight) {
    g_left -= weight;
  } else {
    end_turn(frame);
  }
}

}  // namespace redux::simt

#define REDUX_HERE \
  __builtin_return_address(0), static_cast<redux::simt::Frame>(__builtin_frame_address(0))
#define REDUX_HOOK(bytes)                                       \
  void __tsan_read##bytes(const void* p) {                      \
    redux::simt::on_access<bytes, true>(p, false, REDUX_HERE);  \
  }                                                             \
  void __tsan_write##bytes(const void* p) {                     \
    redux::simt::on_access<bytes, true>(p, true, REDUX_HERE);   \
  }                                                             \
  void __tsan_unaligned_read##bytes(const void* p) {            \
    redux::simt::on_access<bytes, false>(p, false, REDUX_HERE); \
  }                                                             \
  void __tsan_unaligned_write##bytes(const void* p) {           \
    redux::simt::on_access<bytes, false>(p, true, REDUX_HERE);  \
  }                                                             \
  void __tsan_volatile_read##bytes(const void* p) {             \
    redux::simt::on_access<bytes, true>(p, false, REDUX_HERE);  \
  }                                                             \
  void __tsan_volatile_write##bytes(const void* p) {            \
    redux::simt::on_access<bytes, true>(p, true, REDUX_HERE);   \
  }

// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {
void __tsan_init() {}
void __tsan_func_entry(void* /*caller*/) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void** /*p*/, void* /*value*/) {}
void __tsan_vptr_read(void** /*p*/) {}
REDUX_HOOK(1)
REDUX_HOOK(2)
REDUX_HOOK(4)
REDUX_HOOK(8)
REDUX_HOOK(16)
void __tsan_read_range(const void* p, std::size_t bytes) {
  redux::simt::on_range(p, bytes, false, REDUX_HERE);
}
void __tsan_write_range(const void* p, std::size_t bytes) {
  redux::simt::on_range(p, bytes, true, REDUX_HERE);
}
void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  redux::simt::on_range(from, bytes, false, REDUX_HERE);
  redux::simt::on_range(to, bytes, true, REDUX_HERE);
  return std::memcpy(to, from, bytes);
}
void* __tsan_memset(void* to, int byte, std::size_t bytes) {
  redux::simt::on_range(to, bytes, true, REDUX_HERE);
  return std::memset(to, byte, bytes);
}
}
// NOLINTEND(bugprone-reserved-identifier)
