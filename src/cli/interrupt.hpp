// SIGINT and SIGTERM: the first asks the run to stop after the current case, the second ends it.
#pragma once

#include <string>

#include "report/output_file.hpp"

namespace redux::cli {

/// Catches both signals for as long as it lives; one at a time.
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  /// The signal that came, or 0.
  [[nodiscard]] static int pending();
  /// What a second signal leaves behind: `last_line` appended to `file`, which is then published.
  /// Null: nothing.
  static void on_second_signal(report::OutputFile* file, std::string last_line);
  /// Ends the process if a second signal came while the file was being written.
  static void end_if_asked_twice();
};

}  // namespace redux::cli
