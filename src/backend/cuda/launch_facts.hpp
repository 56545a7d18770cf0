// Registers, theoretical occupancy and waves of a launch.
#pragma once

#include "core/device_facts.hpp"
#include "core/record.hpp"
#include "core/variant.hpp"

namespace redux::cuda {

/// Asks the runtime about `shape.function`; only the geometry where there is none. Throws
/// CudaError.
LaunchFacts describe_launch(const Geometry& shape, const DeviceFacts& device);

}  // namespace redux::cuda
