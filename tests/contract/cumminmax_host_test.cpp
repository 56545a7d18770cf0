// Every host variant of cummax and cummin, and the reference itself.
#include "contract/combinations.hpp"
#include "contract/cumminmax_reports.hpp"
#include "contract/host_ground.hpp"

namespace redux::contract {
namespace {

class CumMinMaxHost : public testing::TestWithParam<Combination> {};

/// Lengths up to 32769: host_parallel cuts lines from 16384 elements on.
TEST_P(CumMinMaxHost, EveryKindShapeAndAxisGivesTheReferencesBits) {
  HostGround ground;
  Tally tally;
  check_scans(ground, GetParam().op, GetParam().dtype, all_scans(32768), tally);
  EXPECT_EQ(tally.checked.size(), variants_of(GetParam().op, Side::host).size());
  EXPECT_TRUE(tally.unsupported.empty());
}

TEST_P(CumMinMaxHost, BasesNeedNoMoreAlignmentThanAnElement) {
  HostGround ground;
  Tally tally;
  const std::vector<Scan> scans{{{1}, 0},       {{3, 17}, 1}, {{129}, 0},
                                {{2, 4099}, 1}, {{40001}, 0}, {{2, 65, 3}, 1}};
  check_offsets(ground, GetParam().op, GetParam().dtype, scans, tally);
  EXPECT_EQ(tally.checked.size(), variants_of(GetParam().op, Side::host).size());
}

INSTANTIATE_TEST_SUITE_P(All, CumMinMaxHost, testing::ValuesIn(combinations({"cummax", "cummin"})),
                         name_of_test);

/// The reference and every host variant.
void check_report(HostGround& ground, const ScanReport& report, Tally& tally) {
  Bytes input = report.input;
  const Case c = case_of(report);
  expect_outputs(c, reference_of(c, input), report.expected,
                 report.id + " " + c.problem_id() + " by the reference");
  ground.load(report.input, report.dtype, 0);
  check_loaded(ground, c, report.expected, tally, report.id);
}

TEST(CumMinMaxReports, TheReferenceAndHostVariantsGiveTheWrittenAnswers) {
  HostGround ground;
  Tally tally;
  for (const ScanReport& report : cumminmax_reports()) check_report(ground, report, tally);
  EXPECT_EQ(tally.checked.size(), variants_of("cummax", Side::host).size());
}

/// host_parallel cuts 65536 elements in as many pieces as there are threads: for 2, 4, 8 ... of
/// them at an edge of the list.
TEST(CumMinMaxReports, C06PatternsAboutTheEdgesOfChunks) {
  HostGround ground;
  Tally tally;
  for (const DType dtype : kAllDTypes) {
    for (const ScanReport& report : edge_reports(dtype, 32768)) check_report(ground, report, tally);
  }
  EXPECT_EQ(tally.checked.size(), variants_of("cummax", Side::host).size());
}

TEST(CumMinMaxReports, C10NoElementsIsNoOutput) {
  HostGround ground;
  Tally tally;
  for (const auto& [op, dtype] : combinations({"cummax", "cummin"})) {
    for (const Scan& scan : empty_scans()) {
      const Case c = scan_case(op, dtype, scan);
      EXPECT_EQ(c.op->check(c), "") << c.problem_id();
      EXPECT_EQ(c.op->outputs(c).at(0).dims, scan.dims);
      EXPECT_EQ(c.op->outputs(c).at(1).dims, scan.dims);
      EXPECT_EQ(c.op->bytes_moved(c), 0);
      ground.load({}, dtype, 0);
      check_loaded(ground, c, Outputs(2), tally, "C10");
    }
  }
  EXPECT_EQ(tally.checked.size(), variants_of("cummax", Side::host).size());
}

TEST(CumMinMaxReports, C09AnAxisOutsideTheRankIsRefusedEmptyOrNot) {
  const std::vector<Scan> refused{{{0}, 100},     {{0}, -100},      {{1, 0}, 100},
                                  {{1, 0}, -100}, {{1, 1, 0}, 100}, {{1, 1, 0}, -100},
                                  {{3}, 1},       {{3}, -2}};
  for (const char* op : {"cummax", "cummin"}) {
    for (const Scan& scan : refused) {
      const Case c = scan_case(op, DType::float32, scan);
      const std::string rank = std::to_string(scan.dims.size());
      EXPECT_EQ(c.op->check(c), "axis " + std::to_string(scan.axis) + " is outside [-" + rank +
                                    ", " + rank + ") of a shape of rank " + rank);
    }
    const Case none = make_case(op, DType::float32, {});
    EXPECT_EQ(none.op->check(none), "the shape has no axis to scan");
  }
}

TEST(CumMinMaxReports, C07ManyLines) {
  HostGround ground;
  Tally tally;
  for (const Scan& scan :
       {Scan{{65536, 1}, 1}, Scan{{65536, 3}, 1}, Scan{{3, 70000}, 0}, Scan{{70000, 2, 5}, 1}}) {
    Case c = scan_case("cummax", DType::float32, scan);
    Bytes input = make_inputs(c).front();
    ground.load(input, c.dtype, 0);
    check_loaded(ground, c, reference_of(c, input), tally, "C07");
  }
  EXPECT_EQ(tally.checked.size(), variants_of("cummax", Side::host).size());
}

TEST(CumMinMaxPolicy, SkipIsUnsupportedWithTheReason) {
  for (const Variant* variant : Registry::instance().variants("cummax")) {
    const Case c = make_case("cummax", DType::float32, {5}, "random", Nan::skip);
    EXPECT_NE(why_unsupported(*variant, c, {}), "") << variant->name;
    if (variant->side != Side::host) continue;
    EXPECT_EQ(why_unsupported(*variant, c, {}),
              "a scan has no NaN policy \"skip\": from the first NaN on the value is NaN");
  }
}

}  // namespace
}  // namespace redux::contract
