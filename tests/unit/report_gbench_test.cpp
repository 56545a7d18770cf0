#include <gtest/gtest.h>

#include <cmath>

#include "report/gbench.hpp"
#include "unit/report_fixtures.hpp"

namespace redux::report {
namespace {

using redux::testing::a_record;
using redux::testing::a_timing;

RunFacts some_facts() {
  RunFacts facts;
  facts.started = "2026-11-30T12:00:00Z";
  facts.argv = {"build/redux-bench", "-c", "a.json"};
  facts.environment.host = "node1";
  facts.environment.cpu_threads = 16;
  return facts;
}

TEST(ReportGbench, TheMedianIsOneRowATiming) {
  Record record = a_record("cooperative", Side::cuda, {1, 32000}, 2.5);
  record.timings.push_back(a_timing(Mode::stream, Cache::warm, 4.0));
  const Json json = gbench_json(some_facts(), {&record, 1}, GbenchFlavour::median);
  EXPECT_EQ(json["context"]["num_cpus"], 16);
  EXPECT_EQ(json["context"]["executable"], "build/redux-bench");
  EXPECT_TRUE(json["context"]["caches"].is_array());
  ASSERT_EQ(json["benchmarks"].size(), 2U);
  const Json& first = json["benchmarks"][0];
  EXPECT_EQ(first["name"], "argmax/cooperative/float32/1x32000/graph/cold");
  EXPECT_EQ(first["run_type"], "iteration");
  EXPECT_EQ(first["real_time"], 2.5);
  EXPECT_EQ(first["cpu_time"], 2.5);
  EXPECT_EQ(first["time_unit"], "us");
  EXPECT_EQ(first["iterations"], 3 * 64);
  EXPECT_EQ(json["benchmarks"][1]["name"], "argmax/cooperative/float32/1x32000/stream/warm");
  EXPECT_EQ(json["benchmarks"][1]["family_index"], 1);
}

TEST(ReportGbench, RepetitionsAreTheSamplesAndTheirAggregates) {
  Record record = a_record("host_serial", Side::host, {4, 8}, 2.0);
  record.timings[0].samples_us = {1.0, 2.0, 6.0};
  const Json json = gbench_json(some_facts(), {&record, 1}, GbenchFlavour::repetitions);
  const Json& rows = json["benchmarks"];
  ASSERT_EQ(rows.size(), 7U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(rows[i]["repetition_index"], i);
    EXPECT_EQ(rows[i]["repetitions"], 3);
    EXPECT_EQ(rows[i]["real_time"], record.timings[0].samples_us[i]);
    EXPECT_EQ(rows[i]["iterations"], 64);
  }
  EXPECT_EQ(rows[3]["aggregate_name"], "mean");
  EXPECT_EQ(rows[3]["name"], rows[0]["name"].get<std::string>() + "_mean");
  EXPECT_EQ(rows[3]["run_name"], rows[0]["name"]);
  EXPECT_EQ(rows[3]["real_time"], 3.0);
  EXPECT_EQ(rows[4]["real_time"], 2.0);
  EXPECT_DOUBLE_EQ(rows[5]["real_time"].get<double>(), std::sqrt(7.0));
  EXPECT_DOUBLE_EQ(rows[6]["real_time"].get<double>(), std::sqrt(7.0) / 3.0);
  EXPECT_EQ(rows[6]["aggregate_unit"], "percentage");
}

TEST(ReportGbench, WhatWasNotMeasuredIsLeftOut) {
  std::vector<Record> records{a_record("a", Side::cuda, {1, 8}, 2.0),
                              a_record("b", Side::cuda, {1, 8}, 2.0),
                              a_record("c", Side::cuda, {1, 8}, 2.0)};
  records[0].status = Status::wrong;
  records[1].timings[0].samples_us.clear();
  records[2].status = Status::skipped;
  const Json json = gbench_json(some_facts(), records, GbenchFlavour::repetitions);
  EXPECT_EQ(json["benchmarks"], Json::array());
}

TEST(ReportGbench, OneSampleHasNoSpread) {
  Record record = a_record("host_serial", Side::host, {4, 8}, 2.0);
  record.timings[0].samples_us = {2.0};
  const Json json = gbench_json(some_facts(), {&record, 1}, GbenchFlavour::repetitions);
  EXPECT_EQ(json["benchmarks"][3]["real_time"], 0.0);
}

}  // namespace
}  // namespace redux::report
