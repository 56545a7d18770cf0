#include "report/json.hpp"

#include <string>
#include <string_view>

#include "core/op.hpp"
#include "redux_version.hpp"
#include "report/build_id.hpp"

namespace redux::report {
namespace {

// JSON keeps no NaN or infinity; nlohmann writes them as null, and so does a missing number.
template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json extent_json(const Extent3& extent) {
  return Json::array({extent.x, extent.y, extent.z});
}

Json attributes_json(const Case& c) {
  const Attributes& defaults = c.op->defaults;
  Json json = Json::object();
  const auto rank = c.shape.dims.size();
  if (normalise_axis(c.attributes.axis, rank) != normalise_axis(defaults.axis, rank)) {
    json["axis"] = c.attributes.axis;
  }
  if (c.attributes.nan != defaults.nan) json["nan"] = name_of(c.attributes.nan);
  if (c.attributes.empty != defaults.empty) json["empty"] = name_of(c.attributes.empty);
  if (c.attributes.index != defaults.index) json["index"] = name_of(c.attributes.index);
  return json;
}

// A timing without a valid sample has no median: its zeros are not results.
Json timing_json(const Timing& timing) {
  const bool measured = !timing.samples_us.empty();
  const auto number = [measured](double value) { return measured ? Json(value) : Json(nullptr); };
  return {{"mode", name_of(timing.mode)},
          {"cache", name_of(timing.cache)},
          {"calls_per_sample", timing.calls_per_sample},
          {"n", timing.samples_us.size()},
          {"median_us", number(timing.median_us)},
          {"mad_us", number(timing.mad_us)},
          {"min_us", number(timing.min_us)},
          {"p95_us", number(timing.p95_us)},
          {"ci95_us", measured ? Json(timing.ci95_us) : Json(nullptr)},
          {"converged", timing.converged},
          {"invalid_samples", timing.invalid_samples},
          {"throttled_samples", timing.throttled_samples},
          {"samples_us", timing.samples_us}};
}

Json launch_json(const LaunchFacts& launch) {
  const Geometry& geometry = launch.geometry;
  Json json{{"grid", extent_json(geometry.grid)},
            {"block", extent_json(geometry.block)},
            {"cluster", geometry.cluster},
            {"shared_bytes", geometry.shared_bytes},
            {"static_shared_bytes", or_null(launch.static_shared_bytes)},
            {"registers", or_null(launch.registers)},
            {"occupancy", or_null(launch.occupancy)},
            {"waves", or_null(launch.waves)},
            {"kernels", geometry.kernels},
            {"memsets", geometry.memsets}};
  if (!geometry.picked.empty()) json["picked"] = geometry.picked;
  return json;
}

Json verification_json(const Verification& verify) {
  Json json{{"checked", verify.checked}, {"mismatches", verify.mismatches}};
  if (verify.first) {
    json["first"] = {{"output", verify.first->output},
                     {"position", verify.first->position},
                     {"got", verify.first->got},
                     {"expected", verify.first->expected},
                     {"copy", verify.first->copy}};
  }
  return json;
}

Json gpu_json(const Environment& environment) {
  if (!environment.gpu) return nullptr;
  const DeviceFacts& gpu = *environment.gpu;
  return {{"name", gpu.name},
          {"cc", std::to_string(gpu.compute_major) + "." + std::to_string(gpu.compute_minor)},
          {"sms", gpu.multiprocessors},
          {"l2_bytes", gpu.l2_bytes},
          {"memory_bytes", gpu.memory_bytes},
          {"uuid", gpu.uuid},
          {"driver", environment.driver},
          {"clocks_locked", or_null(environment.clocks_locked)}};
}

Json gate_json(const GateSettings& gate) {
  Json overrides = Json::array();
  for (const auto& entry : gate.overrides) {
    overrides.push_back({{"match", entry.match}, {"threshold", entry.threshold}});
  }
  return {{"threshold", gate.threshold}, {"overrides", std::move(overrides)}};
}

Json measure_json(const MeasureSettings& measure) {
  Json modes = Json::array();
  for (const Mode mode : measure.modes) modes.push_back(name_of(mode));
  Json caches = Json::array();
  for (const Cache cache : measure.caches) caches.push_back(name_of(cache));
  return {{"modes", std::move(modes)},
          {"caches", std::move(caches)},
          {"min_samples", measure.min_samples},
          {"max_samples", measure.max_samples},
          {"max_seconds", measure.max_seconds}};
}

Json bandwidths_json(const Ceilings& ceilings) {
  return {{"read", or_null(ceilings.read_gbps)},
          {"copy", or_null(ceilings.copy_gbps)},
          {"host_read", or_null(ceilings.host_read_gbps)},
          {"host_copy", or_null(ceilings.host_copy_gbps)}};
}

}  // namespace

Json tool_json() {
  return {{"version", REDUX_VERSION}, {"git", REDUX_GIT}, {"build_id", build_id()}};
}

Json environment_json(const Environment& environment) {
  return {{"host", environment.host},         {"os", environment.os},
          {"cpu", environment.cpu},           {"cpu_threads", environment.cpu_threads},
          {"gpu", gpu_json(environment)},     {"cuda_runtime", environment.cuda_runtime},
          {"compiler", environment.compiler}, {"build", environment.build}};
}

Json run_json(const RunFacts& facts, const Config& config, std::size_t cases,
              const Ceilings& ceilings) {
  Json json{{"type", "run"},
            {"schema", kSchemaVersion},
            {"tool", tool_json()},
            {"argv", facts.argv},
            {"config",
             {{"name", config.name}, {"sha256", config.sha256}, {"gate", gate_json(config.gate)}}},
            {"measure", measure_json(config.measure)},
            {"selection",
             {{"backend", facts.backend},
              {"filter", facts.filter},
              {"exclude", facts.exclude},
              {"shard", facts.shard},
              {"cases", cases},
              {"verify_only", facts.verify_only}}},
            {"started", facts.started},
            {"run_id", facts.run_id},
            {"env", environment_json(facts.environment)},
            {"floor_us",
             {{"graph", or_null(ceilings.graph_floor_us)},
              {"stream", or_null(ceilings.stream_floor_us)},
              {"host", or_null(ceilings.host_floor_us)}}},
            {"ceiling_gbps", bandwidths_json(ceilings)}};
  if (facts.profile) json["selection"]["profile"] = *facts.profile;
  for (const auto& [match, factor] : facts.handicaps) {
    json["handicap"].push_back({{"match", match}, {"factor", factor}});
  }
  return json;
}

Json case_json(const Record& record) {
  const Case& c = record.the_case;
  Json timings = Json::array();
  for (const Timing& timing : record.timings) timings.push_back(timing_json(timing));
  Json json{{"type", "case"},
            {"id", c.id()},
            {"op", c.op->name},
            {"variant", c.variant->name},
            {"backend", name_of(c.variant->side)},
            {"dtype", name_of(c.dtype)},
            {"shape", c.shape.dims}};
  if (!c.shape.graph.empty()) json["graph"] = c.shape.graph;
  json["attrs"] = attributes_json(c);
  json["data"] = c.data;
  if (!c.data_file.empty()) json["data_file"] = c.data_file;
  json["seed"] = c.seed;
  json["compare_to"] = c.compare_to;
  json["tags"] = c.tags;
  json["status"] = name_of(record.status);
  json["reason"] = record.reason;
  json["timings"] = std::move(timings);
  json["bytes"] = record.bytes;
  json["gbps"] = or_null(record.gbps);
  json["ceiling_share"] = or_null(record.ceiling_share);
  if (record.gathered_bytes) {
    json["gathered_bytes"] = *record.gathered_bytes;
    json["gather_gbps"] = or_null(record.gather_gbps);
  }
  json["launch_bound"] = record.launch_bound;
  json["launch"] = record.launch ? launch_json(*record.launch) : Json(nullptr);
  json["workspace_bytes"] = record.workspace_bytes;
  json["verify"] = verification_json(record.verify);
  json["repro"] = record.repro;
  return json;
}

Json end_json(const Counts& counts, bool complete, const std::string& finished,
              const Ceilings& ceilings) {
  Json by_status = Json::object();
  for (const Status status : kAllStatuses) {
    by_status[std::string(name_of(status))] = counts.of(status);
  }
  return {{"type", "end"},
          {"complete", complete},
          {"counts", std::move(by_status)},
          {"ceiling_gbps", bandwidths_json(ceilings)},
          {"finished", finished}};
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string pretty_text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace redux::report
