// redux-bench: sweeps, verifies exactly and times reductions.
#include <cerrno>
#include <cstdio>
#include <exception>
#include <string>
#include <system_error>
#include <vector>

#include "cli/modes.hpp"
#include "cli/options.hpp"
#include "core/status.hpp"

namespace {

void print_error(const std::string& message) {
  std::fflush(stdout);
  std::fputs(("redux-bench: " + message + "\n").c_str(), stderr);
}

/// A list or table that could not be written (a full disk) is not a success.
redux::ExitCode after_printing(redux::ExitCode code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  print_error("standard output: write failed: " + std::generic_category().message(errno));
  return code == redux::ExitCode::ok ? redux::ExitCode::usage : code;
}

}  // namespace

int main(int argc, char** argv) {
  redux::ExitCode code = redux::ExitCode::ok;
  try {
    const std::vector<std::string> words(argv, argv + argc);
    code = after_printing(redux::cli::dispatch(redux::cli::parse_options(words)));
  } catch (const redux::Failure& failure) {
    print_error(failure.what());
    code = failure.code();
  } catch (const std::exception& error) {
    // A text larger than the stream's buffer fails while it is printed.
    const bool printing = std::ferror(stdout) != 0;
    print_error((printing ? "standard output: write failed: " : "") + std::string(error.what()));
    code = printing ? redux::ExitCode::usage : redux::ExitCode::not_measured;
  }
  return static_cast<int>(code);
}
