#include "report/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>

namespace redux::report {
namespace {

namespace fs = std::filesystem;

std::string error_text(int error) {
  return std::generic_category().message(error);
}

/// Zero, or the error that stopped it.
int write_all(int descriptor, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// Else it is ours from here on. Where a file system has no locks, nobody is kept out.
bool is_locked_by_another(int descriptor) {
  // A process that is killed while it starts another leaves its lock to that one, for as long as
  // the start takes.
  constexpr int kTries = 100;
  constexpr std::chrono::milliseconds kPause{10};
  for (int i = 0; i < kTries; ++i) {
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return false;
    std::this_thread::sleep_for(kPause);
  }
  return true;
}

}  // namespace

Failure OutputFile::refusal(const std::string& path, const std::string& why) const {
  return {ExitCode::usage, option_ + " '" + path + "': " + why};
}

void OutputFile::check_path(const std::string& path) {
  if (path.empty()) throw refusal(path, "the path is empty");
  std::error_code error;
  const fs::path folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : ".";
  if (!fs::exists(folder, error)) {
    throw refusal(path, "the folder '" + folder.string() + "' does not exist; create it first");
  }
  if (!fs::is_directory(folder, error)) {
    throw refusal(path, "'" + folder.string() + "' is not a folder");
  }
  if (fs::is_directory(path, error)) throw refusal(path, "is a folder; a file is needed");
  existed_ = fs::exists(path, error);
  regular_ = !existed_ || fs::is_regular_file(path, error);
  if (existed_ && ::access(path.c_str(), W_OK) != 0) {
    throw refusal(path, "cannot be written: " + error_text(errno));
  }
  if (existed_ && regular_) {
    path_ = fs::canonical(path).string();  // a link stays a link; what it points to is replaced
  }
}

OutputFile::OutputFile(std::string option, const std::string& path, const std::string& run_id,
                       bool continued)
    : option_(std::move(option)), path_(path) {
  check_path(path);
  if (continued && (!existed_ || !regular_)) {
    throw refusal(path, "is no file that can be continued");
  }
  published_ = continued;
  temporary_ = regular_ && !continued ? path_ + ".partial-" + run_id : path_;
  const int flags = O_WRONLY | O_CLOEXEC | (regular_ && !continued ? O_CREAT | O_EXCL : 0);
  descriptor_ = ::open(temporary_.c_str(), flags, 0666);
  if (descriptor_ < 0) throw refusal(path, "cannot be written: " + error_text(errno));
  if (regular_ && is_locked_by_another(descriptor_)) {
    ::close(descriptor_);
    throw refusal(path, "another process writes to it");
  }
  if (continued) ::lseek(descriptor_, 0, SEEK_END);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (regular_ && !published_ && !keep_) ::unlink(temporary_.c_str());
}

void OutputFile::append(std::string_view text) {
  busy_ = true;
  const off_t before = regular_ ? ::lseek(descriptor_, 0, SEEK_CUR) : 0;
  const int error = write_all(descriptor_, text);
  if (error != 0 && regular_ && ::ftruncate(descriptor_, before) == 0) {
    ::lseek(descriptor_, before, SEEK_SET);
  }
  busy_ = false;
  if (error != 0) {
    throw std::runtime_error(option_ + " '" + path_ + "': write failed: " + error_text(error));
  }
}

void OutputFile::cut_to(std::uint64_t bytes) {
  const auto length = static_cast<off_t>(bytes);
  if (::ftruncate(descriptor_, length) != 0 || ::lseek(descriptor_, length, SEEK_SET) != length) {
    throw std::runtime_error(option_ + " '" + path_ +
                             "': cannot be cut back: " + error_text(errno));
  }
}

void OutputFile::publish_if_new() {
  if (!existed_) publish();
}

void OutputFile::publish() {
  if (published_ || !regular_) return;
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
    throw std::runtime_error(option_ + " '" + path_ + "': cannot be replaced: " +
                             error_text(errno) + "; the results are in '" + temporary_ + "'");
  }
  published_ = true;
}

bool OutputFile::append_and_publish_from_signal(std::string_view text) noexcept {
  if (busy_) return false;
  // A line that a full disk cuts short would make the file invalid; without it, it is merely
  // incomplete.
  const off_t before = regular_ ? ::lseek(descriptor_, 0, SEEK_CUR) : 0;
  if (write_all(descriptor_, text) != 0 && regular_) {
    [[maybe_unused]] const int ignored = ::ftruncate(descriptor_, before);
  }
  if (regular_ && !published_) {
    [[maybe_unused]] const int ignored = ::rename(temporary_.c_str(), path_.c_str());
  }
  return true;
}

}  // namespace redux::report
