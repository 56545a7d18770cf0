// Records as a run makes them, for tests of what is written of them.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "core/op.hpp"
#include "core/record.hpp"
#include "core/variant.hpp"

namespace redux::testing {

inline const Op& an_op() {
  static const Op op = [] {
    Op made;
    made.name = "argmax";
    made.about = "index of the largest";
    return made;
  }();
  return op;
}

inline const Variant& a_variant(const std::string& name, Side side) {
  static std::deque<Variant> made;  // records point into it
  for (const Variant& variant : made) {
    if (variant.name == name && variant.side == side) return variant;
  }
  Variant& variant = made.emplace_back();
  variant.op = "argmax";
  variant.name = name;
  variant.side = side;
  return variant;
}

inline Timing a_timing(Mode mode, Cache cache, double median_us) {
  Timing timing;
  timing.mode = mode;
  timing.cache = cache;
  timing.calls_per_sample = 64;
  timing.samples_us = {median_us, median_us, median_us};
  timing.median_us = median_us;
  timing.mad_us = 0.125;
  timing.min_us = median_us;
  timing.p95_us = median_us;
  timing.ci95_us = {median_us, median_us};
  timing.converged = true;
  return timing;
}

inline Record a_record(const std::string& variant, Side side, std::vector<std::int64_t> dims,
                       double median_us) {
  Record record;
  record.the_case.op = &an_op();
  record.the_case.variant = &a_variant(variant, side);
  record.the_case.shape.dims = std::move(dims);
  record.the_case.compare_to = "thread_per_row";
  record.timings = {
      a_timing(side == Side::host ? Mode::stream : Mode::graph, Cache::cold, median_us)};
  record.bytes = 4096;
  record.verify.checked = 1;
  return record;
}

}  // namespace redux::testing
