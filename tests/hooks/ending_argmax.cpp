// Variants of argmax that end their process, or never end, on purpose: what is left of a run is
// what the process tests look at. They are in redux-bench-hooks alone.
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "core/registry.hpp"
#include "hooks/only_when_asked.hpp"

namespace redux {
namespace {

void hangs(const Problem& /*problem*/, const Exec& /*exec*/) {
  while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
}

/// By the signal itself: a sanitizer would make an exit code of a bad access.
void crashes(const Problem& /*problem*/, const Exec& /*exec*/) {
  static_cast<void>(std::signal(SIGSEGV, SIG_DFL));
  static_cast<void>(std::raise(SIGSEGV));
}

void aborts(const Problem& /*problem*/, const Exec& /*exec*/) {
  throw 7;  // NOLINT(misc-throw-by-value-catch-by-reference,hicpp-exception-baseclass)
}

void exits(const Problem& /*problem*/, const Exec& /*exec*/) {
  std::_Exit(9);
}

/// As the kernel ends the process that it takes memory back from.
void killed(const Problem& /*problem*/, const Exec& /*exec*/) {
  static_cast<void>(std::raise(SIGKILL));
}

/// Until a limit of the process is met; without one the machine's own would be.
void eats_memory(const Problem& /*problem*/, const Exec& /*exec*/) {
  constexpr std::size_t kBlock = std::size_t{64} << 20U;
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
    throw std::runtime_error("hook_eats_memory wants a limit (RLIMIT_AS)");
  }
  std::vector<std::vector<std::byte>> blocks;
  while (true) blocks.emplace_back(kBlock);
}

Variant hook(const char* name, void (*run)(const Problem&, const Exec&)) {
  return Variant{.name = name,
                 .side = Side::host,
                 .about = "for tests",
                 .source = __FILE__,
                 .unsupported = only_when_asked,
                 .run = run};
}

const RegisterVariant kHangs{{"argmax"}, hook("hook_hangs", hangs)};
const RegisterVariant kCrashes{{"argmax"}, hook("hook_crashes", crashes)};
const RegisterVariant kAborts{{"argmax"}, hook("hook_aborts", aborts)};
const RegisterVariant kExits{{"argmax"}, hook("hook_exits", exits)};
const RegisterVariant kKilled{{"argmax"}, hook("hook_killed", killed)};
const RegisterVariant kEatsMemory{{"argmax"}, hook("hook_eats_memory", eats_memory)};

/// Workers that end before they are of use: all of them, or all but the first.
bool end_early() {
  const std::ifstream words_file("/proc/self/cmdline", std::ios::binary);
  std::ostringstream words;
  words << words_file.rdbuf();
  if (words.str().find("--worker-channel") == std::string::npos) return false;
  const char* after = std::getenv("REDUX_HOOK_WORKER_DIES_AFTER");
  const bool first = after != nullptr && std::remove(after) == 0;
  if (std::getenv("REDUX_HOOK_WORKER_DIES") != nullptr || (after != nullptr && !first)) {
    std::_Exit(97);
  }
  return true;
}
const bool kEndedEarly = end_early();

}  // namespace
}  // namespace redux
