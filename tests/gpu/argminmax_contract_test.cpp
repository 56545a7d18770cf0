// Every CUDA variant of argmax and argmin against the reference and the public reports. Suites
// named Sanitize... are small enough to run under compute-sanitizer.
#include "contract/argminmax_property.hpp"
#include "contract/argminmax_reports.hpp"
#include "contract/argminmax_shapes.hpp"
#include "contract/combinations.hpp"
#include "gpu/device_ground.hpp"
#include "gpu/device_streams.hpp"

namespace redux::contract {
namespace {

/// Of this family.
Tally& tally() {
  return device_tallies()["argmax"];
}

/// Three calls over one workspace: what the second and third find there is what the first left.
constexpr int kCalls = 3;

class ArgMinMaxCuda : public testing::TestWithParam<Combination> {};

TEST_P(ArgMinMaxCuda, EveryKindPolicyAndShapeGivesTheReferencesBits) {
  DeviceGround ground;
  const auto& [op, dtype] = GetParam();
  check_all(ground, op, dtype, awkward_shapes(dtype), tally(), kCalls);
}

TEST_P(ArgMinMaxCuda, BasesNeedNoMoreAlignmentThanAnElement) {
  DeviceGround ground;
  check_offsets(ground, GetParam().op, GetParam().dtype, tally());
}

INSTANTIATE_TEST_SUITE_P(All, ArgMinMaxCuda, testing::ValuesIn(combinations({"argmax", "argmin"})),
                         name_of_test);

class SanitizeArgMinMax : public testing::TestWithParam<Combination> {};

TEST_P(SanitizeArgMinMax, SmallShapesAtOddBases) {
  DeviceGround ground;
  const auto& [op, dtype] = GetParam();
  const std::vector<Extents> shapes{{1, 1}, {33, 7}, {3, 257}, {2, 5003}, {1, 40001}};
  for (const Extents& shape : shapes) {
    Case c = make_case(op, dtype, {shape.rows, shape.cols});
    for (const char* kind : {"ties", "nan_middle"}) {
      c.data = kind;
      Bytes input = make_inputs(c).front();
      for (const std::int64_t offset : {0, 1}) {
        ground.load(input, dtype, offset);
        for (const Nan nan : {Nan::skip, Nan::propagate}) {
          c.attributes.nan = nan;
          check_loaded(ground, c, reference_of(c, input), tally(), "small", 2);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SanitizeArgMinMax,
                         testing::ValuesIn(combinations({"argmax", "argmin"})), name_of_test);

void check_report(DeviceGround& ground, const Report& report) {
  ground.load(report.input, report.dtype, 0);
  check_loaded(ground, case_of(report), answers_of(report), tally(), report.id, report.calls);
}

TEST(ArgMinMaxCudaReports, VariantsGiveTheWrittenAnswers) {
  DeviceGround ground;
  for (const Report& report : argminmax_reports()) check_report(ground, report);
}

TEST(ArgMinMaxCudaReports, A09IndexIsAlwaysTheFirstBestElement) {
  DeviceGround ground;
  for (const Report& report : property_reports()) check_report(ground, report);
}

TEST(ArgMinMaxCudaReports, A30NoRowsIsNoOutput) {
  DeviceGround ground;
  for (const char* op : {"argmax", "argmin"}) {
    for (const DType dtype : kAllDTypes) {
      ground.load({}, dtype, 0);
      const Case c = make_case(op, dtype, {0, 5});
      check_loaded(ground, c, Outputs(1), tally(), "A30");
      for (const Variant* variant : variants_of(op, Side::cuda)) {
        EXPECT_EQ(geometry(*variant, c, device_facts()).kernels, 0) << variant->name;
      }
    }
  }
}

std::vector<Case> streamed_cases() {
  return {make_case("argmax", DType::float32, {1, 32000}),
          make_case("argmin", DType::float16, {8, 40001}, "ties"),
          make_case("argmax", DType::int64, {3, 300000}),
          make_case("argmin", DType::float64, {65537, 33}, "ties"),
          make_case("argmax", DType::bfloat16, {1, 1048577}, "nan_middle", Nan::propagate)};
}

TEST(ArgMinMaxCudaStreams, AGraphOfFourCallsReplayedFiftyTimes) {
  for (const Case& c : streamed_cases()) check_replays(c, 4, 50, tally());
}

TEST(ArgMinMaxCudaStreams, TwoStreamsWithWorkspacesOfTheirOwnOverlap) {
  for (const Case& c : streamed_cases()) check_two_streams(c, 20, tally());
}

}  // namespace
}  // namespace redux::contract
