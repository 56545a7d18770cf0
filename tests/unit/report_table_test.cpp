#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "report/summary.hpp"
#include "report/table.hpp"
#include "report/text.hpp"
#include "unit/report_fixtures.hpp"

namespace redux::report {
namespace {

using redux::testing::a_record;
using redux::testing::a_timing;

std::vector<Record> two_by_three() {
  std::vector<Record> records{a_record("thread_per_row", Side::cuda, {1, 32}, 8.0),
                              a_record("warp_per_row", Side::cuda, {1, 32}, 2.0),
                              a_record("cub", Side::cuda, {1, 32}, 1.0),
                              a_record("thread_per_row", Side::cuda, {1, 64}, 1500.0),
                              a_record("warp_per_row", Side::cuda, {1, 64}, 2.5),
                              a_record("cub", Side::cuda, {1, 64}, 1.0)};
  records[2].status = Status::wrong;  // as fast as it is, it must not win
  records[5].status = Status::unsupported;
  records[4].ceiling_share = 0.876;
  records[4].launch_bound = true;
  return records;
}

TEST(ReportTable, OneRowAShapeOneColumnAVariantBestMarked) {
  const auto tables = result_tables(two_by_three(), false);
  ASSERT_EQ(tables.size(), 1U);
  const Table& table = tables[0];
  EXPECT_EQ(table.title, "argmax float32: median time of a call, graph cold");
  const std::vector<std::string> headers{"shape",      "best",         "best over thread_per_row",
                                         "of ceiling", "warp_per_row", "thread_per_row",
                                         "cub"};
  EXPECT_EQ(table.headers, headers);
  ASSERT_EQ(table.rows.size(), 2U);
  std::vector<std::string> first;
  std::vector<std::string> second;
  for (const Cell& cell : table.rows[0]) first.push_back(cell.text);
  for (const Cell& cell : table.rows[1]) second.push_back(cell.text);
  EXPECT_EQ(first, (std::vector<std::string>{"1x32", "warp_per_row", "4.00x", "-", "2.000 us*",
                                             "8.000 us", "WRONG"}));
  EXPECT_EQ(second, (std::vector<std::string>{"1x64", "warp_per_row", "600.00x", "87.6%",
                                              "2.500 us~*", "1.500 ms", "unsup"}));
  EXPECT_EQ(table.rows[0][4].style, Style::best);
  EXPECT_EQ(table.rows[0][6].style, Style::bad);
}

TEST(ReportTable, ABaseThatWasNotRunHasNoColumn) {
  const std::vector<Record> records{a_record("warp_per_row", Side::cuda, {1, 32}, 2.0)};
  const auto tables = result_tables(records, false);
  ASSERT_EQ(tables.size(), 1U);
  EXPECT_EQ(tables[0].headers, (std::vector<std::string>{"shape", "best", "warp_per_row"}));
}

TEST(ReportTable, TheFirstColdTimingIsShown) {
  Record record = a_record("warp_per_row", Side::cuda, {1, 32}, 2.0);
  record.timings = {a_timing(Mode::graph, Cache::warm, 1.0),
                    a_timing(Mode::stream, Cache::cold, 3.0)};
  ASSERT_NE(primary_timing(record), nullptr);
  EXPECT_EQ(primary_timing(record)->median_us, 3.0);
  record.timings[1].samples_us.clear();
  EXPECT_EQ(primary_timing(record)->median_us, 1.0);
  record.timings.clear();
  EXPECT_EQ(primary_timing(record), nullptr);
}

TEST(ReportTable, DataAndAttributesMakeTablesOfTheirOwn) {
  std::vector<Record> records{a_record("cub", Side::cuda, {1, 32}, 1.0),
                              a_record("cub", Side::cuda, {1, 32}, 1.0),
                              a_record("host_serial", Side::host, {1, 32}, 1.0)};
  records[1].the_case.data = "ties";
  const auto tables = result_tables(records, false);
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0].title,
            "argmax float32: median time of a call, graph cold; host variants stream cold");
  EXPECT_EQ(tables[1].title, "argmax float32 data=ties: median time of a call, graph cold");
}

