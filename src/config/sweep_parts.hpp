// The parts of read_sweep(), by theme.
#pragma once

#include "config/fields.hpp"
#include "config/sweep.hpp"

namespace redux {

/// "variants", "exclude_variants" and "compare_to".
void read_variants(const Fields& fields, const SweepContext& context, Sweep& sweep);
/// "axis", "nan", "empty" and "index", where the op has them.
void read_attributes(const Fields& fields, Report& report, Sweep& sweep);
/// "dtypes" as a list of those that the op takes.
std::vector<DType> read_dtypes(const json::Value& value, const Op* op, Report& report);
/// The path that stands there, found from `folder`; reported where it does not end in `ending` or
/// holds control characters. `what` says what such a file is.
std::optional<std::string> read_path(const json::Value& value, const std::string& folder,
                                     std::string_view ending, std::string_view what,
                                     Report& report);
/// "graphs", "features", "dtypes" and "data" of an op over graphs.
void read_graph_problems(const Fields& fields, const SweepContext& context, Sweep& sweep);
/// "data", "dtypes", "shapes" and "grid", which depend on each other.
void read_problems(const Fields& fields, const SweepContext& context, Sweep& sweep);

}  // namespace redux
