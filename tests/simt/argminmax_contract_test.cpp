// Every CUDA variant of argmax and argmin in the SIMT executor, against the reference and the
// public reports, spread over schedules and simulated devices.
#include "contract/argminmax_property.hpp"
#include "contract/argminmax_reports.hpp"
#include "contract/argminmax_shapes.hpp"
#include "contract/combinations.hpp"
#include "simt/rotating_ground.hpp"

namespace redux::contract {
namespace {

class SimtArgMinMax : public testing::TestWithParam<Combination> {
 protected:
  /// For the draws: every test has its own.
  [[nodiscard]] static std::uint64_t seed() {
    return (static_cast<std::uint64_t>(GetParam().dtype) * 2) + (GetParam().op == "argmax" ? 0 : 1);
  }
};

/// The whole product where a launch is one small block, else what RotatingGround draws of it. The
/// host and GPU tests run the whole product.
TEST_P(SimtArgMinMax, EveryKindPolicyAndShapeGivesTheReferencesBits) {
  const auto& [op, dtype] = GetParam();
  RotatingGround ground(seed());
  std::vector<Extents> shapes = awkward_shapes(dtype);
  std::erase_if(shapes, [](const Extents& shape) { return shape.rows > 33; });
  Tally tally;
  check_all(ground, op, dtype, shapes, tally);
  expect_all_variants("argmax", tally);
}

/// Bases aligned to an element alone, with one kind of data for each width, offset and policy.
TEST_P(SimtArgMinMax, BasesNeedNoMoreAlignmentThanAnElement) {
  const auto& [op, dtype] = GetParam();
  RotatingGround ground(100 + seed());
  Tally tally;
  const auto offsets = std::max<std::int64_t>(static_cast<std::int64_t>(16 / size_of(dtype)), 2);
  constexpr std::array kKinds{"random", "first", "last", "nan_middle"};
  std::size_t turn = 0;
  for (const std::int64_t rows : {1, 3}) {
    for (const std::int64_t cols : {1, 17, 64, 129, 1000, 4099, 40001}) {
      for (std::int64_t offset = 1; offset < offsets; ++offset) {
        for (const Nan nan : {Nan::skip, Nan::propagate}) {
          const char* kind = kKinds[turn++ % kKinds.size()];
          const Case c = make_case(op, dtype, {rows, cols}, kind, nan);
          Bytes input = make_inputs(c).front();
          ground.load(input, dtype, offset);
          check_loaded(ground, c, reference_of(c, input), tally,
                       "base offset by " + std::to_string(offset));
        }
      }
      ++turn;
    }
  }
  expect_all_variants("argmax", tally);
}

INSTANTIATE_TEST_SUITE_P(All, SimtArgMinMax, testing::ValuesIn(combinations({"argmax", "argmin"})),
                         name_of_test);

/// 65537 rows: for each variant and width one op, dtype, kind and policy, so that all of them are
/// met. Variants with a block a row would start 17 million threads, half a minute each: they run on
/// fewer rows here, where kSanitized all variants do, and on all of them on a GPU.
TEST(SimtArgMinMaxTall, MoreRowsThanAGridIsWideInYAndZ) {
  constexpr std::int64_t kRows = 65537;
  constexpr std::array<std::int64_t, 5> kWidths{1, 2, 33, 129, 1000};
  RotatingGround ground(200, false, std::int64_t{1} << 40U);
  Tally tally;
  std::size_t turn = 0;
  for (const Variant* variant : variants_of("argmax", Side::cuda, simt::registry())) {
    for (std::size_t width = 0; width < kWidths.size(); ++width, ++turn) {
      const DType dtype = kWidths[width] == 1000 ? DType::float16 : kAllDTypes[turn % 6];
      const char* op = turn % 2 == 0 ? "argmax" : "argmin";
      Case c = make_case(op, dtype, {kRows, kWidths[width]});
      c.attributes.nan = turn / 2 % 2 == 0 ? Nan::skip : Nan::propagate;
      c.data = c.op->data_kinds[turn % c.op->data_kinds.size()];
      c.variant = simt::registry().find_variant(op, variant->name);
      const std::int64_t most_threads = kSanitized ? 300000 : 4000000;
      if (threads_of(c, *c.variant, ground.device()) > most_threads) {
        c.shape.dims.front() = 1031;
      }
      Bytes input = make_inputs(c).front();
      ground.load(input, dtype, 0);
      check_variant(ground, c, reference_of(c, input), tally);
    }
  }
  expect_all_variants("argmax", tally);
}

/// Every variant under every schedule on every device (half of them where kSanitized), on shapes
/// that take each way through the kernels: rows of several blocks and tails, several rows a block,
/// aligned and not, keys of 32 and 64 bits.
TEST(SimtArgMinMaxCross, EveryScheduleOnEveryDevice) {
  struct Path {
    DType dtype;
    Extents shape;
  };
  const std::vector<Path> paths{{DType::float32, {1, 12000}}, {DType::float16, {2, 20001}},
                                {DType::float64, {2, 6001}},  {DType::bfloat16, {9, 129}},
                                {DType::int32, {3, 8300}},    {DType::int64, {5, 1024}}};
  Tally tally;
  simt::Random draw(600);
  for (const auto& [dtype, shape] : paths) {
    SimtGround ground;
    for (const char* kind : {"ties", "nan_middle"}) {
      Case c = make_case("argmax", dtype, {shape.rows, shape.cols}, kind);
      Bytes input = make_inputs(c).front();
      ground.load(input, dtype, 0);
      for (const DeviceFacts& device : simulated_devices()) {
        for (const char* schedule : {"in-order", "reverse", "random:0", "random:0"}) {
          if (kSanitized && draw.below(2) == 0) continue;
          c.op = Registry::instance().find_op(draw.below(2) == 0 ? "argmax" : "argmin");
          c.attributes.nan = draw.below(2) == 0 ? Nan::skip : Nan::propagate;
          ground.setting() = {*simt::schedule_of(schedule), device};
          if (ground.setting().schedule.order == simt::Order::random) {
            ground.setting().schedule.seed = draw.below(1000000);
          }
          check_loaded(ground, c, reference_of(c, input), tally);
        }
      }
    }
  }
  expect_all_variants("argmax", tally);
}

/// A schedule is the same each time, so that more than three calls show nothing new; neither does
/// more than one where a row's work, and with it the minutes, is in its length.
void check_report(Ground& ground, const Report& report, Tally& tally) {
  constexpr int kMostCalls = 3;
  const bool large = report.rows * report.cols > 10000;
  ground.load(report.input, report.dtype, 0);
  check_loaded(ground, case_of(report), answers_of(report), tally, report.id,
               large ? 1 : std::min(report.calls, kMostCalls));
}

/// Launches of more than 200000 threads are left out: the reports' rows by the hundred thousand are
/// for the host and GPU tests, which run all reports.
TEST(SimtArgMinMaxReports, VariantsGiveTheWrittenAnswers) {
  RotatingGround ground(300, true, 200000);
  Tally tally;
  for (const Report& report : argminmax_reports()) check_report(ground, report, tally);
  expect_all_variants("argmax", tally);
}

TEST(SimtArgMinMaxReports, A09IndexIsAlwaysTheFirstBestElement) {
  RotatingGround ground(400);
  Tally tally;
  // Each width in one of its four reports; the host and GPU tests run all of them.
  const auto reports = property_reports();
  for (std::size_t i = 0; i < reports.size(); i += 4) {
    check_report(ground, reports[i + (i / 4 % 4)], tally);
  }
  expect_all_variants("argmax", tally);
}

TEST(SimtArgMinMaxReports, A30NoRowsIsNoLaunchAndNoOutput) {
  RotatingGround ground(500);
  Tally tally;
  for (const auto& [op, dtype] : combinations({"argmax", "argmin"})) {
    ground.load({}, dtype, 0);
    const Case c = make_case(op, dtype, {0, 5});
    check_loaded(ground, c, Outputs(1), tally, "A30");
    for (const Variant* variant : variants_of(op, Side::cuda, simt::registry())) {
      EXPECT_EQ(geometry(*variant, c, ground.device()).kernels, 0) << variant->name;
    }
  }
  expect_all_variants("argmax", tally);
}

}  // namespace
}  // namespace redux::contract
