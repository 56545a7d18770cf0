// cummax / cummin on all host threads (OpenMP), along any axis.
//
// Outer slices are dealt out where there are enough. Else each is cut along the axis: the pieces
// are scanned side by side, and then, from left to right, each piece's last element is folded into
// the next piece, which stops where the piece's own best takes over (the two passes of the public
// issue's proposal). Wins once the data exceed what one core can stream.
#include <algorithm>

#include "core/registry.hpp"
#include "cumminmax/stretch.hpp"

// Part of OpenMP. Declared here because Clang's tools cannot read the omp.h that GCC installs.
extern "C" int omp_get_max_threads();

namespace redux::cumminmax {
namespace {

constexpr std::int64_t kSerialElements = 16384;  // some microseconds of work: not worth a thread

/// Piece p of `pieces` of [0, length).
Stretch piece_of(std::int64_t outer, std::int64_t length, std::int64_t p, std::int64_t pieces) {
  return {outer, length * p / pieces, length * (p + 1) / pieces};
}

void scan_in_pieces(const Problem& problem, std::int64_t outer, std::int64_t length,
                    std::int64_t pieces) {
#pragma omp parallel for schedule(static)
  for (std::int64_t p = 0; p < pieces; ++p) {
    scan_stretch(problem, piece_of(outer, length, p, pieces));
  }
  // A fold reads the last element of the piece before it, which has to be final by then.
  for (std::int64_t p = 1; p < pieces; ++p) {
    fold_into(problem, piece_of(outer, length, p, pieces));
  }
}

void run(const Problem& problem, const Exec& /*exec*/) {
  if (is_empty(*problem.the_case)) return;
  const AxisView view = axis_of(*problem.the_case);
  const std::int64_t threads = omp_get_max_threads();
  const std::int64_t elements = view.outer * view.length * view.inner;
  if (threads == 1 || elements < kSerialElements) {
    for (std::int64_t outer = 0; outer < view.outer; ++outer) {
      scan_stretch(problem, {outer, 0, view.length});
    }
  } else if (view.outer >= threads) {
#pragma omp parallel for schedule(static)
    for (std::int64_t outer = 0; outer < view.outer; ++outer) {
      scan_stretch(problem, {outer, 0, view.length});
    }
  } else {
    for (std::int64_t outer = 0; outer < view.outer; ++outer) {
      scan_in_pieces(problem, outer, view.length, std::min(threads, view.length));
    }
  }
}

const RegisterVariant host_parallel{{"cummax", "cummin"},
                                    Variant{.op = {},
                                            .name = "host_parallel",
                                            .side = Side::host,
                                            .about = "all host threads (OpenMP), slices or pieces "
                                                     "of a line; wins on large data",
                                            .source = __FILE__,
                                            .unsupported = unsupported_scan,
                                            .run = run}};

}  // namespace
}  // namespace redux::cumminmax
