// Calibration, sampling and the stop rule (DESIGN, section 5), over the Workload interface alone.
#pragma once

#include <functional>
#include <optional>

#include "backend/backend.hpp"
#include "config/config.hpp"
#include "core/record.hpp"

namespace redux {

/// A batch lasts at least this long, so that the events' resolution does not matter.
inline constexpr double kMinBatchUs = 200.0;
/// The interval of the median is narrow enough.
inline constexpr double kTargetRelativeHalfWidth = 0.005;

/// Calls a batch that lasts kMinBatchUs or more. In a cold batch at least one call a copy, so that
/// a batch never meets a copy that is still in the cache.
std::int64_t calibrate(Workload& work, Mode mode, Cache cache);

/// Warm-up, poison, calibration, then samples until the stop rule says enough. The outputs of the
/// timed calls are left in place for verification.
Timing measure(Workload& work, Mode mode, Cache cache, const MeasureSettings& settings,
               const std::function<double()>& seconds_now);

}  // namespace redux
