// What a deadlock looks like: where every thread is.
#include <fmt/format.h>

#include <map>

#include "backend/simt/position.hpp"
#include "backend/simt/scheduler.hpp"

namespace redux::simt {

std::string waiting_text(const Grid& grid) {
  struct Group {
    const Thread* first = nullptr;
    int count = 0;
  };
  constexpr std::size_t kShown = 16;
  std::map<std::pair<std::uint32_t, std::string>, Group> groups;
  for (const auto& cluster : grid.active) {
    for (const auto& block : cluster->blocks) {
      for (const Thread& thread : block->threads) {
        std::string where = "has ended";
        if (thread.state != ThreadState::exited) {
          const auto* begin = thread.fiber->stack_begin();
          where = fmt::format(
              "waits at {} ({})", thread.waits_at,
              text_of_stack(call_stack(thread.frame, begin, begin + Fiber::kStackBytes)));
        }
        Group& group = groups[{block->number, where}];
        if (group.count++ == 0) group.first = &thread;
      }
    }
  }
  std::string text = "no thread can go on";
  std::size_t shown = 0;
  for (const auto& [key, group] : groups) {
    if (shown++ == kShown) {
      text += fmt::format("; and {} more groups of threads", groups.size() - kShown);
      break;
    }
    text += fmt::format("; {} of {} threads of block {}, the first {}, {}", group.count,
                        group.first->block->threads.size(), text_of(group.first->block->index),
                        text_of(group.first->index), key.second);
  }
  return text;
}

}  // namespace redux::simt
