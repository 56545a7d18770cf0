// What goes through a pipe, or a file that is resumed, comes out as it was.
#include "report/read_json.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "unit/report_fixtures.hpp"

namespace redux::report {
namespace {

using redux::testing::a_record;

/// Draws values of every kind, the awkward ones often.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}

  bool coin() { return engine_() % 2 == 0; }
  std::int64_t integer() {
    return coin() ? static_cast<std::int64_t>(engine_() >> 1U)
                  : static_cast<std::int64_t>(engine_() % 100);
  }
  template <class T>
  T small() {
    return static_cast<T>(engine_() % 100'000);
  }
  /// Any finite bit pattern.
  double number() {
    while (true) {
      const auto value = std::bit_cast<double>(engine_());
      if (std::isfinite(value)) return coin() ? value : value / 3;
    }
  }
  std::optional<double> maybe() { return coin() ? std::optional(number()) : std::nullopt; }
  std::string text() {
    static const std::vector<std::string> kTexts{"",
                                                 "plain",
                                                 "quote \" and \\",
                                                 "line\nfeed",
                                                 std::string("zero \0 byte", 11),
                                                 "\x01\x7f",
                                                 "\u00fc \u20ac",
                                                 "{\"a\":1}"};
    return kTexts.at(engine_() % kTexts.size());
  }
  template <class T>
  T of(std::initializer_list<T> values) {
    return *(values.begin() + engine_() % values.size());
  }

 private:
  std::mt19937_64 engine_;
};

Timing any_timing(Draw& draw) {
  Timing timing;
  timing.mode = draw.of({Mode::graph, Mode::stream});
  timing.cache = draw.of({Cache::cold, Cache::warm});
  timing.calls_per_sample = draw.integer();
  timing.invalid_samples = draw.integer();
  timing.throttled_samples = draw.integer();
  timing.converged = draw.coin();
  if (draw.coin()) return timing;  // no valid sample: no numbers
  for (int i = 0; i < 5; ++i) timing.samples_us.push_back(draw.number());
  timing.median_us = draw.number();
  timing.mad_us = draw.number();
  timing.min_us = draw.number();
  timing.p95_us = draw.number();
  timing.ci95_us = {draw.number(), draw.number()};
  return timing;
}

LaunchFacts any_launch(Draw& draw) {
  LaunchFacts launch;
  const auto extent = [&draw] {
    return Extent3{draw.small<std::uint32_t>(), draw.small<std::uint32_t>(),
                   std::numeric_limits<std::uint32_t>::max()};
  };
  launch.geometry.grid = extent();
  launch.geometry.block = extent();
  launch.geometry.cluster = draw.small<std::uint32_t>();
  launch.geometry.shared_bytes = draw.small<std::size_t>();
  launch.geometry.kernels = draw.of({Geometry::kCounted, 0, 1, 17});
  launch.geometry.memsets = draw.small<int>();
  launch.geometry.picked = draw.text();
  if (draw.coin()) launch.registers = draw.small<int>();
  launch.occupancy = draw.maybe();
  launch.waves = draw.maybe();
  if (draw.coin()) launch.static_shared_bytes = draw.small<std::size_t>();
  return launch;
}

Record any_record(Draw& draw) {
  Record record = a_record("host_serial", Side::host, {4, 8}, 1.0);
  record.status = draw.of({Status::ok, Status::wrong, Status::unsupported, Status::skipped,
                           Status::error, Status::timeout, Status::invalid_timing});
  record.reason = draw.text();
  record.timings.clear();
  while (draw.coin()) record.timings.push_back(any_timing(draw));
  record.bytes = draw.integer();
  record.gbps = draw.maybe();
  record.ceiling_share = draw.maybe();
  if (draw.coin()) {
    record.gathered_bytes = draw.integer();
    record.gather_gbps = draw.maybe();
  }
  record.launch_bound = draw.coin();
  if (draw.coin()) record.launch = any_launch(draw);
  record.workspace_bytes = static_cast<std::size_t>(draw.integer());
  record.verify.checked = draw.integer();
  record.verify.mismatches = draw.integer();
  if (draw.coin()) {
    record.verify.first =
        Mismatch{draw.text(), draw.integer(), draw.text(), draw.text(), draw.integer()};
  }
  record.repro = draw.text();
  return record;
}

void expect_same_bits(const std::optional<double>& a, const std::optional<double>& b) {
  ASSERT_EQ(a.has_value(), b.has_value());
  EXPECT_EQ(std::bit_cast<std::uint64_t>(a.value_or(0)),
            std::bit_cast<std::uint64_t>(b.value_or(0)));
}

void expect_same(const Timing& a, const Timing& b) {
  EXPECT_EQ(a.mode, b.mode);
  EXPECT_EQ(a.cache, b.cache);
  EXPECT_EQ(a.calls_per_sample, b.calls_per_sample);
  EXPECT_EQ(a.invalid_samples, b.invalid_samples);
  EXPECT_EQ(a.throttled_samples, b.throttled_samples);
  EXPECT_EQ(a.converged, b.converged);
  ASSERT_EQ(a.samples_us.size(), b.samples_us.size());
  for (std::size_t i = 0; i < a.samples_us.size(); ++i) {
    expect_same_bits(a.samples_us[i], b.samples_us[i]);
  }
  expect_same_bits(a.median_us, b.median_us);
  expect_same_bits(a.mad_us, b.mad_us);
  expect_same_bits(a.min_us, b.min_us);
  expect_same_bits(a.p95_us, b.p95_us);
  expect_same_bits(a.ci95_us[0], b.ci95_us[0]);
  expect_same_bits(a.ci95_us[1], b.ci95_us[1]);
}

void expect_same(const LaunchFacts& a, const LaunchFacts& b) {
  const auto expect_same_extent = [](const Extent3& left, const Extent3& right) {
    EXPECT_EQ(left.x, right.x);
    EXPECT_EQ(left.y, right.y);
    EXPECT_EQ(left.z, right.z);
  };
  expect_same_extent(a.geometry.grid, b.geometry.grid);
  expect_same_extent(a.geometry.block, b.geometry.block);
  EXPECT_EQ(a.geometry.cluster, b.geometry.cluster);
  EXPECT_EQ(a.geometry.shared_bytes, b.geometry.shared_bytes);
  EXPECT_EQ(a.geometry.kernels, b.geometry.kernels);
  EXPECT_EQ(a.geometry.memsets, b.geometry.memsets);
  EXPECT_EQ(a.geometry.picked, b.geometry.picked);
  EXPECT_EQ(a.registers, b.registers);
  EXPECT_EQ(a.static_shared_bytes, b.static_shared_bytes);
  expect_same_bits(a.occupancy, b.occupancy);
  expect_same_bits(a.waves, b.waves);
}

void expect_same(const Record& a, const Record& b) {
  EXPECT_EQ(a.the_case.id(), b.the_case.id());
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.reason, b.reason);
  ASSERT_EQ(a.timings.size(), b.timings.size());
  for (std::size_t i = 0; i < a.timings.size(); ++i) expect_same(a.timings[i], b.timings[i]);
  EXPECT_EQ(a.bytes, b.bytes);
  expect_same_bits(a.gbps, b.gbps);
  expect_same_bits(a.ceiling_share, b.ceiling_share);
  EXPECT_EQ(a.gathered_bytes, b.gathered_bytes);
  expect_same_bits(a.gather_gbps, b.gather_gbps);
  EXPECT_EQ(a.launch_bound, b.launch_bound);
  ASSERT_EQ(a.launch.has_value(), b.launch.has_value());
  if (a.launch) expect_same(*a.launch, *b.launch);
  EXPECT_EQ(a.workspace_bytes, b.workspace_bytes);
  EXPECT_EQ(a.verify.checked, b.verify.checked);
  EXPECT_EQ(a.verify.mismatches, b.verify.mismatches);
  ASSERT_EQ(a.verify.first.has_value(), b.verify.first.has_value());
  if (a.verify.first) {
    EXPECT_EQ(a.verify.first->output, b.verify.first->output);
    EXPECT_EQ(a.verify.first->position, b.verify.first->position);
    EXPECT_EQ(a.verify.first->got, b.verify.first->got);
    EXPECT_EQ(a.verify.first->expected, b.verify.first->expected);
    EXPECT_EQ(a.verify.first->copy, b.verify.first->copy);
  }
  EXPECT_EQ(a.repro, b.repro);
}

TEST(ReadJson, AnyRecordComesBackExactly) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Draw draw(seed);
    const Record record = any_record(draw);
    const std::string line = text_of(case_json(record));
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const Record back = record_from_json(Json::parse(line), record.the_case);
    expect_same(record, back);
    EXPECT_EQ(text_of(case_json(back)), line);
  }
}

