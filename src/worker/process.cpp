#include "worker/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <string_view>
#include <system_error>
#include <thread>

namespace redux::worker {
namespace {

/// The attributes of a process to be started.
class Attributes {
 public:
  Attributes() { ::posix_spawnattr_init(&value_); }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { ::posix_spawnattr_destroy(&value_); }

  void block(const sigset_t& signals) {
    ::posix_spawnattr_setsigmask(&value_, &signals);
    ::posix_spawnattr_setflags(&value_, POSIX_SPAWN_SETSIGMASK);
  }
  [[nodiscard]] const posix_spawnattr_t* get() const { return &value_; }

 private:
  posix_spawnattr_t value_{};
};

}  // namespace

Process::Process(const std::vector<std::string>& words, int descriptor) {
  // Where whoever started us ignores it, nobody would be told how a child ended.
  static_cast<void>(std::signal(SIGCHLD, SIG_DFL));
  std::vector<std::string> kept = words;
  std::vector<char*> arguments;
  arguments.reserve(kept.size() + 1);
  for (std::string& word : kept) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  sigset_t blocked;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGINT);
  ::sigaddset(&blocked, SIGTERM);
  Attributes attributes;
  attributes.block(blocked);

  // By this name it is the same program also after its file was replaced by a newer build.
  ::fcntl(descriptor, F_SETFD, 0);
  const int error =
      ::posix_spawn(&id_, "/proc/self/exe", nullptr, attributes.get(), arguments.data(), environ);
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  if (error != 0) {
    id_ = -1;
    throw std::system_error(error, std::generic_category(), "a process cannot be started");
  }
}

Process::~Process() {
  constexpr double kGrace = 1.0;
  if (id_ < 0 || ended_) return;
  kill();
  wait(kGrace);
}

bool Process::wait(double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  std::chrono::microseconds pause{200};
  while (!ended_) {
    const pid_t found = ::waitpid(id_, &status_, WNOHANG);
    if (found == id_ || (found < 0 && errno != EINTR)) {
      ended_ = true;
      known_ = found == id_;
      break;
    }
    if (Clock::now() >= end) return false;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds{20000});
  }
  return true;
}

void Process::kill() const {
  if (id_ > 0 && !ended_) ::kill(id_, SIGKILL);
}

std::string Process::how_it_ended() const {
  if (!ended_) return "has not ended";
  if (!known_) return "ended, nobody knows how";
  if (WIFSIGNALED(status_)) {
    const int number = WTERMSIG(status_);
    const char* name = ::sigabbrev_np(number);
    const std::string text = name == nullptr ? std::to_string(number) : std::string("SIG") + name;
    if (number == SIGKILL) {
      return "was ended by " + text + ", as the kernel does where memory runs out";
    }
    return "was ended by " + text + " (" + ::strsignal(number) + ")";
  }
  return "ended with exit code " + std::to_string(WEXITSTATUS(status_));
}

void live_and_die_with_parent() {
  // Where the parent is gone already, the worker finds its channel closed.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_NAME, "redux-worker");  // started as /proc/self/exe, it would be called "exe"
  constexpr std::string_view kFirst = "1000";
  const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const auto ignored = ::write(file, kFirst.data(), kFirst.size());
  ::close(file);
}

}  // namespace redux::worker
