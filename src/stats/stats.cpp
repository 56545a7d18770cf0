#include "stats/stats.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace redux::stats {
namespace {

std::vector<double> sorted(std::span<const double> samples) {
  std::vector<double> copy(samples.begin(), samples.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

double middle_of(const std::vector<double>& ordered) {
  const std::size_t half = ordered.size() / 2;
  if (ordered.size() % 2 == 1) return ordered[half];
  return ordered[half - 1] + ((ordered[half] - ordered[half - 1]) / 2);
}

/// The largest k with P(B <= k - 1) <= 2.5% for B ~ Binomial(n, 1/2): the interval from the k-th
/// smallest to the k-th largest sample then covers the median with at least 95%. 0 where there is
/// none. Order-statistic interval as in Conover, Practical Nonparametric Statistics, section 3.2.
std::size_t interval_rank(std::size_t n) {
  // In logarithms: 2^-n underflows from n = 1075 on.
  const auto count = static_cast<double>(n);
  const double log_total = count * std::log(2.0);
  double below = 0;
  std::size_t rank = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto successes = static_cast<double>(i);
    below += std::exp(std::lgamma(count + 1) - std::lgamma(successes + 1) -
                      std::lgamma(count - successes + 1) - log_total);
    if (below > 0.025) break;
    rank = i + 1;
  }
  return rank;
}

}  // namespace

double median(std::span<const double> samples) {
  return middle_of(sorted(samples));
}

double mad(std::span<const double> samples) {
  const double centre = median(samples);
  std::vector<double> deviations;
  deviations.reserve(samples.size());
  for (const double sample : samples) deviations.push_back(std::abs(sample - centre));
  return median(deviations);
}

double minimum(std::span<const double> samples) {
  return *std::min_element(samples.begin(), samples.end());
}

double percentile(std::span<const double> samples, double p) {
  const std::vector<double> ordered = sorted(samples);
  // p * n before the division keeps ranks such as 95% of 20 exact.
  const double rank = std::ceil(p * static_cast<double>(ordered.size()) / 100.0);
  const auto index = static_cast<std::size_t>(std::max(rank, 1.0)) - 1;
  return ordered[std::min(index, ordered.size() - 1)];
}

std::array<double, 2> median_ci95(std::span<const double> samples) {
  const std::vector<double> ordered = sorted(samples);
  const std::size_t rank = std::max<std::size_t>(interval_rank(ordered.size()), 1);
  return {ordered[rank - 1], ordered[ordered.size() - rank]};
}

double relative_half_width(const std::array<double, 2>& interval, double median) {
  const double half = (interval[1] - interval[0]) / 2;
  if (half == 0) return 0;
  if (median == 0) return std::numeric_limits<double>::infinity();
  return half / std::abs(median);
}

}  // namespace redux::stats
