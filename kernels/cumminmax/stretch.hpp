// What the host variants share: scanning lines, and folding a carry into lines that were scanned
// without it.
#pragma once

#include "cumminmax/lines.hpp"

namespace redux::cumminmax {

/// A stretch of lines: positions [begin, end) along the axis of `outer`, all `inner` lines at once.
struct Stretch {
  std::int64_t outer = 0;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

/// Scans a stretch as if nothing came before it.
void scan_stretch(const Problem& problem, const Stretch& stretch);
/// Folds what position `stretch.begin - 1` holds into a stretch that was scanned on its own.
void fold_into(const Problem& problem, const Stretch& stretch);

}  // namespace redux::cumminmax
