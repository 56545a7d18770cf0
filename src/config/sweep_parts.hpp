// The parts of read_sweep(), by theme.
#pragma once

#include "config/fields.hpp"
#include "config/sweep.hpp"

namespace redux {

/// "variants", "exclude_variants" and "compare_to".
void read_variants(const Fields& fields, const SweepContext& context, Sweep& sweep);
/// "axis", "nan", "empty" and "index", where the op has them.
void read_attributes(const Fields& fields, Report& report, Sweep& sweep);
/// "data", "dtypes", "shapes" and "grid", which depend on each other.
void read_problems(const Fields& fields, const SweepContext& context, Sweep& sweep);

}  // namespace redux
