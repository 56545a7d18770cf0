// Named ranges for profilers (NVTX), in the domain "redux-bench": one a case, by its id, and in it
// one a phase. Where no profiler listens, and in builds without CUDA, they cost next to nothing.
#pragma once

#include <cstdint>
#include <string>

namespace redux {

/// A name that is registered with the profiler, since nsys starts to capture at registered ones
/// alone.
class RangeName {
 public:
  explicit RangeName(const std::string& text);

 private:
  friend class Range;
  void* handle_ = nullptr;
};

enum class Phase : std::uint8_t { warmup, timed, verify };

/// Open from construction to destruction, on this thread.
class Range {
 public:
  /// The range of a case. The payload is the bytes that a call of it has to move.
  Range(const RangeName& name, std::int64_t bytes);
  /// A phase of the case. The payload is the number of calls; 0 where it is not known before.
  Range(Phase phase, std::int64_t calls);
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
  ~Range();
};

}  // namespace redux
