// What the access hooks look at first.
#pragma once

#include <cstdint>

namespace redux::simt {

struct Watch {
  bool on = false;  ///< a kernel is running, not the executor
  std::uintptr_t stack_begin = 0;
  std::uintptr_t stack_bytes = 0;
  std::uintptr_t input_begin = 0;  ///< the input that was read last: nothing more to check there
  std::uintptr_t input_bytes = 0;
};
extern Watch g_watch;

/// While it lives the executor's own accesses are nobody's business.
class Inside {
 public:
  Inside() : was_(g_watch.on) { g_watch.on = false; }
  ~Inside() { g_watch.on = was_; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  bool was_;
};

}  // namespace redux::simt
