#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "report/csv.hpp"
#include "unit/report_fixtures.hpp"

namespace redux::report {
namespace {

using redux::testing::a_record;
using redux::testing::a_timing;

/// A small reader of RFC 4180, so that the writer is not tested against itself.
std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> row;
  std::string cell;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char byte = text[i];
    if (quoted) {
      if (byte != '"') {
        cell += byte;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        cell += text[++i];
      } else {
        quoted = false;
      }
    } else if (byte == '"') {
      quoted = true;
    } else if (byte == ',') {
      row.push_back(std::move(cell));
      cell.clear();
    } else if (byte == '\r' && i + 1 < text.size() && text[i + 1] == '\n') {
      ++i;
      row.push_back(std::move(cell));
      cell.clear();
      rows.push_back(std::move(row));
      row.clear();
    } else {
      cell += byte;
    }
  }
  EXPECT_TRUE(cell.empty() && row.empty()) << "the last row does not end with CR LF";
  return rows;
}

std::vector<std::map<std::string, std::string>> named_rows(const std::string& text) {
  const auto rows = read_csv(text);
  std::vector<std::map<std::string, std::string>> named;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].size(), rows[0].size());
    auto& entry = named.emplace_back();
    for (std::size_t j = 0; j < rows[0].size(); ++j) entry[rows[0][j]] = rows[i].at(j);
  }
  return named;
}

TEST(ReportCsv, OneRowACaseAndTiming) {
  Record record = a_record("host_serial", Side::host, {4, 8}, 1.5);
  record.timings.push_back(a_timing(Mode::stream, Cache::warm, 0.25));
  record.gbps = 2.75;
  const std::vector<Record> records{record};
  const auto rows = named_rows(csv_text(records));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].at("id"), "argmax/host_serial/float32/4x8");
  EXPECT_EQ(rows[0].at("shape"), "4x8");
  EXPECT_EQ(rows[0].at("cache"), "cold");
  EXPECT_EQ(rows[0].at("median_us"), "1.5");
  EXPECT_EQ(rows[0].at("gbps"), "2.75");
  EXPECT_EQ(rows[1].at("cache"), "warm");
  EXPECT_EQ(rows[1].at("median_us"), "0.25");
  EXPECT_EQ(rows[1].at("gbps"), "") << "a bandwidth of the cold timing stands beside the warm one";
}

TEST(ReportCsv, TheGatherRateIsThatOfTheColdTiming) {
  Record record = a_record("host_serial", Side::host, {4, 8}, 1.5);
  record.timings.push_back(a_timing(Mode::stream, Cache::warm, 0.25));
  record.gathered_bytes = 123456;
  record.gather_gbps = 82.5;
  const std::vector<Record> records{record};
  const auto rows = named_rows(csv_text(records));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].at("gathered_bytes"), "123456");
  EXPECT_EQ(rows[0].at("gather_gbps"), "82.5");
  EXPECT_EQ(rows[1].at("gather_gbps"), "");
}

TEST(ReportCsv, B17_MissingNumbersAreEmptyCells) {
  Record none = a_record("host_serial", Side::host, {4, 8}, 1.5);
  none.timings.clear();
  none.status = Status::skipped;
  Record empty = a_record("host_serial", Side::host, {4, 9}, 1.5);
  empty.timings[0].samples_us.clear();
  const std::vector<Record> records{none, empty};
  const auto rows = named_rows(csv_text(records));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].at("status"), "skipped");
  EXPECT_EQ(rows[0].at("mode"), "");
  EXPECT_EQ(rows[0].at("median_us"), "");
  EXPECT_EQ(rows[1].at("n"), "0");
  EXPECT_EQ(rows[1].at("median_us"), "");
  EXPECT_EQ(rows[1].at("ci95_low_us"), "");
  EXPECT_EQ(rows[1].at("gbps"), "");
}

TEST(ReportCsv, CellsAreQuotedWhereTheyMustBe) {
  EXPECT_EQ(csv_cell("plain"), "plain");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("say \"so\""), "\"say \"\"so\"\"\"");
  EXPECT_EQ(csv_cell("two\nlines"), "\"two\nlines\"");
}

TEST(ReportCsv, FormulasAreDefusedAndNumbersAreNot) {
  EXPECT_EQ(csv_cell("=1+1"), "\"'=1+1\"");
  EXPECT_EQ(csv_cell("@SUM(A1)"), "\"'@SUM(A1)\"");
  EXPECT_EQ(csv_cell("-x"), "\"'-x\"");
  EXPECT_EQ(csv_cell("+x"), "\"'+x\"");
  EXPECT_EQ(csv_cell("\t=1"), "\"'\t=1\"");
  EXPECT_EQ(csv_cell("\r=1"), "\"'\r=1\"");
  EXPECT_EQ(csv_cell("\n=1"), "\"'\n=1\"");
  EXPECT_EQ(csv_cell("\uFF1D1"), "\"'\uFF1D1\"");
  EXPECT_EQ(csv_cell("-1+cmd|' /C calc'!A0"), "\"'-1+cmd|' /C calc'!A0\"");
  EXPECT_EQ(csv_cell("a=b"), "a=b");
  EXPECT_EQ(csv_cell("-1.5e-3"), "-1.5e-3");
  EXPECT_EQ(csv_cell("+4"), "+4");
  EXPECT_EQ(csv_cell("-inf"), "-inf");
}

TEST(ReportCsv, EveryTextOfARecordIsDefusedAndNoNumberIs) {
  Record record = a_record("host_serial", Side::host, {4, 8}, 1.5);
  record.reason = "=1+1";
  record.repro = "@x";
  record.the_case.tags = {"-t"};
  record.the_case.compare_to = "+c";
  record.verify.first = Mismatch{"indices", 3, "-7", "-x", 1};
  const std::vector<Record> records{record};
  const auto row = named_rows(csv_text(records))[0];
  EXPECT_EQ(row.at("reason"), "'=1+1");
  EXPECT_EQ(row.at("repro"), "'@x");
  EXPECT_EQ(row.at("tags"), "'-t");
  EXPECT_EQ(row.at("compare_to"), "'+c");
  EXPECT_EQ(row.at("first_got"), "-7");
  EXPECT_EQ(row.at("first_expected"), "'-x");
  EXPECT_EQ(row.at("median_us"), "1.5");
  EXPECT_EQ(row.at("seed"), "42");
}

TEST(ReportCsv, R16_BytesThatAreNotUtf8AreReplaced) {
  Record record = a_record("host_serial", Side::host, {4, 8}, 1.5);
  record.reason = "bad \xFF, byte";
  const std::vector<Record> records{record};
  EXPECT_EQ(named_rows(csv_text(records))[0].at("reason"), "bad \xEF\xBF\xBD, byte");
}

TEST(ReportCsv, LaunchAndMismatchAreFlattened) {
  Record record = a_record("auto", Side::cuda, {4, 8}, 1.5);
  record.launch = LaunchFacts{};
  record.launch->geometry.grid = {4, 2, 1};
  record.launch->geometry.picked = "warp_per_row";
  record.verify.first = Mismatch{"indices", 3, "-5", "4", 1};
  const std::vector<Record> records{record};
  const auto rows = named_rows(csv_text(records));
  EXPECT_EQ(rows[0].at("grid"), "4x2x1");
  EXPECT_EQ(rows[0].at("picked"), "warp_per_row");
  EXPECT_EQ(rows[0].at("first_got"), "-5");
}

}  // namespace
}  // namespace redux::report
