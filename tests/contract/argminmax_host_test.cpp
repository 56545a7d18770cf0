// Every host variant of argmax and argmin, and the reference itself.
#include "contract/argminmax_property.hpp"
#include "contract/argminmax_reports.hpp"
#include "contract/argminmax_shapes.hpp"
#include "contract/combinations.hpp"
#include "contract/host_ground.hpp"

namespace redux::contract {
namespace {

class ArgMinMaxHost : public testing::TestWithParam<Combination> {};

TEST_P(ArgMinMaxHost, EveryKindPolicyAndShapeGivesTheReferencesBits) {
  HostGround ground;
  Tally tally;
  check_all(ground, GetParam().op, GetParam().dtype, awkward_shapes(GetParam().dtype), tally);
  EXPECT_EQ(tally.checked.size(), variants_of(GetParam().op, Side::host).size());
  EXPECT_TRUE(tally.unsupported.empty());
}

TEST_P(ArgMinMaxHost, BasesNeedNoMoreAlignmentThanAnElement) {
  HostGround ground;
  Tally tally;
  check_offsets(ground, GetParam().op, GetParam().dtype, tally);
  EXPECT_EQ(tally.checked.size(), variants_of(GetParam().op, Side::host).size());
}

INSTANTIATE_TEST_SUITE_P(All, ArgMinMaxHost, testing::ValuesIn(combinations({"argmax", "argmin"})),
                         name_of_test);

void check_report(HostGround& ground, const Report& report, Tally& tally) {
  ground.load(report.input, report.dtype, 0);
  check_loaded(ground, case_of(report), answers_of(report), tally, report.id, report.calls);
}

TEST(ArgMinMaxReports, HostVariantsGiveTheWrittenAnswers) {
  HostGround ground;
  Tally tally;
  for (const Report& report : argminmax_reports()) check_report(ground, report, tally);
  EXPECT_EQ(tally.checked.size(), variants_of("argmax", Side::host).size());
}

TEST(ArgMinMaxReports, TheReferenceGivesTheWrittenAnswers) {
  for (const Report& report : argminmax_reports()) {
    Bytes input = report.input;
    const Case c = case_of(report);
    EXPECT_EQ(reference_of(c, input), answers_of(report)) << report.id << " " << c.problem_id();
  }
}

TEST(ArgMinMaxReports, A09IndexIsAlwaysTheFirstBestElement) {
  HostGround ground;
  Tally tally;
  for (const Report& report : property_reports()) {
    Bytes input = report.input;
    const Case c = case_of(report);
    EXPECT_EQ(reference_of(c, input), answers_of(report)) << c.problem_id();
    check_report(ground, report, tally);
  }
}

TEST(ArgMinMaxReports, A30NoRowsIsNoOutputAndNoColumnsIsRefused) {
  HostGround ground;
  Tally tally;
  ground.load({}, DType::float32, 0);
  const Case empty = make_case("argmax", DType::float32, {0, 5});
  EXPECT_EQ(empty.op->check(empty), "");
  check_loaded(ground, empty, Outputs(1), tally, "A30");
  EXPECT_FALSE(tally.checked.empty());
  const std::vector<std::vector<std::int64_t>> refused{{3, 0}, {0, 0}, {0}};
  for (const auto& dims : refused) {
    const Case c = make_case("argmax", DType::float32, dims);
    EXPECT_EQ(c.op->check(c), "reduction axis has size 0") << c.problem_id();
  }
}

TEST(ArgMinMaxReports, A31FirstSecondAndLastElementAtEveryOffset) {
  HostGround ground;
  Tally tally;
  for (const DType dtype : kAllDTypes) {
    for (const std::int64_t cols : {17, 1001, 4099}) {
      for (const std::int64_t col : {std::int64_t{0}, std::int64_t{1}, cols - 1}) {
        const Bytes input = encode(dtype, planted(cols, 0, {{col, 1}}));
        const auto offsets = static_cast<std::int64_t>(16 / size_of(dtype));
        for (std::int64_t offset = 0; offset < offsets; ++offset) {
          ground.load(input, dtype, offset);
          check_loaded(ground, make_case("argmax", dtype, {1, cols}),
                       {encode_exactly(std::vector<std::int64_t>{col})}, tally,
                       "A31 offset " + std::to_string(offset));
        }
      }
    }
  }
  EXPECT_FALSE(tally.checked.empty());
}

}  // namespace
}  // namespace redux::contract
