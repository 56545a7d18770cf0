// Pure functions over samples. All take microseconds or any other unit; none sorts its argument.
#pragma once

#include <array>
#include <span>

namespace redux::stats {

/// Mean of the two middle values for an even count. Requires a non-empty span (as do the others).
double median(std::span<const double> samples);
/// Median absolute deviation from the median, unscaled.
double mad(std::span<const double> samples);
double minimum(std::span<const double> samples);
/// Nearest-rank percentile, 0 < p <= 100.
double percentile(std::span<const double> samples, double p);
/// Distribution-free interval of the median from order statistics (binomial, p = 1/2): the
/// narrowest symmetric pair of ranks that covers with at least 95%. [min, max] where the sample is
/// too small (n < 6) to reach it.
std::array<double, 2> median_ci95(std::span<const double> samples);
/// Half the interval's width over the median.
double relative_half_width(const std::array<double, 2>& interval, double median);

}  // namespace redux::stats
