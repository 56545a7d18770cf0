#include "cli/interrupt.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <string_view>
#include <utility>

namespace redux::cli {
namespace {

std::atomic<int> first_signal{0};
std::atomic<int> second_signal{0};
std::atomic<report::OutputFile*> open_file{nullptr};

// Two lines in turn: the handler never reads the one that is being replaced.
std::array<std::string, 2> lines;
std::atomic<const std::string*> line{lines.data()};

constexpr std::array kSignals{SIGINT, SIGTERM};
std::array<struct sigaction, kSignals.size()> earlier{};

[[noreturn]] void end_now(int signal) {
  ::_exit(128 + signal);
}

void handle(int signal) {
  int none = 0;
  if (first_signal.compare_exchange_strong(none, signal)) {
    constexpr std::string_view kText =
        "\nredux-bench: stopping after this case; once more to stop at once\n";
    [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, kText.data(), kText.size());
    return;
  }
  second_signal = signal;
  report::OutputFile* file = open_file;
  // While a line is being written the writer ends the process, when the line is whole.
  if (file != nullptr && !file->append_and_publish_from_signal(*line.load())) return;
  end_now(signal);
}

}  // namespace

Interrupt::Interrupt() {
  first_signal = 0;
  second_signal = 0;
  struct sigaction action {};
  action.sa_handler = handle;
  action.sa_flags = SA_RESTART;
  ::sigemptyset(&action.sa_mask);
  for (const int signal : kSignals) ::sigaddset(&action.sa_mask, signal);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals.at(i), &action, &earlier.at(i));
  }
}

Interrupt::~Interrupt() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals.at(i), &earlier.at(i), nullptr);
  }
  open_file = nullptr;
}

int Interrupt::pending() {
  return first_signal;
}

void Interrupt::on_second_signal(report::OutputFile* file, std::string last_line) {
  std::string& spare = line.load() == lines.data() ? lines.back() : lines.front();
  spare = std::move(last_line);
  line = &spare;
  open_file = file;
}

void Interrupt::end_if_asked_twice() {
  if (second_signal == 0) return;
  report::OutputFile* file = open_file;
  if (file != nullptr) file->append_and_publish_from_signal(*line.load());
  end_now(second_signal);
}

}  // namespace redux::cli
