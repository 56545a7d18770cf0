// The parts of a config that say how to measure and how to judge.
#pragma once

#include "config/config.hpp"
#include "config/report.hpp"

namespace redux {

MeasureSettings read_measure(const json::Value& value, Report& report);
GateSettings read_gate(const json::Value& value, Report& report);

}  // namespace redux