TEST(ReportTable, ColumnsThatDoNotFitContinueInBlocks) {
  std::vector<Record> records;
  for (int i = 0; i < 13; ++i) {
    records.push_back(
        a_record("quite_long_variant_" + std::to_string(i), Side::cuda, {1, 202048}, 100.0 + i));
  }
  const Table table = result_tables(records, false)[0];
  for (const std::size_t width : {60U, 80U, 160U}) {
    std::istringstream lines(terminal_text(table, width, false));
    std::string line;
    std::getline(lines, line);  // the title may be longer
    std::size_t shape_rows = 0;
    std::string all;
    while (std::getline(lines, line)) {
      EXPECT_LE(width_of(line), width) << line;
      if (line.starts_with("1x202048")) ++shape_rows;
      all += line + "\n";
    }
    EXPECT_GE(shape_rows, width == 60 ? 3U : 1U);
    for (int i = 0; i < 13; ++i) {
      EXPECT_NE(all.find(std::to_string(100 + i) + ".0 us"), std::string::npos) << i;
    }
  }
}

TEST(ReportTable, ColourOnlyWhereAskedFor) {
  const Table table = result_tables(two_by_three(), false)[0];
  EXPECT_EQ(terminal_text(table, 100, false).find('\x1b'), std::string::npos);
  EXPECT_NE(terminal_text(table, 100, true).find("\x1b[1;32m2.000 us*\x1b[0m"), std::string::npos);
}

TEST(ReportTable, MarkdownEscapesAndSetsTheBestInBold) {
  const std::string text = markdown_text(result_tables(two_by_three(), false)[0]);
  EXPECT_NE(text.find("| 1x32 | warp_per_row | 4.00x | - | **2.000 us** | 8.000 us | **WRONG** |"),
            std::string::npos)
      << text;
  EXPECT_EQ(markdown_text({.title = {}, .headers = {"a"}, .rows = {{{"x|y\n<b>"}}}}),
            "| a |\n| --- |\n| x\\|y?\\<b> |\n");
}

TEST(ReportText, TimesHaveThreeOrFourDigitsAndAUnit) {
  EXPECT_EQ(time_text(0.5), "0.500 us");
  EXPECT_EQ(time_text(12.345), "12.35 us");
  EXPECT_EQ(time_text(123.45), "123.5 us");
  EXPECT_EQ(time_text(1234.5), "1.234 ms");
  EXPECT_EQ(time_text(2.5e6), "2.500 s");
}

TEST(ReportText, NumbersRoundTrip) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(1e300 * 1e10), "");
  EXPECT_EQ(std::stod(shortest(1.0 / 3)), 1.0 / 3);
}

TEST(ReportSummary, CountsAndReproductionLines) {
  std::vector<Record> records = two_by_three();
  records[2].reason = "off";
  records[2].repro = "redux-bench --config a.json --filter '^x$' --seed 42";
  records[5].reason = "no";
  EXPECT_EQ(summary_line(counts_of(records), false),
            "4 of 6 measured: 4 ok, 1 wrong, 1 unsupported");
  EXPECT_EQ(fault_lines(records, false),
            "wrong: argmax/cub/float32/1x32: off\n"
            "  reproduce: redux-bench --config a.json --filter '^x$' --seed 42\n"
            "unsupported: argmax/cub: 1 case: no\n");
  EXPECT_EQ(summary_line(counts_of({}), true), "0 of 0 verified");
}

TEST(ReportTable, EveryTimingHasItsLaunchFacts) {
  Record record = a_record("warp_per_row", Side::cuda, {1, 32}, 2.0);
  record.workspace_bytes = 4096;
  record.launch = LaunchFacts{.geometry = {.grid = {64, 2, 1}, .block = {256, 1, 1}},
                              .registers = 32,
                              .occupancy = 0.5,
                              .waves = 0.1212,
                              .static_shared_bytes = 1024};
  record.launch->geometry.shared_bytes = 512;
  const auto shown = [&record](const std::string& header) {
    const std::vector<Record> records{record};
    const Table table = detail_table(records);
    const auto found = std::ranges::find(table.headers, header);
    EXPECT_NE(found, table.headers.end()) << header;
    return table.rows.at(0).at(static_cast<std::size_t>(found - table.headers.begin())).text;
  };
  EXPECT_EQ(shown("grid"), "64x2");
  EXPECT_EQ(shown("shared bytes"), "1536");
  EXPECT_EQ(shown("registers"), "32");
  EXPECT_EQ(shown("occupancy"), "50%");
  EXPECT_EQ(shown("waves"), "0.12");
  EXPECT_EQ(shown("scratch bytes"), "4096");
  EXPECT_EQ(shown("kernels+ memsets"), "1+0");
  record.launch->waves = 3.14159;
  EXPECT_EQ(shown("waves"), "3.1");
  record.launch->waves = 1234.5;
  EXPECT_EQ(shown("waves"), "1234");
  record.launch.reset();
  EXPECT_EQ(shown("waves"), "-");
  EXPECT_EQ(shown("scratch bytes"), "-");
}

}  // namespace
}  // namespace redux::report
