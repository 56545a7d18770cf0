#pragma once

#include "core/problem.hpp"

namespace redux::cumminmax {

/// The definition of cummax and cummin (PyTorch, Paddle): values and int64 indices of the input's
/// shape, on the host. On ties the latest index; from the first NaN on the value is NaN and the
/// index that of the latest NaN; -0 equals +0, and the element's own bits are returned.
void reference(const Problem& problem);

}  // namespace redux::cumminmax
