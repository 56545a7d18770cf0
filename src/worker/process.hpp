// A second process of this executable, which ends with this one.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace redux::worker {

/// A child. The destructor kills one that still runs.
class Process {
 public:
  /// Starts this executable once more with `words` (the program's name first); `descriptor` stays
  /// open in it. SIGINT and SIGTERM, which a terminal or a batch system sends to all processes of a
  /// job, are blocked in it: when to end is the parent's decision. Throws std::system_error.
  Process(const std::vector<std::string>& words, int descriptor);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  /// Waits for its end; false where it has not come after `seconds`.
  bool wait(double seconds);
  void kill() const;
  [[nodiscard]] pid_t id() const { return id_; }
  /// After wait(): "was ended by SIGSEGV (Segmentation fault)", "ended with exit code 1".
  [[nodiscard]] std::string how_it_ended() const;

 private:
  pid_t id_ = -1;
  bool ended_ = false;
  bool known_ = false;  ///< how
  int status_ = 0;
};

/// For the child, before anything else: it is killed where its parent ends, and it is the one that
/// the kernel takes where memory runs out.
void live_and_die_with_parent();

}  // namespace redux::worker
