// argmax / argmin on one host thread: [rows, cols] -> int64 [rows], row after row.
//
// Each row is read once by vector maxima without indices; see simd_steps.hpp. It is what the
// parallel variants' speed-up is honestly compared with, and it wins where a problem is smaller
// than the cost of starting anything parallel (some thousand elements).
#include "argminmax/simd_search.hpp"
#include "core/registry.hpp"

namespace redux::argminmax {
namespace {

void run(const Problem& problem, const Exec& /*exec*/) {
  const HostRows rows = host_rows(problem);
  search_rows(rows, 0, rows.rows);
}

const RegisterVariant host_serial{
    {"argmax", "argmin"},
    Variant{.op = {},
            .name = "host_serial",
            .side = Side::host,
            .about = "one host thread, vectorised; wins below some thousand elements",
            .source = __FILE__,
            .run = run}};

}  // namespace
}  // namespace redux::argminmax
