// Which earlier accesses of other threads a thread may rely on. Time is one counter that moves at
// every synchronisation; an access carries the time at which it was made, so that "before the
// block's last barrier" is a comparison of two numbers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace redux::simt {

using Time = std::uint64_t;

/// Who accessed memory, and when.
struct Stamp {
  Time time = 0;
  std::uint32_t block = 0;
  std::uint16_t thread = 0;
};

/// For a Stamp: threads of the block that are not known.
inline constexpr std::uint16_t kNobody = 0xFFFF;

/// What a thread passes on with a fence: its own accesses before `own`, and those of its block
/// before `block_time`, that is before the block's last barrier at that moment.
struct Release {
  std::uint32_t block = 0;
  std::uint16_t thread = 0;
  Time own = 0;
  Time block_time = 0;

  [[nodiscard]] bool covers(const Stamp& stamp) const {
    return stamp.block == block &&
           (stamp.time < block_time || (stamp.thread == thread && stamp.time < own));
  }
};

/// Immutable, so that passing them on costs a pointer.
using ReleaseSet = std::shared_ptr<const std::vector<Release>>;

/// Sets that somebody has, each once.
class ReleaseSets {
 public:
  void add(const ReleaseSet& set) {
    if (set == nullptr) return;
    for (const ReleaseSet& have : sets_) {
      if (have == set) return;
    }
    sets_.push_back(set);
  }
  void add(const ReleaseSets& others) {
    for (const ReleaseSet& set : others.sets_) add(set);
  }
  void clear() { sets_.clear(); }
  [[nodiscard]] bool empty() const { return sets_.empty(); }
  [[nodiscard]] bool covers(const Stamp& stamp) const {
    for (const ReleaseSet& set : sets_) {
      for (const Release& release : *set) {
        if (release.covers(stamp)) return true;
      }
    }
    return false;
  }
  [[nodiscard]] const std::vector<ReleaseSet>& sets() const { return sets_; }

 private:
  std::vector<ReleaseSet> sets_;
};

}  // namespace redux::simt
