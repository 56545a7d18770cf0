// Sweeps to cases.
#pragma once

#include <vector>

#include "config/report.hpp"
#include "config/sweep.hpp"
#include "core/case.hpp"

namespace redux {

/// A config that would expand to more is refused before it is expanded.
inline constexpr std::int64_t kMostCases = 1'000'000;

/// In the order sweep, shape, dtype, index, data, variant. What an op refuses, and sizes whose
/// products overflow, are reported at their shape. Equal ids are merged, with a notice: the first
/// stays and takes over the tags. Variants of one problem are adjacent, also over sweeps.
std::vector<Case> expand(const std::vector<Sweep>& sweeps, Report& report);

}  // namespace redux
