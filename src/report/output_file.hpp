// A file that is whole at every moment: it is written beside its path and renamed into place.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/status.hpp"

namespace redux::report {

/// Written to PATH.partial-RUN_ID. Where PATH did not exist, publish_if_new() moves it there as
/// soon as it is worth reading; where it did, the earlier file stays until publish(). A path that
/// is no regular file (a pipe, /dev/stdout) is written directly.
class OutputFile {
 public:
  /// Throws Failure(usage) that names `option`, where the folder is missing, the path is a folder
  /// or nothing can be written there.
  /// `continued`: what is at the path is a regular file, and is appended to in place. Throws
  /// likewise where another process writes to it.
  OutputFile(std::string option, const std::string& path, const std::string& run_id,
             bool continued = false);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  /// Removes what was never published, unless keep() was called.
  ~OutputFile();

  /// Appends all of `text` or none of it: after a failed write (a full disk) the file is cut back
  /// to its length before, and std::runtime_error says why.
  void append(std::string_view text);
  /// Cuts the file back to `bytes`. Throws std::runtime_error.
  void cut_to(std::uint64_t bytes);
  void publish_if_new();
  /// Moves the file to its path, if it is not there yet. Throws std::runtime_error.
  void publish();
  /// Leaves an unpublished file in place when this is destroyed.
  void keep() { keep_ = true; }
  /// Where the text is now.
  [[nodiscard]] const std::string& location() const { return published_ ? path_ : temporary_; }

  /// For a signal handler: appends and publishes with async-signal-safe calls alone. False while
  /// append() is at work, when the caller must let it finish.
  bool append_and_publish_from_signal(std::string_view text) noexcept;

 private:
  void check_path(const std::string& path);
  [[nodiscard]] Failure refusal(const std::string& path, const std::string& why) const;

  std::string option_;
  std::string path_;
  std::string temporary_;
  int descriptor_ = -1;
  bool existed_ = false;
  bool regular_ = true;
  bool published_ = false;
  bool keep_ = false;
  std::atomic<bool> busy_{false};
};

}  // namespace redux::report
