// Lines between a supervisor and its worker.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace redux::worker {

enum class Got : std::uint8_t { line, closed, late };

/// One end of a socket pair; whole lines go both ways.
class Channel {
 public:
  /// Owns `descriptor`, which no process started from here on inherits unless it is asked to.
  explicit Channel(int descriptor);
  Channel(Channel&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel();

  /// Two connected ends. Throws std::system_error.
  static std::pair<Channel, Channel> pair();

  /// `line` has no newline in it. False where the other end is gone.
  [[nodiscard]] bool send(std::string_view line) const;
  /// Waits for at most `seconds`, without end where there are none. Time in which this process was
  /// stopped (Ctrl-Z) does not count.
  Got receive(std::string& line, std::optional<double> seconds);

  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
  std::string pending_;  ///< came behind the last line
};

}  // namespace redux::worker
