// Measured times against the floors and ceilings of the device.
#pragma once

#include <cstdint>

#include "backend/backend.hpp"
#include "core/record.hpp"

namespace redux {

/// Fills in launch_bound from the first timing, and gbps, gather_gbps and ceiling_share from the
/// first cold one. `least_bytes` are those that any variant must move for these inputs. A time that
/// implies more than the read ceiling, also after `backend` measured `ceilings` once more, makes
/// the record Status::invalid_timing.
void relate_to_ceiling(Backend& backend, Ceilings& ceilings, std::int64_t least_bytes,
                       Record& record);

}  // namespace redux
