#include "report/gbench.hpp"

#include <cmath>
#include <string>

#include "core/op.hpp"
#include "redux_version.hpp"

namespace redux::report {
namespace {

Json context_json(const RunFacts& facts) {
  const Environment& environment = facts.environment;
  const bool debug = environment.build.starts_with("Debug");
  Json json{{"date", facts.started},
            {"host_name", environment.host},
            {"executable", facts.argv.empty() ? "redux-bench" : facts.argv.front()},
            {"num_cpus", environment.cpu_threads},
            {"mhz_per_cpu", 0},  // not known; readers want a number
            {"caches", Json::array()},
            {"load_avg", Json::array()},
            {"library_version", REDUX_VERSION},
            {"library_build_type", debug ? "debug" : "release"},
            {"json_schema_version", 1},
            {"cpu", environment.cpu},
            {"git", REDUX_GIT}};
  if (environment.gpu) {
    json["gpu"] = environment.gpu->name;
    json["driver"] = environment.driver;
    json["cuda_runtime"] = environment.cuda_runtime;
  }
  if (!facts.handicaps.empty()) json["handicap"] = "slowed down on purpose";
  return json;
}

/// What all rows of one timing have in common.
Json row_json(const std::string& name, std::size_t family, std::size_t repetitions) {
  return {{"name", name},
          {"family_index", family},
          {"per_family_instance_index", 0},
          {"run_name", name},
          {"run_type", "iteration"},
          {"repetitions", repetitions},
          {"repetition_index", 0},
          {"threads", 1}};
}

void add_time(Json& row, std::int64_t iterations, double time_us) {
  row["iterations"] = iterations;
  row["real_time"] = time_us;
  row["cpu_time"] = time_us;
  row["time_unit"] = "us";
}

void add_aggregate(Json& rows, Json row, const char* name, double value) {
  const bool share = std::string_view(name) == "cv";
  row["name"] = row["run_name"].get<std::string>() + "_" + name;
  row["run_type"] = "aggregate";
  row.erase("repetition_index");
  row["aggregate_name"] = name;
  row["aggregate_unit"] = share ? "percentage" : "time";
  add_time(row, row["repetitions"].get<std::int64_t>(), value);
  rows.push_back(std::move(row));
}

void add_repetitions(Json& rows, const Json& common, const Timing& timing) {
  const auto count = static_cast<double>(timing.samples_us.size());
  double sum = 0;
  for (std::size_t i = 0; i < timing.samples_us.size(); ++i) {
    Json row = common;
    row["repetition_index"] = i;
    add_time(row, timing.calls_per_sample, timing.samples_us[i]);
    rows.push_back(std::move(row));
    sum += timing.samples_us[i];
  }
  const double mean = sum / count;
  double squares = 0;
  for (const double sample : timing.samples_us) squares += (sample - mean) * (sample - mean);
  const double deviation = count > 1 ? std::sqrt(squares / (count - 1)) : 0;
  add_aggregate(rows, common, "mean", mean);
  add_aggregate(rows, common, "median", timing.median_us);
  add_aggregate(rows, common, "stddev", deviation);
  add_aggregate(rows, common, "cv", deviation / mean);
}

}  // namespace

Json gbench_json(const RunFacts& facts, std::span<const Record> records, GbenchFlavour flavour) {
  Json rows = Json::array();
  std::size_t family = 0;
  for (const Record& record : records) {
    if (record.status != Status::ok) continue;
    for (const Timing& timing : record.timings) {
      if (timing.samples_us.empty()) continue;
      const std::string name = record.the_case.id() + "/" + std::string(name_of(timing.mode)) +
                               "/" + std::string(name_of(timing.cache));
      const bool median = flavour == GbenchFlavour::median;
      Json common = row_json(name, family++, median ? 1 : timing.samples_us.size());
      if (median) {
        const auto samples = static_cast<std::int64_t>(timing.samples_us.size());
        add_time(common, timing.calls_per_sample * samples, timing.median_us);
        rows.push_back(std::move(common));
      } else {
        add_repetitions(rows, common, timing);
      }
    }
  }
  return {{"context", context_json(facts)}, {"benchmarks", std::move(rows)}};
}

}  // namespace redux::report
