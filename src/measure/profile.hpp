// Calls for a profiler to look at: no graph of them is launched, no timer runs, nothing is
// repeated.
#pragma once

#include <cstdint>
#include <optional>

#include "backend/backend.hpp"
#include "backend/ranges.hpp"

namespace redux {

struct ProfiledCalls {
  std::int64_t calls = 1;
  bool cold = false;       ///< over the copies in turn, else always the first one
  std::int64_t bytes = 0;  ///< the payload of the case's range
};

/// Warms up, poisons the outputs and makes the calls between start_capture and stop_capture, where
/// they are in a range of the case that is opened there: nsys sees none that was open before.
/// `range`, that of the case, is closed meanwhile. Returns how many copies the calls wrote.
std::int64_t make_profiled_calls(Workload& work, const ProfiledCalls& plan, const RangeName& name,
                                 std::optional<Range>& range);

}  // namespace redux
