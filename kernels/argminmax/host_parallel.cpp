// argmax / argmin on all host threads (OpenMP): [rows, cols] -> int64 [rows].
//
// Rows are dealt out in contiguous shares. Where there are fewer rows than threads, each row is cut
// into segments instead, one a thread; every segment looks for what beats element 0, and the
// segments' winners are merged from left to right by the same rule, so that ties keep the lowest
// index. Wins once the data exceed what one core can stream; loses to host_serial on small problems
// by the cost of waking the threads.
#include <algorithm>
#include <vector>

#include "argminmax/simd_search.hpp"
#include "core/registry.hpp"

// Part of OpenMP. Declared here because Clang's tools cannot read the omp.h that GCC installs.
extern "C" {
int omp_get_max_threads();
int omp_get_num_threads();
int omp_get_thread_num();
}

namespace redux::argminmax {
namespace {

constexpr std::int64_t kSerialBytes = 65536;  // some microseconds of work: not worth a thread
constexpr std::int64_t kSegmentBytes = 32768;

void search_in_segments(const HostRows& rows, std::int64_t row, std::int64_t segments) {
  if (is_nan_at(rows, row, 0)) {
    rows.indices[row] = 0;
    return;
  }
  std::vector<std::int64_t> winner(static_cast<std::size_t>(segments), -1);
#pragma omp parallel for schedule(static) num_threads(static_cast <int>(segments))
  for (std::int64_t s = 0; s < segments; ++s) {
    const std::int64_t quotient = rows.cols / segments;
    const std::int64_t remainder = rows.cols % segments;
    const std::int64_t begin = (quotient * s) + std::min(s, remainder);
    const std::int64_t end = begin + quotient + (s < remainder ? 1 : 0);
    winner[static_cast<std::size_t>(s)] = search_segment(rows, row, 0, begin, end);
  }
  std::int64_t best = 0;
  for (const std::int64_t at : winner) {
    if (at < 0) continue;
    const bool beats = search_segment(rows, row, best, at, at + 1) == at;
    if (!beats) continue;
    best = at;
    if (is_nan_at(rows, row, at)) break;  // only a propagated NaN wins, and the first one does
  }
  rows.indices[row] = best;
}

void run(const Problem& problem, const Exec& /*exec*/) {
  const HostRows rows = host_rows(problem);
  const std::int64_t row_bytes = rows.cols * static_cast<std::int64_t>(size_of(rows.dtype));
  const std::int64_t threads = omp_get_max_threads();
  if (threads == 1 || rows.rows * row_bytes < kSerialBytes) {
    search_rows(rows, 0, rows.rows);
    return;
  }
  const std::int64_t segments = std::min(threads, row_bytes / kSegmentBytes);
  if (rows.rows < threads && segments > 1) {
    for (std::int64_t row = 0; row < rows.rows; ++row) search_in_segments(rows, row, segments);
    return;
  }
#pragma omp parallel
  {
    const std::int64_t share = omp_get_num_threads();
    const std::int64_t me = omp_get_thread_num();
    search_rows(rows, rows.rows * me / share, rows.rows * (me + 1) / share);
  }
}

const RegisterVariant host_parallel{
    {"argmax", "argmin"},
    Variant{.op = {},
            .name = "host_parallel",
            .side = Side::host,
            .about = "all host threads (OpenMP), rows or segments of a row; wins on large data",
            .source = __FILE__,
            .run = run}};

}  // namespace
}  // namespace redux::argminmax
