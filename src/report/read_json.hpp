// Back from the lines of json.hpp: what a worker sends, and what a file to be resumed holds.
#pragma once

#include "backend/environment.hpp"
#include "core/case.hpp"
#include "core/record.hpp"
#include "report/json.hpp"

namespace redux::report {

/// What case_json() wrote of a record of `c`, exactly, but for numbers that are not finite and text
/// that is not UTF-8, which it does not write. Throws std::exception where `json` is no such line.
Record record_from_json(const Json& json, const Case& c);

Json ceilings_json(const Ceilings& ceilings);
Ceilings ceilings_from_json(const Json& json);

/// What environment_json() wrote: of a device, the facts that are in a header.
Environment environment_from_json(const Json& json);

}  // namespace redux::report
