#include "cli/exit_code.hpp"

#include <algorithm>
#include <array>

namespace redux::cli {

ExitCode worse(ExitCode a, ExitCode b) {
  constexpr std::array kOrder{ExitCode::usage,
                              ExitCode::wrong_result,
                              ExitCode::not_measured,
                              ExitCode::environment,
                              ExitCode::nothing_selected,
                              ExitCode::regression,
                              ExitCode::inconclusive,
                              ExitCode::ok};
  const auto rank = [&kOrder](ExitCode code) { return std::ranges::find(kOrder, code); };
  return rank(b) < rank(a) ? b : a;
}

ExitCode exit_code(const report::Counts& counts, bool allow_skips) {
  ExitCode code = ExitCode::ok;
  if (counts.of(Status::ok) == 0) code = worse(code, ExitCode::nothing_selected);
  if (counts.of(Status::wrong) > 0) code = worse(code, ExitCode::wrong_result);
  const bool failed = counts.of(Status::error) > 0 || counts.of(Status::timeout) > 0 ||
                      counts.of(Status::invalid_timing) > 0;
  const bool skipped = counts.of(Status::skipped) > 0 && !allow_skips;
  if (failed || skipped) code = worse(code, ExitCode::not_measured);
  return code;
}

}  // namespace redux::cli
