// Calibration, sampling and the stop rule (DESIGN, section 5), over the Workload interface alone.
#pragma once

#include <functional>
#include <optional>

#include "backend/backend.hpp"
#include "config/config.hpp"
#include "core/record.hpp"

namespace redux {

/// A batch lasts at least this long (DESIGN asks for 200 us or more), so that neither the events'
/// resolution nor what starting a graph costs once a batch matters: 5 us of it in 200 would
/// be 2.5%.
inline constexpr double kMinBatchUs = 1000.0;
/// The interval of the median is narrow enough.
inline constexpr double kTargetRelativeHalfWidth = 0.005;

/// Calls a batch that lasts kMinBatchUs or more, found from one call by estimates. A cold batch
/// makes whole rotations over the copies, or, where one rotation would take longer than 10 ms,
/// fewer calls than there are copies (a Workload keeps such batches cold, see set_up_batch).
std::int64_t calibrate(Workload& work, Mode mode, Cache cache);

/// Warm-up, calibration, poison, set-up, then samples until the stop rule says enough: max_samples
/// are taken (invalid ones count), or min_samples are and either max_seconds are over or the
/// interval is narrow enough. The outputs of the timed calls are left in place for verification.
/// No valid sample: samples_us is empty and the statistics are 0.
Timing measure(Workload& work, Mode mode, Cache cache, const MeasureSettings& settings,
               const std::function<double()>& seconds_now);

}  // namespace redux
