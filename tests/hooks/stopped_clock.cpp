// A variant of argmax whose calls take no time by the clock: the first reading after a call repeats
// the one before it. In redux-bench-hooks alone, where this clock_gettime() is found first.
#include <dlfcn.h>
#include <omp.h>

#include <atomic>
#include <ctime>

#include "argminmax/reference.hpp"
#include "core/registry.hpp"
#include "hooks/only_when_asked.hpp"

namespace {

std::atomic<bool> hold{false};

}  // namespace

extern "C" int clock_gettime(clockid_t clock, timespec* time) noexcept {
  using Function = int (*)(clockid_t, timespec*);
  static const auto real = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "clock_gettime"));
  static thread_local timespec last{};
  if (clock == CLOCK_MONOTONIC && hold.exchange(false)) {
    *time = last;
    return 0;
  }
  const int result = real(clock, time);
  if (clock == CLOCK_MONOTONIC) last = *time;
  return result;
}

namespace redux {
namespace {

void takes_no_time(const Problem& problem, const Exec& /*exec*/) {
  // Without a clock a batch has as many calls as there may be: those must not wait for threads.
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  argminmax::reference(problem);
  omp_set_num_threads(threads);
  hold = true;
}

const RegisterVariant kTakesNoTime{{"argmax"},
                                   Variant{.name = "hook_takes_no_time",
                                           .side = Side::host,
                                           .about = "for tests",
                                           .source = __FILE__,
                                           .unsupported = only_when_asked,
                                           .run = takes_no_time}};

}  // namespace
}  // namespace redux
