#include "worker/channel.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>

namespace redux::worker {
namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

Channel::Channel(int descriptor) : descriptor_(descriptor) {
  ::fcntl(descriptor_, F_SETFD, FD_CLOEXEC);
}

Channel::~Channel() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::pair<Channel, Channel> Channel::pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::system_error(errno, std::generic_category(), "a socket pair");
  }
  return {Channel(ends.front()), Channel(ends.back())};
}

bool Channel::send(std::string_view line) const {
  const std::string text = std::string(line) + "\n";
  std::string_view rest = text;
  while (!rest.empty()) {
    // Not a SIGPIPE: that the other end is gone is news, not a reason to end.
    const ssize_t sent = ::send(descriptor_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

Got Channel::receive(std::string& line, std::optional<double> seconds) {
  constexpr double kSlice = 1.0;
  double left = seconds.value_or(0);
  std::size_t searched = 0;
  while (true) {
    if (const auto end = pending_.find('\n', searched); end != std::string::npos) {
      line.assign(pending_, 0, end);
      pending_.erase(0, end + 1);
      return Got::line;
    }
    searched = pending_.size();

    const double slice = seconds ? std::min(left, kSlice) : kSlice;
    const double began = seconds_now();
    pollfd waiting{.fd = descriptor_, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&waiting, 1, static_cast<int>(slice * 1e3) + 1);
    if (ready < 0 && errno != EINTR) return Got::closed;
    if (ready <= 0) {
      // A slice that lasted longer is one in which this process was stopped.
      if (seconds) left -= std::min(seconds_now() - began, slice + 0.1);
      if (seconds && left <= 0) return Got::late;
      continue;
    }
    std::array<char, 65536> block;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    const ssize_t count = ::recv(descriptor_, block.data(), block.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Got::closed;
    pending_.append(block.data(), static_cast<std::size_t>(count));
  }
}

}  // namespace redux::worker