TEST(ReadJson, CeilingsComeBackExactly) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Draw draw(seed);
    const Ceilings ceilings{draw.maybe(), draw.maybe(), draw.maybe(), draw.maybe(),
                            draw.maybe(), draw.maybe(), draw.maybe()};
    const Ceilings back = ceilings_from_json(Json::parse(text_of(ceilings_json(ceilings))));
    expect_same_bits(ceilings.graph_floor_us, back.graph_floor_us);
    expect_same_bits(ceilings.stream_floor_us, back.stream_floor_us);
    expect_same_bits(ceilings.read_gbps, back.read_gbps);
    expect_same_bits(ceilings.copy_gbps, back.copy_gbps);
    expect_same_bits(ceilings.host_floor_us, back.host_floor_us);
    expect_same_bits(ceilings.host_read_gbps, back.host_read_gbps);
    expect_same_bits(ceilings.host_copy_gbps, back.host_copy_gbps);
  }
}

TEST(ReadJson, AnEnvironmentSaysTheSameAgain) {
  Environment environment;
  environment.host = "node1";
  environment.cpu_threads = 64;
  environment.build = "Release";
  EXPECT_EQ(environment_json(environment_from_json(environment_json(environment))),
            environment_json(environment));
  environment.gpu = DeviceFacts{.name = "NVIDIA H200",
                                .uuid = "GPU-1",
                                .compute_major = 12,
                                .compute_minor = 1,
                                .multiprocessors = 132,
                                .l2_bytes = 1 << 20,
                                .memory_bytes = std::size_t{1} << 40U};
  environment.driver = "580.1";
  for (const std::optional<bool> locked : {std::optional<bool>(), std::optional(true)}) {
    environment.clocks_locked = locked;
    EXPECT_EQ(environment_json(environment_from_json(environment_json(environment))),
              environment_json(environment));
  }
}

TEST(ReadJson, WhatLacksAFieldOrHasAnotherTypeIsRefused) {
  const Record record = a_record("host_serial", Side::host, {4, 8}, 1.0);
  const Json good = case_json(record);
  for (const char* key : {"status", "reason", "timings", "bytes", "gbps", "ceiling_share",
                          "launch_bound", "launch", "workspace_bytes", "verify", "repro"}) {
    Json bad = good;
    bad.erase(key);
    EXPECT_ANY_THROW(record_from_json(bad, record.the_case)) << key;
    bad[key] = Json::array({Json::object()});
    EXPECT_ANY_THROW(record_from_json(bad, record.the_case)) << key;
  }
  Json bad = good;
  bad["status"] = "fine";
  EXPECT_ANY_THROW(record_from_json(bad, record.the_case));
}

}  // namespace
}  // namespace redux::report
