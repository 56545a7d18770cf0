// cummax / cummin on one host thread, along any axis.
//
// One loop that carries the best so far; across rows all lines go abreast, so that memory is read
// in order whatever the axis. Wins below some ten thousand elements, where waking threads costs
// more.
#include "core/registry.hpp"
#include "cumminmax/stretch.hpp"

namespace redux::cumminmax {
namespace {

void run(const Problem& problem, const Exec& /*exec*/) {
  if (is_empty(*problem.the_case)) return;
  const AxisView view = axis_of(*problem.the_case);
  for (std::int64_t outer = 0; outer < view.outer; ++outer) {
    scan_stretch(problem, {outer, 0, view.length});
  }
}

const RegisterVariant host_serial{{"cummax", "cummin"},
                                  Variant{.op = {},
                                          .name = "host_serial",
                                          .side = Side::host,
                                          .about = "one host thread, memory read in order whatever "
                                                   "the axis; wins on small problems",
                                          .source = __FILE__,
                                          .unsupported = unsupported_scan,
                                          .run = run}};

}  // namespace
}  // namespace redux::cumminmax
