#include "backend/simt/history.hpp"

#include <fmt/format.h>

#include <bit>

#include "backend/simt/position.hpp"

// The linker's name.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" const char __executable_start;

namespace redux::simt {
namespace {

bool reads(Access access) {
  return access == Access::read || access == Access::atomic_read || access == Access::atomic_update;
}
bool writes(Access access) {
  return access == Access::write || access == Access::atomic_write ||
         access == Access::atomic_update;
}
bool is_atomic(Access access) {
  return access != Access::read && access != Access::write;
}

std::uint32_t offset_of(const void* at) {
  const auto offset = static_cast<const char*>(at) - &__executable_start;
  return offset > 0 && offset < (std::int64_t{1} << 32U) ? static_cast<std::uint32_t>(offset) : 0;
}

std::string place_text(const Place& place) {
  return fmt::format("byte {} of {}", place.byte, place.name);
}

[[noreturn]] void race(const Accessed& accessed, const Place& place, const Stamp& other,
                       const char* what, std::uint32_t at) {
  const auto where = [at] {
    return at == 0 ? std::string() : " at " + text_of_stack({&__executable_start + at});
  };
  raise(FaultKind::data_race, [&] {
    return fmt::format("{} at {} is not ordered after {} by {}{}{}", text_of(accessed),
                       place_text(place), what, text_of(other), where(), origin_text(accessed));
  });
}

void check_against_write(const Accessed& accessed, const Place& place, const Cell& cell,
                         std::uint8_t bits) {
  if ((cell.write_bytes & bits) == 0) return;
  if (is_atomic(accessed.access) && (cell.flags & kAtomicWrite) != 0) return;
  const Stamp stamp{cell.write_time, cell.write_block, cell.write_thread};
  if (!is_ordered(*accessed.thread, stamp)) {
    race(accessed, place, stamp, (cell.flags & kAtomicWrite) != 0 ? "an atomic write" : "a write",
         cell.write_at);
  }
}

Stamp last_read(const Cell& cell) {
  return {cell.read_time, cell.read_block, cell.read_thread};
}

/// Of many readers the last is known, and of one warp which lanes they are; a barrier since then
/// covers them all.
bool reads_are_ordered(const Thread& thread, const Cell& cell) {
  Stamp stamp = last_read(cell);
  if ((cell.flags & kManyReaders) != 0) {
    stamp.thread = kNobody;
    return is_ordered(thread, stamp);
  }
  const unsigned first = cell.read_thread / kWarpLanes * kWarpLanes;
  for (std::uint32_t lanes = cell.read_lanes; lanes != 0; lanes &= lanes - 1) {
    stamp.thread = static_cast<std::uint16_t>(first + std::countr_zero(lanes));
    if (!is_ordered(thread, stamp)) return false;
  }
  return true;
}

void check_against_reads(const Accessed& accessed, const Place& place, const Cell& cell,
                         std::uint8_t bits) {
  if ((cell.read_bytes & bits) == 0) return;
  if (is_atomic(accessed.access) && (cell.flags & kAtomicRead) != 0) return;
  if (reads_are_ordered(*accessed.thread, cell)) return;
  const bool many = (cell.flags & kManyReaders) != 0 || !std::has_single_bit(cell.read_lanes);
  race(accessed, place, last_read(cell), many ? "reads, the last" : "a read", 0);
}

/// Readers that nothing orders are remembered together for the bytes that all of them read. One
/// that reads other bytes than those before it is remembered alone: taking it for a reader of
/// theirs would make a race of a write beside it.
void record_read(const Accessed& accessed, Cell& cell, std::uint8_t bits) {
  const Thread& thread = *accessed.thread;
  const bool others = (cell.read_bytes & bits) != 0 && !reads_are_ordered(thread, cell);
  const bool one_warp = cell.read_block == thread.block->number &&
                        cell.read_thread / kWarpLanes == thread.number / kWarpLanes;
  const bool many = others && (!one_warp || (cell.flags & kManyReaders) != 0);
  const bool all_atomic =
      is_atomic(accessed.access) && (!others || (cell.flags & kAtomicRead) != 0);
  cell.flags = static_cast<std::uint8_t>((cell.flags & kAtomicWrite) | (many ? kManyReaders : 0) |
                                         (all_atomic ? kAtomicRead : 0));
  cell.read_bytes = static_cast<std::uint8_t>(others ? cell.read_bytes & bits : bits);
  cell.read_lanes = (1U << thread.number % kWarpLanes) | (others && one_warp ? cell.read_lanes : 0);
  cell.read_time = executor().time;
  cell.read_block = thread.block->number;
  cell.read_thread = thread.number;
}

void record_write(const Accessed& accessed, Cell& cell, std::uint8_t bits) {
  const bool atomic = is_atomic(accessed.access);
  cell.valid |= bits;
  cell.write_bytes = bits;
  cell.write_time = executor().time;
  cell.write_block = accessed.thread->block->number;
  cell.write_thread = accessed.thread->number;
  cell.write_at = offset_of(accessed.at);
  cell.flags =
      static_cast<std::uint8_t>((cell.flags & ~kAtomicWrite) | (atomic ? kAtomicWrite : 0));
  if (!reads(accessed.access)) cell.read_bytes &= static_cast<std::uint8_t>(~bits);
}

}  // namespace

std::string text_of(const Accessed& accessed) {
  const char* name = writes(accessed.access) ? "write" : "read";
  if (accessed.access == Access::atomic_update) name = "update";
  return fmt::format("{}{} of {} bytes by {}", is_atomic(accessed.access) ? "atomic " : "", name,
                     accessed.bytes, text_of(*accessed.thread));
}

std::string origin_text(const Accessed& accessed) {
  std::vector<const void*> stack;
  if (accessed.frame != nullptr) {
    const Fiber& fiber = *accessed.thread->fiber;
    stack =
        call_stack(accessed.frame, fiber.stack_begin(), fiber.stack_begin() + Fiber::kStackBytes);
  } else if (accessed.at != nullptr) {
    stack = {accessed.at};
  }
  return "; at " + text_of_stack(stack);
}

void check_cell(const Accessed& accessed, const Place& place, Cell& cell, std::uint8_t bits) {
  if (cell.write_time < place.since) {  // another block's, long gone
    cell.valid = 0;
    cell.write_bytes = 0;
    cell.read_bytes = 0;
    cell.flags = 0;
  }
  if (reads(accessed.access) && !place.initialised && (cell.valid & bits) != bits) {
    raise(FaultKind::uninitialised, [&] {
      return fmt::format("{} at {}, which nobody has written{}", text_of(accessed),
                         place_text(place), origin_text(accessed));
    });
  }
  check_against_write(accessed, place, cell, bits);
  if (writes(accessed.access)) check_against_reads(accessed, place, cell, bits);
  if (reads(accessed.access)) record_read(accessed, cell, bits);
  if (writes(accessed.access)) record_write(accessed, cell, bits);
}

}  // namespace redux::simt
