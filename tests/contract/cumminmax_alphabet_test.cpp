// All words of up to six letters over {-inf, -1, -0, +0, 1, +inf, NaN}: the reference and the host
// variants, and the laws that let a scan be cut anywhere.
#include "contract/combinations.hpp"
#include "contract/cumminmax_property.hpp"
#include "contract/host_ground.hpp"
#include "cumminmax/stretch.hpp"

namespace redux::contract {
namespace {

constexpr std::array kFloatTypes{DType::float32, DType::float16, DType::bfloat16, DType::float64};

class CumMinMaxAlphabet : public testing::TestWithParam<Combination> {};

TEST_P(CumMinMaxAlphabet, EveryWordAsARowAndAsAColumn) {
  HostGround ground;
  Tally tally;
  for (std::int64_t length = 1; length <= 6; ++length) {
    for (const bool as_columns : {false, true}) {
      const auto report = words_report(GetParam().op, GetParam().dtype, length, 0, 1, as_columns);
      const Case c = case_of(report);
      Bytes input = report.input;
      expect_outputs(c, reference_of(c, input), report.expected, c.problem_id());
      ground.load(report.input, report.dtype, 0);
      check_loaded(ground, c, report.expected, tally, "alphabet");
    }
  }
  EXPECT_EQ(tally.checked.size(), variants_of("cummax", Side::host).size());
}

/// Both parts of every cut of every word scanned on their own, then the first folded into the
/// second: the operator is associative. Folded once more, nothing changes: it is idempotent.
TEST_P(CumMinMaxAlphabet, ACutAnywhereChangesNothing) {
  for (std::int64_t length = 2; length <= 5; ++length) {
    for (const bool as_columns : {false, true}) {
      const auto report = words_report(GetParam().op, GetParam().dtype, length, 0, 1, as_columns);
      const Case c = case_of(report);
      const AxisView view = cumminmax::axis_of(c);
      Bytes input = report.input;
      const View input_view{input.data(), c.dtype, c.op->inputs(c).front().count()};
      for (std::int64_t cut = 1; cut < length; ++cut) {
        Outputs got{Bytes(report.expected[0].size()), Bytes(report.expected[1].size())};
        const std::array<View, 2> views{View{got[0].data(), c.dtype, input_view.count},
                                        View{got[1].data(), DType::int64, input_view.count}};
        const Problem problem{&c, {&input_view, 1}, views, nullptr, 0};
        for (std::int64_t outer = 0; outer < view.outer; ++outer) {
          cumminmax::scan_stretch(problem, {outer, 0, cut});
          cumminmax::scan_stretch(problem, {outer, cut, length});
          cumminmax::fold_into(problem, {outer, cut, length});
        }
        const std::string where = c.problem_id() + " cut at " + std::to_string(cut);
        expect_outputs(c, got, report.expected, where);
        for (std::int64_t outer = 0; outer < view.outer; ++outer) {
          cumminmax::fold_into(problem, {outer, cut, length});
        }
        expect_outputs(c, got, report.expected, where + ", folded twice");
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, CumMinMaxAlphabet,
                         testing::ValuesIn(combinations({"cummax", "cummin"}, kFloatTypes)),
                         name_of_test);

}  // namespace
}  // namespace redux::contract
