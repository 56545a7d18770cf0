#include <gtest/gtest.h>

#include <limits>

#include "report/json.hpp"
#include "unit/report_fixtures.hpp"

namespace redux::report {
namespace {

using redux::testing::a_record;

TEST(ReportJson, CaseLineHoldsTheFieldsOfTheFormat) {
  Record record = a_record("cooperative", Side::cuda, {1, 202048}, 2.5);
  record.gbps = 323.28;
  record.launch = LaunchFacts{.geometry = {.grid = {64, 1, 1}, .block = {256, 1, 1}},
                              .registers = 32,
                              .occupancy = 0.5,
                              .waves = 0.0625};
  record.repro = "redux-bench --config a.json";
  const Json line = Json::parse(text_of(case_json(record)));
  EXPECT_EQ(line["type"], "case");
  EXPECT_EQ(line["id"], "argmax/cooperative/float32/1x202048");
  EXPECT_EQ(line["backend"], "cuda");
  EXPECT_EQ(line["shape"], Json::array({1, 202048}));
  EXPECT_EQ(line["attrs"], Json::object());
  EXPECT_EQ(line["seed"], 42);
  EXPECT_EQ(line["status"], "ok");
  EXPECT_EQ(line["timings"][0]["mode"], "graph");
  EXPECT_EQ(line["timings"][0]["n"], 3);
  EXPECT_EQ(line["timings"][0]["median_us"], 2.5);
  EXPECT_EQ(line["timings"][0]["samples_us"], Json::array({2.5, 2.5, 2.5}));
  EXPECT_EQ(line["gbps"], 323.28);
  EXPECT_TRUE(line["ceiling_share"].is_null());
  EXPECT_EQ(line["launch"]["grid"], Json::array({64, 1, 1}));
  EXPECT_EQ(line["launch"]["occupancy"], 0.5);
  EXPECT_EQ(line["launch"]["waves"], 0.0625);
  EXPECT_FALSE(line["launch"].contains("picked"));
  EXPECT_EQ(line["verify"], (Json{{"checked", 1}, {"mismatches", 0}}));
}

TEST(ReportJson, AHandicapIsInTheHeaderAndOnlyThen) {
  RunFacts facts;
  EXPECT_FALSE(run_json(facts, Config{}, 0, Ceilings{}).contains("handicap"));
  facts.handicaps = {{"/cub/", 1.05}};
  EXPECT_EQ(run_json(facts, Config{}, 0, Ceilings{})["handicap"],
            (Json::array({{{"match", "/cub/"}, {"factor", 1.05}}})));
}

TEST(ReportJson, ProfiledCallsAreInTheSelectionAndOnlyThen) {
  RunFacts facts;
  EXPECT_FALSE(run_json(facts, Config{}, 0, Ceilings{})["selection"].contains("profile"));
  facts.profile = 3;
  EXPECT_EQ(run_json(facts, Config{}, 0, Ceilings{})["selection"]["profile"], 3);
}

TEST(ReportJson, WhatAutoPickedIsInTheLaunch) {
  Record record = a_record("auto", Side::cuda, {1, 32}, 2.5);
  record.launch = LaunchFacts{};
  record.launch->geometry.picked = "single_pass";
  EXPECT_EQ(case_json(record)["launch"]["picked"], "single_pass");
}

TEST(ReportJson, B17_NeitherNanNorInfinityIsWritten) {
  Record record = a_record("host_serial", Side::host, {4, 8}, 1.0);
  record.gbps = std::numeric_limits<double>::quiet_NaN();
  record.ceiling_share = std::numeric_limits<double>::infinity();
  record.timings[0].mad_us = -std::numeric_limits<double>::infinity();
  const std::string text = text_of(case_json(record));
  const Json line = Json::parse(text);
  EXPECT_TRUE(line["gbps"].is_null());
  EXPECT_TRUE(line["ceiling_share"].is_null());
  EXPECT_TRUE(line["timings"][0]["mad_us"].is_null());
  EXPECT_EQ(text.find("nan"), std::string::npos);
  EXPECT_EQ(text.find("inf"), std::string::npos);
}

TEST(ReportJson, B17_ATimingWithoutSamplesHasNoNumbers) {
  Record record = a_record("host_serial", Side::host, {4, 8}, 1.0);
  record.timings[0].samples_us.clear();
  const Json timing = case_json(record)["timings"][0];
  EXPECT_EQ(timing["n"], 0);
  EXPECT_TRUE(timing["median_us"].is_null());
  EXPECT_TRUE(timing["ci95_us"].is_null());
}

TEST(ReportJson, R16_ControlBytesAndBrokenUtf8StayParsable) {
  Record record = a_record("host_serial", Side::host, {4, 8}, 1.0);
  record.reason = "bell \x07, line\nfeed, quote \", not UTF-8 \xFF";
  const std::string text = text_of(case_json(record));
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(Json::parse(text)["reason"], "bell \x07, line\nfeed, quote \", not UTF-8 \xEF\xBF\xBD");
}

TEST(ReportJson, AWrongCaseNamesItsFirstMismatch) {
  Record record = a_record("host_serial", Side::host, {4, 8}, 1.0);
  record.status = Status::wrong;
  record.verify.mismatches = 2;
  record.verify.first = Mismatch{"indices", 3, "5", "4", 1};
  const Json line = case_json(record);
  EXPECT_EQ(line["status"], "wrong");
  EXPECT_EQ(
      line["verify"]["first"],
      (Json{{"output", "indices"}, {"position", 3}, {"got", "5"}, {"expected", "4"}, {"copy", 1}}));
}

TEST(ReportJson, AttributesAreThoseThatAreNotTheDefault) {
  Record record = a_record("host_serial", Side::host, {4, 8}, 1.0);
  record.the_case.attributes.axis = 1;  // the last of two: the default, spelt otherwise
  record.the_case.attributes.nan = Nan::propagate;
  EXPECT_EQ(case_json(record)["attrs"], (Json{{"nan", "propagate"}}));
}

TEST(ReportJson, TheRunLineSaysWhatIsNotThereWithNull) {
  Config config;
  config.name = "a-sweep";
  config.gate.overrides = {{"/1x", 0.1}};
  Ceilings ceilings;
  ceilings.host_read_gbps = 12.5;
  RunFacts facts;
  facts.run_id = "r1";
  const Json line = run_json(facts, config, 12, ceilings);
  EXPECT_EQ(line["run_id"], "r1");
  EXPECT_EQ(line["schema"], 1);
  EXPECT_EQ(line["selection"]["cases"], 12);
  EXPECT_EQ(line["config"]["name"], "a-sweep");
  EXPECT_EQ(line["config"]["gate"]["threshold"], 0.05);
  EXPECT_EQ(line["config"]["gate"]["overrides"][0]["match"], "/1x");
  EXPECT_TRUE(line["env"]["gpu"].is_null());
  EXPECT_TRUE(line["floor_us"]["graph"].is_null());
  EXPECT_TRUE(line["ceiling_gbps"]["read"].is_null());
  EXPECT_EQ(line["ceiling_gbps"]["host_read"], 12.5);
}

TEST(ReportJson, TheEndLineCountsEveryStatus) {
  Counts counts;
  counts.add(Status::ok);
  counts.add(Status::ok);
  counts.add(Status::wrong);
  const Json line = end_json(counts, false, "2025-01-01T00:00:00Z", {});
  EXPECT_EQ(line["complete"], false);
  EXPECT_EQ(line["counts"]["ok"], 2);
  EXPECT_EQ(line["counts"]["wrong"], 1);
  EXPECT_EQ(line["counts"]["timeout"], 0);
  EXPECT_EQ(line["counts"].size(), 7U);
}

}  // namespace
}  // namespace redux::report
