// Progress on stderr: a bar where that is a terminal, else a line a case.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "core/record.hpp"

namespace redux::report {

class Progress {
 public:
  /// `silent`: nothing at all. `terminal`: a bar that is redrawn in place.
  Progress(std::size_t total, bool terminal, bool silent);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void begin(const std::string& what);
  void finish(const Record& record);
  /// A line of its own, above the bar.
  void note(const std::string& line);
  /// Takes the bar away.
  void clear();

 private:
  std::size_t total_;
  std::size_t done_ = 0;
  bool terminal_;
  bool silent_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point started_;
};

/// Columns of the terminal behind a descriptor: COLUMNS where it is set, the terminal's own width,
/// or 100.
std::size_t terminal_width(int descriptor);

}  // namespace redux::report
