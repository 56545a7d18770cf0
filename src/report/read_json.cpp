#include "report/read_json.hpp"

#include <array>
#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace redux::report {
namespace {

template <class T>
std::optional<T> optional_of(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional<T>(json.get<T>());
}

/// The one of `all` whose name this is.
template <class T, std::size_t n>
T named(const Json& json, const std::array<T, n>& all) {
  const auto& text = json.get_ref<const std::string&>();
  for (const T value : all) {
    if (name_of(value) == text) return value;
  }
  throw std::runtime_error("'" + text + "' is not known here");
}

Extent3 extent_of(const Json& json) {
  return {json.at(0).get<std::uint32_t>(), json.at(1).get<std::uint32_t>(),
          json.at(2).get<std::uint32_t>()};
}

// Null stands for all numbers of a timing without a sample.
Timing timing_of(const Json& json) {
  const auto number = [&json](const char* key) {
    return optional_of<double>(json.at(key)).value_or(0);
  };
  Timing timing;
  timing.mode = named(json.at("mode"), std::array{Mode::graph, Mode::stream});
  timing.cache = named(json.at("cache"), std::array{Cache::cold, Cache::warm});
  timing.calls_per_sample = json.at("calls_per_sample").get<std::int64_t>();
  timing.invalid_samples = json.at("invalid_samples").get<std::int64_t>();
  timing.throttled_samples = json.at("throttled_samples").get<std::int64_t>();
  timing.samples_us = json.at("samples_us").get<std::vector<double>>();
  timing.median_us = number("median_us");
  timing.mad_us = number("mad_us");
  timing.min_us = number("min_us");
  timing.p95_us = number("p95_us");
  timing.ci95_us = optional_of<std::array<double, 2>>(json.at("ci95_us")).value_or(timing.ci95_us);
  timing.converged = json.at("converged").get<bool>();
  return timing;
}

LaunchFacts launch_of(const Json& json) {
  LaunchFacts launch;
  Geometry& geometry = launch.geometry;
  geometry.grid = extent_of(json.at("grid"));
  geometry.block = extent_of(json.at("block"));
  geometry.cluster = json.at("cluster").get<std::uint32_t>();
  geometry.shared_bytes = json.at("shared_bytes").get<std::size_t>();
  geometry.kernels = json.at("kernels").get<int>();
  geometry.memsets = json.at("memsets").get<int>();
  geometry.picked = json.value("picked", "");
  launch.static_shared_bytes = optional_of<std::size_t>(json.at("static_shared_bytes"));
  launch.registers = optional_of<int>(json.at("registers"));
  launch.occupancy = optional_of<double>(json.at("occupancy"));
  launch.waves = optional_of<double>(json.at("waves"));
  return launch;
}

Verification verification_of(const Json& json) {
  Verification verify;
  verify.checked = json.at("checked").get<std::int64_t>();
  verify.mismatches = json.at("mismatches").get<std::int64_t>();
  if (!json.contains("first")) return verify;
  const Json& first = json.at("first");
  verify.first = Mismatch{.output = first.at("output").get<std::string>(),
                          .position = first.at("position").get<std::int64_t>(),
                          .got = first.at("got").get<std::string>(),
                          .expected = first.at("expected").get<std::string>(),
                          .copy = first.at("copy").get<std::int64_t>()};
  return verify;
}

/// "9.0" as 9 and 0.
void read_compute_capability(const std::string& text, DeviceFacts& gpu) {
  const char* end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, gpu.compute_major);
  if (major.ptr != end) std::from_chars(major.ptr + 1, end, gpu.compute_minor);
}

}  // namespace

Record record_from_json(const Json& json, const Case& c) {
  Record record;
  record.the_case = c;
  record.status = named(json.at("status"), kAllStatuses);
  record.reason = json.at("reason").get<std::string>();
  for (const Json& timing : json.at("timings")) record.timings.push_back(timing_of(timing));
  record.bytes = json.at("bytes").get<std::int64_t>();
  record.gbps = optional_of<double>(json.at("gbps"));
  record.ceiling_share = optional_of<double>(json.at("ceiling_share"));
  if (json.contains("gathered_bytes")) {
    record.gathered_bytes = json.at("gathered_bytes").get<std::int64_t>();
    record.gather_gbps = optional_of<double>(json.at("gather_gbps"));
  }
  record.launch_bound = json.at("launch_bound").get<bool>();
  if (!json.at("launch").is_null()) record.launch = launch_of(json.at("launch"));
  record.workspace_bytes = json.at("workspace_bytes").get<std::size_t>();
  record.verify = verification_of(json.at("verify"));
  record.repro = json.at("repro").get<std::string>();
  return record;
}

Json ceilings_json(const Ceilings& ceilings) {
  Json json = Json::object();
  const auto add = [&json](const char* key, const std::optional<double>& value) {
    if (value) json[key] = *value;
  };
  add("graph_floor_us", ceilings.graph_floor_us);
  add("stream_floor_us", ceilings.stream_floor_us);
  add("read_gbps", ceilings.read_gbps);
  add("copy_gbps", ceilings.copy_gbps);
  add("host_floor_us", ceilings.host_floor_us);
  add("host_read_gbps", ceilings.host_read_gbps);
  add("host_copy_gbps", ceilings.host_copy_gbps);
  return json;
}

Ceilings ceilings_from_json(const Json& json) {
  const auto number = [&json](const char* key) {
    return json.contains(key) ? optional_of<double>(json.at(key)) : std::nullopt;
  };
  return {.graph_floor_us = number("graph_floor_us"),
          .stream_floor_us = number("stream_floor_us"),
          .read_gbps = number("read_gbps"),
          .copy_gbps = number("copy_gbps"),
          .host_floor_us = number("host_floor_us"),
          .host_read_gbps = number("host_read_gbps"),
          .host_copy_gbps = number("host_copy_gbps")};
}

Environment environment_from_json(const Json& json) {
  Environment environment;
  environment.host = json.at("host").get<std::string>();
  environment.os = json.at("os").get<std::string>();
  environment.cpu = json.at("cpu").get<std::string>();
  environment.cpu_threads = json.at("cpu_threads").get<int>();
  environment.cuda_runtime = json.at("cuda_runtime").get<std::string>();
  environment.compiler = json.at("compiler").get<std::string>();
  environment.build = json.at("build").get<std::string>();
  const Json& device = json.at("gpu");
  if (device.is_null()) return environment;
  DeviceFacts gpu;
  gpu.name = device.at("name").get<std::string>();
  read_compute_capability(device.at("cc").get<std::string>(), gpu);
  gpu.multiprocessors = device.at("sms").get<int>();
  gpu.l2_bytes = device.at("l2_bytes").get<std::size_t>();
  gpu.memory_bytes = device.at("memory_bytes").get<std::size_t>();
  gpu.uuid = device.at("uuid").get<std::string>();
  environment.gpu = std::move(gpu);
  environment.driver = device.at("driver").get<std::string>();
  environment.clocks_locked = optional_of<bool>(device.at("clocks_locked"));
  return environment;
}

}  // namespace redux::report
