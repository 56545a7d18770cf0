// Every CUDA variant of cummax and cummin in the SIMT executor, against the reference and the
// public reports, spread over schedules and simulated devices.
#include <set>

#include "contract/combinations.hpp"
#include "contract/cumminmax_reports.hpp"
#include "simt/scan_ground.hpp"

namespace redux::contract {
namespace {

class SimtCumMinMax : public testing::TestWithParam<Combination> {
 protected:
  /// For the draws: every test has its own.
  [[nodiscard]] static std::uint64_t seed() {
    return (static_cast<std::uint64_t>(GetParam().dtype) * 2) + (GetParam().op == "cummax" ? 0 : 1);
  }
};

/// Every shape with one kind of data, another for each op, dtype and shape: with all of them this
/// would take an hour. The host and GPU tests take the whole product. One shape in three, in each
/// dtype others, where kSanitized.
TEST_P(SimtCumMinMax, EveryShapeAndAxisGivesTheReferencesBits) {
  const auto& [op, dtype] = GetParam();
  ScanGround ground(700 + seed());
  Tally tally;
  std::size_t turn = 5 * seed();
  for (const Scan& scan : all_scans(4096)) {
    Case c = scan_case(op, dtype, scan);
    c.data = c.op->data_kinds[turn++ % c.op->data_kinds.size()];
    if (kSanitized && turn % 3 != 0) continue;
    Bytes input = make_inputs(c).front();
    ground.load(input, dtype, 0);
    check_loaded(ground, c, reference_of(c, input), tally);
  }
  add_to_simt_tally("cummax", tally);
}

TEST_P(SimtCumMinMax, BasesNeedNoMoreAlignmentThanAnElement) {
  ScanGround ground(800 + seed());
  Tally tally;
  const std::vector<Scan> scans{{{1}, 0},       {{3, 17}, 1}, {{5, 64}, 1},
                                {{2, 1025}, 1}, {{4099}, 0},  {{2, 33, 5}, 1}};
  check_offsets(ground, GetParam().op, GetParam().dtype, scans, tally);
  EXPECT_GT(tally.checked["warp_per_row"], 0);  // others are drawn: the GPU tests run them all
  add_to_simt_tally("cummax", tally);
}

INSTANTIATE_TEST_SUITE_P(All, SimtCumMinMax, testing::ValuesIn(combinations({"cummax", "cummin"})),
                         name_of_test);

/// More lines than a grid is wide in y and z: for each variant and shape one op, dtype and kind.
/// Variants that would start more than 100000 threads run on fewer lines.
TEST(SimtCumMinMaxTall, MoreLinesThanAGridIsWideInYAndZ) {
  constexpr std::int64_t kMostThreads = 100000;
  ScanGround ground(900, false, std::int64_t{1} << 40U);
  Tally tally;
  std::size_t turn = 0;
  for (const Variant* variant : variants_of("cummax", Side::cuda, simt::registry())) {
    for (const Scan& scan : {Scan{{65537, 2}, 1}, Scan{{2, 70001}, 0}, Scan{{35000, 2, 2}, 1}}) {
      const Variant* of_cummin = simt::registry().find_variant("cummin", variant->name);
      const bool is_cummax = turn % 2 == 0 || of_cummin == nullptr;
      const char* op = is_cummax ? "cummax" : "cummin";
      Case c = scan_case(op, kAllDTypes[turn % kAllDTypes.size()], scan);
      c.variant = is_cummax ? variant : of_cummin;
      // A variant for one kind of data alone is given that.
      const std::array kinds{"ties", "specials", "document_starts"};
      for (std::size_t i = 0; i < kinds.size(); ++i) {
        c.data = kinds.at((turn + i) % kinds.size());
        if (why_unsupported(*c.variant, c, ground.device()).empty()) break;
      }
      // On a device this large a grid of one wave is all of the work, too.
      if (threads_of(c, *c.variant, simt::simulated_device(1000000)) > kMostThreads) {
        c.shape.dims = scan.dims;
        for (std::int64_t& extent : c.shape.dims) extent = std::min<std::int64_t>(extent, 103);
      }
      Bytes input = make_inputs(c).front();
      ground.load(input, c.dtype, 0);
      check_variant(ground, c, reference_of(c, input), tally);
      ++turn;
    }
  }
  expect_all_variants("cummax", tally);
}

/// Every variant under every schedule on devices of every size, on shapes that take each way
/// through the kernels: rows of several tiles and tails, several rows a block, aligned and not,
/// columns. Half of them where kSanitized.
TEST(SimtCumMinMaxCross, EveryScheduleOnDevicesOfEverySize) {
  struct Path {
    DType dtype;
    Scan scan;
  };
  const std::vector<Path> paths{{DType::float32, {{4600}, 0}},    {DType::float16, {{2, 5001}, 1}},
                                {DType::float64, {{2, 2600}, 1}}, {DType::bfloat16, {{9, 129}, 1}},
                                {DType::int32, {{2, 70, 33}, 1}}, {DType::int64, {{5, 640}, 1}},
                                {DType::float16, {{300, 3}, 0}},  {DType::int64, {{40, 5}, 1}}};
  Tally tally;
  simt::Random draw(600);
  for (const auto& [dtype, scan] : paths) {
    ScanGround ground(601, false);
    for (const int multiprocessors : kMultiprocessors) {
      for (const simt::Order order :
           {simt::Order::ascending, simt::Order::descending, simt::Order::random}) {
        if (kSanitized && draw.below(2) == 0) continue;
        Case c = scan_case(draw.below(2) == 0 ? "cummax" : "cummin", dtype, scan);
        c.data = kOffsetKinds.at(draw.below(kOffsetKinds.size()));
        Bytes input = make_inputs(c).front();
        ground.load(input, dtype, 0);
        ground.fix({{order, draw.below(1000000)},
                    simt::simulated_device(multiprocessors, kThreadsAMultiprocessor.at(draw.below(
                                                                kThreadsAMultiprocessor.size())))});
        check_loaded(ground, c, reference_of(c, input), tally);
      }
    }
  }
  expect_all_variants("cummax", tally);
}

/// On a device of one multiprocessor these are the fewest elements for which tiles are of each
/// size: rows that end within a vector, and two that do not both begin on one.
TEST(SimtCumMinMaxTiles, LookBackWithTilesOfEverySize) {
  struct Path {
    DType dtype;
    std::int64_t length;
  };
  const std::vector<Path> paths{{DType::float32, 1201},  {DType::int64, 1501},
                                {DType::bfloat16, 9001}, {DType::float64, 5001},
                                {DType::float16, 17001}, {DType::int32, 9001},
                                {DType::float32, 36901}, {DType::int64, 24601}};
  Tally tally;
  std::set<std::uint32_t> sizes;
  ScanGround ground(602, false);
  for (const auto& [dtype, length] : paths) {
    for (const Scan& scan : {Scan{{length}, 0}, Scan{{2, (length / 2) + 2}, 1}}) {
      Case c = scan_case("cummax", dtype, scan, "ties");
      c.variant = simt::registry().find_variant("cummax", "lookback");
      Bytes input = make_inputs(c).front();
      ground.load(input, dtype, 0);
      for (const simt::Order order :
           {simt::Order::ascending, simt::Order::descending, simt::Order::random}) {
        ground.fix({{order, 7}, simt::simulated_device(1, 2048)});
        const Geometry g = geometry(*c.variant, c, ground.device());
        sizes.insert(static_cast<std::uint32_t>(g.shared_bytes) + g.block.x);
        check_variant(ground, c, reference_of(c, input), tally, "tiles", 2);
      }
    }
  }
  EXPECT_GE(sizes.size(), 5) << "fewer sizes of tiles than there are";
  add_to_simt_tally("cummax", tally);
}

void check_report(Ground& ground, const ScanReport& report, Tally& tally) {
  ground.load(report.input, report.dtype, 0);
  check_loaded(ground, case_of(report), report.expected, tally, report.id);
}

TEST(SimtCumMinMaxReports, VariantsGiveTheWrittenAnswers) {
  ScanGround ground(300);
  Tally tally;
  for (const ScanReport& report : cumminmax_reports()) check_report(ground, report, tally);
  add_to_simt_tally("cummax", tally);
}

/// Of the patterns one in eleven, in each dtype others.
TEST(SimtCumMinMaxReports, C06PatternsAboutTheEdgesOfChunks) {
  ScanGround ground(400);
  Tally tally;
  for (const DType dtype : kAllDTypes) {
    const std::vector<ScanReport> reports = edge_reports(dtype, 8192);
    for (auto i = static_cast<std::size_t>(dtype) * 2; i < reports.size(); i += 11) {
      check_report(ground, reports[i], tally);
    }
  }
  add_to_simt_tally("cummax", tally);
}

TEST(SimtCumMinMaxReports, C10NoElementsIsNoLaunch) {
  ScanGround ground(500);
  for (const auto& [op, dtype] : combinations({"cummax", "cummin"})) {
    for (const Scan& scan : empty_scans()) {
      Tally tally;
      ground.load({}, dtype, 0);
      const Case c = scan_case(op, dtype, scan);
      check_loaded(ground, c, Outputs(2), tally, "C10");
      EXPECT_FALSE(tally.checked.empty()) << c.problem_id();
      for (const Variant* variant : variants_of(op, Side::cuda, simt::registry())) {
        if (!why_unsupported(*variant, c, ground.device()).empty()) continue;
        EXPECT_EQ(geometry(*variant, c, ground.device()).kernels, 0)
            << c.problem_id() << " " << variant->name;
      }
    }
  }
}

}  // namespace
}  // namespace redux::contract
