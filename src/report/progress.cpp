#include "report/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "report/table.hpp"
#include "report/text.hpp"

namespace redux::report {
namespace {

constexpr std::size_t kBarWidth = 20;

void print_error(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

/// The end of an id tells cases apart, so it is the middle that gives way.
std::string fitted(const std::string& text, std::size_t width) {
  if (text.size() <= width) return text;
  if (width < 5) return {};
  const std::size_t tail = (width - 3) * 2 / 3;
  return text.substr(0, width - 3 - tail) + "..." + text.substr(text.size() - tail);
}

}  // namespace

Progress::Progress(std::size_t total, bool terminal, bool silent)
    : total_(total),
      terminal_(terminal),
      silent_(silent),
      started_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  clear();
}

void Progress::begin(const std::string& what) {
  if (silent_ || !terminal_) return;
  const std::size_t full = total_ == 0 ? 0 : kBarWidth * done_ / total_;
  std::string line = fmt::format("[{}{}] {}/{} ", std::string(full, '#'),
                                 std::string(kBarWidth - full, '.'), done_, total_);
  std::string rest;
  if (done_ > 0) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started_;
    const double left =
        elapsed.count() / static_cast<double>(done_) * static_cast<double>(total_ - done_);
    rest = fmt::format("  about {} left", duration_text(left));
  }
  const std::size_t width = terminal_width(STDERR_FILENO);
  const std::size_t taken = line.size() + rest.size() + 1;
  line += fitted(printable(what), width > taken ? width - taken : 0) + rest;
  print_error("\r\x1b[K" + line);
  drawn_ = true;
}

void Progress::finish(const Record& record) {
  ++done_;
  if (silent_ || terminal_) return;
  std::string line = fmt::format("[{}/{}] {} {}", done_, total_, printable(record.the_case.id()),
                                 name_of(record.status));
  const Timing* timing = record.status == Status::ok ? primary_timing(record) : nullptr;
  if (timing != nullptr) {
    line += " ";
    line += time_text(timing->median_us);
  }
  print_error(line + "\n");
}

void Progress::note(const std::string& line) {
  if (silent_) return;
  clear();
  print_error(line + "\n");
}

void Progress::clear() {
  if (drawn_) print_error("\r\x1b[K");
  drawn_ = false;
}

std::size_t terminal_width(int descriptor) {
  constexpr std::size_t kDefault = 100;
  if (const char* columns = std::getenv("COLUMNS"); columns != nullptr) {
    const std::string_view text(columns);
    std::size_t value = 0;
    const auto done = std::from_chars(text.data(), text.data() + text.size(), value);
    if (done.ec == std::errc{} && value >= 20) return value;
  }
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20) return size.ws_col;
  return kDefault;
}

}  // namespace redux::report
