// What came of a case, what the process tells its caller, and the exceptions that carry it.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace redux {

enum class Status : std::uint8_t {
  ok,
  wrong,
  unsupported,
  skipped,
  error,
  timeout,
  invalid_timing
};

constexpr std::string_view name_of(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::wrong:
      return "wrong";
    case Status::unsupported:
      return "unsupported";
    case Status::skipped:
      return "skipped";
    case Status::error:
      return "error";
    case Status::timeout:
      return "timeout";
    case Status::invalid_timing:
      return "invalid_timing";
  }
  return "?";
}

/// The same for the executable and every script.
enum class ExitCode : int {
  ok = 0,
  regression = 1,
  usage = 2,
  wrong_result = 3,
  not_measured = 4,
  nothing_selected = 5,
  environment = 6,
  inconclusive = 7,
  interrupted = 130,
  terminated = 143,
};

/// Ends the run with `code` and a message for the user; the message says place, found, allowed.
class Failure : public std::runtime_error {
 public:
  Failure(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

/// A case does not fit the memory there is: it becomes `skipped`, the run goes on.
class OutOfMemory : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace redux
