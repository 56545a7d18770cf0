// The results in google/benchmark's JSON, for the tools that read it: its own compare.py,
// github-action-benchmark and Bencher.
#pragma once

#include <cstdint>
#include <span>

#include "core/record.hpp"
#include "report/json.hpp"

namespace redux::report {

/// `median`: one row a timing. `repetitions`: one row a sample, then mean, median, standard
/// deviation and coefficient of variation as the library's aggregates. Samples of one process are
/// not independent, so a test that takes them to be so finds too much.
enum class GbenchFlavour : std::uint8_t { median, repetitions };

/// Cases that are not ok and timings without a sample are left out. A row's name is the case id,
/// the mode and the cache. CPU time is not measured: `cpu_time` repeats `real_time`.
Json gbench_json(const RunFacts& facts, std::span<const Record> records, GbenchFlavour flavour);

}  // namespace redux::report
