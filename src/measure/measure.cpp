#include "measure/measure.hpp"

#include <algorithm>
#include <cmath>

#include "backend/ranges.hpp"
#include "stats/stats.hpp"

namespace redux {
namespace {

/// A clock that always says 0 must not make batches grow without end.
constexpr std::int64_t kMaxCalls = 65536;
/// A sample that visits every copy once may take this long; where it would take longer, batches
/// shorter than the rotation are used.
constexpr double kMaxRotationUs = 10'000.0;
/// Estimates from few calls contain the fixed cost of a batch, so they fall short; aim higher.
constexpr double kMargin = 1.15;

bool usable(double time_us) {
  return std::isfinite(time_us) && time_us > 0;
}

std::int64_t next_calls(std::int64_t calls, double batch_us) {
  constexpr double kMaxGrowth = 100.0;
  const double growth =
      usable(batch_us) ? std::min(kMinBatchUs / batch_us * kMargin, kMaxGrowth) : 10.0;
  const auto wanted = static_cast<std::int64_t>(std::ceil(static_cast<double>(calls) * growth));
  return std::min(std::max(wanted, calls + 1), kMaxCalls);
}

bool close_enough(const std::vector<double>& samples_us) {
  return stats::relative_half_width(stats::median_ci95(samples_us), stats::median(samples_us)) <=
         kTargetRelativeHalfWidth;
}

/// Microseconds a call.
double timed_batch(Workload& work, std::int64_t calls) {
  const Range range(Phase::timed, calls);
  return work.run_batch() / static_cast<double>(calls);
}

void summarise(Timing& timing) {
  const auto& samples_us = timing.samples_us;
  if (samples_us.empty()) return;
  timing.median_us = stats::median(samples_us);
  timing.mad_us = stats::mad(samples_us);
  timing.min_us = stats::minimum(samples_us);
  timing.p95_us = stats::percentile(samples_us, 95);
  timing.ci95_us = stats::median_ci95(samples_us);
  timing.converged = close_enough(samples_us);
}

}  // namespace

std::int64_t calibrate(Workload& work, Mode mode, Cache cache) {
  std::int64_t calls = 1;
  double batch_us = 0;
  while (true) {
    work.set_up_batch(mode, cache, calls);
    batch_us = work.run_batch();
    // A short batch may have been slowed by waking threads or clocks: believe it only twice.
    if (usable(batch_us) && batch_us >= kMinBatchUs && batch_us < kMaxRotationUs) {
      batch_us = std::min(batch_us, work.run_batch());
    }
    if ((usable(batch_us) && batch_us >= kMinBatchUs) || calls >= kMaxCalls) break;
    calls = next_calls(calls, batch_us);
  }
  if (cache == Cache::warm) return calls;
  const std::int64_t copies = work.copies();
  // Whole rotations, so that every copy is called equally often.
  if (calls >= copies) return (calls + copies - 1) / copies * copies;
  const double rotation_us = batch_us / static_cast<double>(calls) * static_cast<double>(copies);
  return rotation_us <= kMaxRotationUs ? copies : calls;
}

Timing measure(Workload& work, Mode mode, Cache cache, const MeasureSettings& settings,
               const std::function<double()>& seconds_now) {
  Timing timing;
  timing.mode = mode;
  timing.cache = cache;
  {
    const Range range(Phase::warmup, 1);
    work.warm_up(cache, 1);
  }
  {
    const Range range(Phase::warmup, 0);
    timing.calls_per_sample = calibrate(work, mode, cache);
  }
  // After calibration, not before: what is verified must have been written by timed calls.
  work.poison_outputs();
  work.set_up_batch(mode, cache, timing.calls_per_sample);

  const std::int64_t min_samples = std::min(settings.min_samples, settings.max_samples);
  static_cast<void>(work.throttled());
  const double start_s = seconds_now();
  for (std::int64_t taken = 1;; ++taken) {
    const double sample_us = timed_batch(work, timing.calls_per_sample);
    if (usable(sample_us)) {
      timing.samples_us.push_back(sample_us);
    } else {
      ++timing.invalid_samples;
    }
    if (!work.throttled().empty()) ++timing.throttled_samples;
    if (taken >= settings.max_samples) break;
    if (taken < min_samples) continue;
    if (seconds_now() - start_s >= settings.max_seconds) break;
    const auto valid = static_cast<std::int64_t>(timing.samples_us.size());
    if (valid > 0 && valid >= min_samples && close_enough(timing.samples_us)) break;
  }
  summarise(timing);
  return timing;
}

}  // namespace redux
