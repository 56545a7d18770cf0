// Every CUDA variant of cummax and cummin against the reference and the public reports. Suites
// named Sanitize... are small enough to run under compute-sanitizer.
#include "contract/combinations.hpp"
#include "contract/cumminmax_reports.hpp"
#include "gpu/device_ground.hpp"
#include "gpu/device_streams.hpp"

namespace redux::contract {
namespace {

/// Of this family.
Tally& tally() {
  return device_tallies()["cummax"];
}

/// Three calls over one workspace: what the second and third find there is what the first left.
constexpr int kCalls = 3;

class CumMinMaxCuda : public testing::TestWithParam<Combination> {};

TEST_P(CumMinMaxCuda, EveryKindShapeAndAxisGivesTheReferencesBits) {
  DeviceGround ground;
  check_scans(ground, GetParam().op, GetParam().dtype, all_scans(32768), tally(), kCalls);
}

TEST_P(CumMinMaxCuda, BasesNeedNoMoreAlignmentThanAnElement) {
  DeviceGround ground;
  const std::vector<Scan> scans{{{1}, 0},       {{3, 17}, 1},   {{5, 64}, 1},   {{2, 1025}, 1},
                                {{4099}, 0},    {{40001}, 0},   {{200001}, 0},  {{2, 33, 5}, 1},
                                {{600, 64}, 0}, {{33, 600}, 0}, {{20000, 3}, 0}};
  check_offsets(ground, GetParam().op, GetParam().dtype, scans, tally());
}

INSTANTIATE_TEST_SUITE_P(All, CumMinMaxCuda, testing::ValuesIn(combinations({"cummax", "cummin"})),
                         name_of_test);

/// One row that ends within a vector, and two that do not both begin on one, as long as it takes
/// for look-back's tiles to be of each size on this device.
TEST(CumMinMaxCudaTiles, LookBackWithTilesOfEverySize) {
  DeviceGround ground;
  std::set<std::size_t> shared_bytes;
  for (const DType dtype : kAllDTypes) {
    for (const std::int64_t vectors : {400, 700, 1500, 5000, 13000}) {
      const std::int64_t length =
          vectors * device_facts().multiprocessors * (16 / static_cast<int>(size_of(dtype)));
      for (const Scan& scan : {Scan{{length + 1}, 0}, Scan{{2, (length / 2) + 1}, 1}}) {
        Case c = scan_case("cummax", dtype, scan, "ties");
        Bytes input = make_inputs(c).front();
        ground.load(input, dtype, 0);
        c.variant = Registry::instance().find_variant("cummax", "lookback");
        check_variant(ground, c, reference_of(c, input), tally(), "tiles", kCalls);
        shared_bytes.insert(geometry(*c.variant, c, device_facts()).shared_bytes);
      }
    }
  }
  EXPECT_GE(shared_bytes.size(), 4) << "fewer sizes than lookback has";
}

class SanitizeCumMinMax : public testing::TestWithParam<Combination> {};

TEST_P(SanitizeCumMinMax, SmallShapesAtOddBases) {
  DeviceGround ground;
  const auto& [op, dtype] = GetParam();
  const std::vector<Scan> scans{{{1}, 0},     {{33, 7}, 1},     {{3, 257}, 1}, {{2, 5003}, 1},
                                {{40001}, 0}, {{2, 70, 33}, 1}, {{300, 3}, 0}, {{40, 600}, 0}};
  std::size_t turn = 0;
  for (const Scan& scan : scans) {
    for (const std::int64_t offset : {0, 1}) {
      Case c = scan_case(op, dtype, scan, kOffsetKinds.at(turn++ % kOffsetKinds.size()));
      Bytes input = make_inputs(c).front();
      ground.load(input, dtype, offset);
      ground.offset_outputs(offset);
      check_loaded(ground, c, reference_of(c, input), tally(), "small", 2);
    }
    ++turn;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SanitizeCumMinMax,
                         testing::ValuesIn(combinations({"cummax", "cummin"})), name_of_test);

void check_report(DeviceGround& ground, const ScanReport& report) {
  ground.load(report.input, report.dtype, 0);
  check_loaded(ground, case_of(report), report.expected, tally(), report.id);
}

TEST(CumMinMaxCudaReports, VariantsGiveTheWrittenAnswers) {
  DeviceGround ground;
  for (const ScanReport& report : cumminmax_reports()) check_report(ground, report);
}

TEST(CumMinMaxCudaReports, C06PatternsAboutTheEdgesOfChunks) {
  DeviceGround ground;
  for (const DType dtype : kAllDTypes) {
    for (const ScanReport& report : edge_reports(dtype, 32768)) check_report(ground, report);
  }
}

TEST(CumMinMaxCudaReports, C10NoElementsIsNoLaunch) {
  DeviceGround ground;
  for (const auto& [op, dtype] : combinations({"cummax", "cummin"})) {
    for (const Scan& scan : empty_scans()) {
      ground.load({}, dtype, 0);
      const Case c = scan_case(op, dtype, scan);
      check_loaded(ground, c, Outputs(2), tally(), "C10");
      for (const Variant* variant : variants_of(op, Side::cuda)) {
        if (!why_unsupported(*variant, c, device_facts()).empty()) continue;
        EXPECT_EQ(geometry(*variant, c, device_facts()).kernels, 0)
            << c.problem_id() << " " << variant->name;
      }
    }
  }
}

TEST(CumMinMaxCudaReports, EveryWordOfTheAlphabet) {
  DeviceGround ground;
  for (const char* op : {"cummax", "cummin"}) {
    for (const DType dtype : {DType::float16, DType::bfloat16, DType::float32, DType::float64}) {
      for (std::int64_t length = 1; length <= 6; ++length) {
        for (const bool as_columns : {false, true}) {
          check_report(ground, words_report(op, dtype, length, 0, 1, as_columns));
        }
      }
    }
  }
}

/// Lines short and long, along rows and columns, and more tiles than blocks are resident.
std::vector<Case> streamed_cases() {
  return {scan_case("cummax", DType::float32, {{65536}, 0}),
          scan_case("cummin", DType::float16, {{8, 40001}, 1}, "ties"),
          scan_case("cummax", DType::int64, {{131072}, 0}, "document_starts"),
          scan_case("cummin", DType::float64, {{3, 300001}, 1}, "nan_middle"),
          scan_case("cummax", DType::int32, {{4096, 64}, 0}, "ties")};
}

/// A thousand times where calls leave something to each other, some otherwise: the slowest variants
/// take a tenth of a second here.
TEST(CumMinMaxCudaStreams, AGraphReplayedAThousandTimes) {
  for (const Case& c : streamed_cases()) {
    check_replays(c, 2, 1000, tally(), Replayed::keeping_words);
    check_replays(c, 2, 20, tally());
  }
}

TEST(CumMinMaxCudaStreams, TwoStreamsWithWorkspacesOfTheirOwnOverlap) {
  for (const Case& c : streamed_cases()) check_two_streams(c, 20, tally());
}

/// The 16 bits of a call's number that the words of look-back have go round.
TEST(CumMinMaxCudaStreams, MoreCallsOverOneWorkspaceThanSixteenBitsCount) {
  check_replays(scan_case("cummax", DType::float32, {{20001}, 0}, "ties"), 100, 660, tally(),
                Replayed::keeping_words);
}

}  // namespace
}  // namespace redux::contract
