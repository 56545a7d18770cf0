// Variants of argmax that misbehave on purpose, so that the process tests can see what the program
// makes of it. They are in redux-bench-hooks alone.
#include <chrono>
#include <clocale>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "argminmax/reference.hpp"
#include "core/registry.hpp"

namespace redux {
namespace {

/// The right answer but for the last row, whose index is one too high.
void off_by_one(const Problem& problem, const Exec& /*exec*/) {
  argminmax::reference(problem);
  const View& indices = problem.outputs[0];
  if (indices.count > 0) ++indices.as<std::int64_t>()[indices.count - 1];
}

void throws(const Problem& /*problem*/, const Exec& /*exec*/) {
  throw std::runtime_error("thrown by hook_throws: \x01 control byte, \xFF not UTF-8");
}

/// One element past the end of its output: only the guard band behind it can tell.
void out_of_bounds(const Problem& problem, const Exec& /*exec*/) {
  argminmax::reference(problem);
  const View& indices = problem.outputs[0];
  indices.as<std::int64_t>()[indices.count] = 7;
}

/// Long enough that a signal meets a case at work.
void slow(const Problem& problem, const Exec& /*exec*/) {
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  argminmax::reference(problem);
}

/// Long enough that most of a run's time is in its cases, whatever else the machine does.
void brief(const Problem& problem, const Exec& /*exec*/) {
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  argminmax::reference(problem);
}

/// The same change however often it runs, so that no number of calls undoes it.
void writes_input(const Problem& problem, const Exec& /*exec*/) {
  argminmax::reference(problem);
  *problem.inputs[0].as<unsigned char>() = 0x5A;
}

std::string never_supported(const Case& /*c*/, const DeviceFacts& /*device*/) {
  return "hook_unsupported supports nothing";
}

void nothing(const Problem& /*problem*/, const Exec& /*exec*/) {}

Variant hook(const char* name, void (*run)(const Problem&, const Exec&)) {
  return Variant{
      .name = name, .side = Side::host, .about = "for tests", .source = __FILE__, .run = run};
}

Variant unsupported_hook() {
  Variant variant = hook("hook_unsupported", nothing);
  variant.unsupported = never_supported;
  return variant;
}

const RegisterVariant kOffByOne{{"argmax"}, hook("hook_off_by_one", off_by_one)};
const RegisterVariant kThrows{{"argmax"}, hook("hook_throws", throws)};
const RegisterVariant kOutOfBounds{{"argmax"}, hook("hook_out_of_bounds", out_of_bounds)};
const RegisterVariant kSlow{{"argmax"}, hook("hook_slow", slow)};
const RegisterVariant kBrief{{"argmax"}, hook("hook_brief", brief)};
const RegisterVariant kWritesInput{{"argmax"}, hook("hook_writes_input", writes_input)};
const RegisterVariant kUnsupported{{"argmax"}, unsupported_hook()};

/// A host program may call setlocale() before anything of this runs; numbers must not change. A
/// locale that is not there, or has no decimal comma, would make that test pass for nothing.
bool adopt_locale() {
  if (std::getenv("REDUX_HOOK_SETLOCALE") == nullptr) return false;
  if (std::setlocale(LC_ALL, "") == nullptr || *std::localeconv()->decimal_point != ',') {
    std::fputs("REDUX_HOOK_SETLOCALE: no locale with a decimal comma\n", stderr);
    std::_Exit(99);
  }
  return true;
}
const bool kLocaleAdopted = adopt_locale();

}  // namespace
}  // namespace redux
