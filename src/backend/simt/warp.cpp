// Operations of a warp: the lanes of a mask wait for each other, then each gets its result.
#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "backend/simt/device_api.hpp"
#include "backend/simt/grid.hpp"
#include "backend/simt/position.hpp"
#include "backend/simt/watch.hpp"

namespace redux::simt {
namespace {

const char* name_of(WarpOperation operation) {
  switch (operation) {
    case WarpOperation::sync:
      return "__syncwarp";
    case WarpOperation::shuffle:
      return "a shuffle";
    case WarpOperation::ballot:
      return "a vote";
    case WarpOperation::match_any:
    case WarpOperation::match_all:
      return "a match";
    default:
      return "a warp reduction";
  }
}

Thread* lane_of(const Thread& thread, unsigned lane) {
  const std::size_t number = (thread.number / kWarpLanes * kWarpLanes) + lane;
  auto& threads = thread.block->threads;
  return number < threads.size() ? &threads[number] : nullptr;
}

template <class Use>
void for_lanes(std::uint32_t mask, Use use) {
  for (; mask != 0; mask &= mask - 1) use(static_cast<unsigned>(std::countr_zero(mask)));
}

std::string here(Frame frame) {
  const Fiber& fiber = *executor().thread->fiber;
  return "; at " + text_of_stack(call_stack(frame, fiber.stack_begin(),
                                            fiber.stack_begin() + Fiber::kStackBytes));
}

/// The group of lanes that wait for this one, or a new one. Every lane named must be there. Masks
/// may overlap, as long as no two groups wait for each other.
WarpGroup& group_of(const Thread& thread, std::uint32_t mask, WarpOperation operation,
                    Frame frame) {
  const unsigned lane = thread.number % kWarpLanes;
  const auto fail = [&](const auto& what) {
    raise(FaultKind::lane_mask, [&] {
      return fmt::format("{} of {} with mask {:#010x} {}{}", name_of(operation), text_of(thread),
                         mask, what(), here(frame));
    });
  };
  auto& groups = thread.block->warps[thread.number / kWarpLanes].groups;
  for (WarpGroup& group : groups) {
    if (group.mask != mask) {
      const bool both_wait = (group.mask >> lane & 1U) != 0 && (group.arrived & mask) != 0;
      if (!both_wait) continue;
      fail([&] { return fmt::format("meets lanes that wait with mask {:#010x}", group.mask); });
    }
    if (group.operation != operation) {
      fail([&] { return fmt::format("meets lanes that wait at {}", name_of(group.operation)); });
    }
    if ((mask >> lane & 1U) != 0) return group;
  }
  if ((mask >> lane & 1U) == 0) {
    fail([&] { return fmt::format("does not name the caller, lane {}", lane); });
  }
  for_lanes(mask, [&](unsigned other) {
    const Thread* named = lane_of(thread, other);
    if (named == nullptr) {
      fail([&] { return fmt::format("names lane {}, which the block does not have", other); });
    }
    if (named->state == ThreadState::exited) {
      fail([&] { return fmt::format("names lane {}, which has ended", other); });
    }
  });
  groups.push_back({mask, 0, operation});
  return groups.back();
}

std::uint32_t reduced(WarpOperation operation, std::uint32_t a, std::uint32_t b) {
  const auto signed_a = static_cast<std::int32_t>(a);
  const auto signed_b = static_cast<std::int32_t>(b);
  switch (operation) {
    case WarpOperation::add:
      return a + b;
    case WarpOperation::minimum:
      return std::min(a, b);
    case WarpOperation::maximum:
      return std::max(a, b);
    case WarpOperation::minimum_signed:
      return signed_a < signed_b ? a : b;
    case WarpOperation::maximum_signed:
      return signed_a > signed_b ? a : b;
    case WarpOperation::bit_and:
      return a & b;
    case WarpOperation::bit_or:
      return a | b;
    default:
      return a ^ b;
  }
}

void synchronise(Thread& thread, std::uint32_t mask) {
  const Time now = ++executor().time;
  std::vector<Time> knows(kWarpLanes, 0);
  for_lanes(mask, [&](unsigned lane) {
    const auto& other = lane_of(thread, lane)->knows;
    for (std::size_t i = 0; i < other.size(); ++i) knows[i] = std::max(knows[i], other[i]);
  });
  for_lanes(mask, [&](unsigned lane) { knows[lane] = now; });
  for_lanes(mask, [&](unsigned lane) { lane_of(thread, lane)->knows = knows; });
  if (!executor().grid->any_fence) return;
  ReleaseSets pending;
  ReleaseSets acquired;
  for_lanes(mask, [&](unsigned lane) {
    pending.add(lane_of(thread, lane)->pending);
    acquired.add(lane_of(thread, lane)->acquired);
  });
  for_lanes(mask, [&](unsigned lane) {
    lane_of(thread, lane)->pending = pending;
    lane_of(thread, lane)->acquired = acquired;
  });
}

void share_values(Thread& thread, WarpOperation operation, std::uint32_t mask) {
  std::array<std::array<std::uint64_t, 2>, kWarpLanes> results{};
  std::uint32_t ballot = 0;
  std::uint32_t total = 0;
  bool first = true;
  for_lanes(mask, [&](unsigned lane) {
    const auto value = lane_of(thread, lane)->lane_value;
    if (value[0] != 0) ballot |= 1U << lane;
    const auto word = static_cast<std::uint32_t>(value[0]);
    total = first ? word : reduced(operation, total, word);
    first = false;
  });
  for_lanes(mask, [&](unsigned lane) {
    const Thread& mine = *lane_of(thread, lane);
    auto& result = results[lane];
    result = {total, 0};
    if (operation == WarpOperation::shuffle) {
      result = lane_of(thread, static_cast<unsigned>(mine.lane_argument))->lane_value;
    } else if (operation == WarpOperation::ballot) {
      result[0] = ballot;
    } else if (operation == WarpOperation::match_any || operation == WarpOperation::match_all) {
      std::uint32_t same = 0;
      for_lanes(mask, [&](unsigned other) {
        if (lane_of(thread, other)->lane_value == mine.lane_value) same |= 1U << other;
      });
      result[0] = operation == WarpOperation::match_any || same == mask ? same : 0;
    }
  });
  for_lanes(mask, [&](unsigned lane) { lane_of(thread, lane)->lane_value = results[lane]; });
}

}  // namespace

LaneWord warp_exchange(WarpOperation operation, std::uint32_t mask, LaneWord value, int from) {
  const Inside inside;
  const auto* const frame = static_cast<Frame>(__builtin_frame_address(0));
  Thread& thread = *executor().thread;
  may_switch(name_of(operation), frame);
  WarpGroup& group = group_of(thread, mask, operation, frame);
  if (operation == WarpOperation::shuffle && (mask >> static_cast<unsigned>(from) & 1U) == 0) {
    raise(FaultKind::lane_mask, [&] {
      return fmt::format(
          "a shuffle of {} with mask {:#010x} reads lane {}, which it does not name{}",
          text_of(thread), mask, from, here(frame));
    });
  }
  thread.lane_value = {value.low, value.high};
  thread.lane_argument = from;
  group.arrived |= 1U << thread.number % kWarpLanes;
  if (group.arrived != mask) {
    wait(ThreadState::at_warp, name_of(operation), frame);
  } else {
    std::erase_if(thread.block->warps[thread.number / kWarpLanes].groups,
                  [mask](const WarpGroup& g) { return g.mask == mask; });
    if (operation == WarpOperation::sync) {
      synchronise(thread, mask);
    } else {
      share_values(thread, operation, mask);
    }
    for_lanes(mask, [&](unsigned lane) { lane_of(thread, lane)->state = ThreadState::ready; });
    progress();
  }
  return {thread.lane_value[0], thread.lane_value[1]};
}

std::uint32_t active_lane() {
  return executor().thread->number % kWarpLanes;
}

void lane_exited(Thread& thread) {
  const unsigned lane = thread.number % kWarpLanes;
  for (const WarpGroup& group : thread.block->warps[thread.number / kWarpLanes].groups) {
    if ((group.mask >> lane & 1U) == 0) continue;
    const auto waiting = static_cast<unsigned>(std::countr_zero(group.arrived));
    const Thread& other = *lane_of(thread, waiting);
    const auto* begin = other.fiber->stack_begin();
    raise(FaultKind::lane_mask, [&] {
      return fmt::format("{} ended, but {} waits for it at {}; at {}", text_of(thread),
                         text_of(other), name_of(group.operation),
                         text_of_stack(call_stack(other.frame, begin, begin + Fiber::kStackBytes)));
    });
  }
}

}  // namespace redux::simt
