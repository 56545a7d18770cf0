// All rows of up to six elements over {-inf, -1, -0, +0, 1, +inf, NaN}, and all triples of them
// where parts of a long row meet, against first_best(), which knows nothing of the reference.
#include "contract/alphabet.hpp"
#include "contract/argminmax_property.hpp"
#include "contract/argminmax_reports.hpp"
#include "simt/rotating_ground.hpp"

namespace redux::contract {
namespace {

struct Policy {
  const char* op;
  Nan nan;
};
constexpr std::array kPolicies{Policy{"argmax", Nan::skip}, Policy{"argmin", Nan::propagate},
                               Policy{"argmax", Nan::propagate}, Policy{"argmin", Nan::skip}};

/// The words from `first` on in steps, a row each, with the answers.
Report report_of(DType dtype, std::int64_t length, std::int64_t first, std::int64_t step,
                 const Policy& policy) {
  std::vector<double> values;
  std::int64_t rows = 0;
  for (std::int64_t word = first; word < words_of(length); word += step, ++rows) {
    for (std::int64_t place = 0; place < length; ++place) values.push_back(letter(word, place));
  }
  Report report{"alphabet", policy.op, dtype, rows, length, policy.nan, encode(dtype, values), {}};
  for (std::int64_t row = 0; row < rows; ++row) report.expected.push_back(first_best(report, row));
  return report;
}

/// Words of these variants, which give at least 256 threads to a row, take nearly all of the time.
bool is_block_wide(const Case& c, const Variant& variant) {
  return threads_of(c, variant, simt::simulated_device()) >= 256 * c.shape.dims.front();
}

/// Each variant sees each word with each op and policy; where `once`, variants with a block a row
/// see each word with one of the four, a quarter of the words with each, and another quarter than
/// the next variant. So together they see each with all four. One op and policy a call.
void check_words(RotatingGround& ground, DType dtype, std::int64_t length, bool once, std::size_t p,
                 Tally& tally) {
  const auto run = [&](const Variant& variant, const Report& report) {
    Case c = case_of(report);
    c.variant = simt::registry().find_variant(report.op, variant.name);
    check_variant(ground, c, answers_of(report), tally, "alphabet");
  };
  const std::vector<const Variant*> variants = variants_of("argmax", Side::cuda, ground.registry());
  const Case shape = make_case("argmax", dtype, {words_of(length), length});
  const Report whole = report_of(dtype, length, 0, 1, kPolicies[p]);
  ground.load(whole.input, dtype, 0);
  for (const Variant* variant : variants) {
    if (!once || !is_block_wide(shape, *variant)) run(*variant, whole);
  }
  if (!once) return;
  constexpr std::size_t kQuarters = kPolicies.size();
  for (std::size_t quarter = 0; quarter < kQuarters; ++quarter) {
    const Report part =
        report_of(dtype, length, static_cast<std::int64_t>(quarter), kQuarters, kPolicies[p]);
    ground.load(part.input, dtype, 0);
    for (std::size_t v = 0, wide = 0; v < variants.size(); ++v) {
      if (!is_block_wide(shape, *variants[v])) continue;
      if (wide++ % kQuarters == (quarter + p) % kQuarters) run(*variants[v], part);
    }
  }
}

/// A dtype and which of kPolicies: tests of their own, so that they can run side by side.
using Words = std::tuple<DType, std::size_t>;
class SimtAlphabet : public testing::TestWithParam<Words> {};

/// In float32 up to six elements; in the other types, whose kernels differ in how an element
/// becomes a key and in how many a vector holds, up to four. The longest words once, and where
/// kSanitized with the first op and policy alone: elsewhere up to five.
TEST_P(SimtAlphabet, EveryWord) {
  const auto& [dtype, policy] = GetParam();
  const bool all = !kSanitized || policy == 0;
  const std::int64_t longest = dtype == DType::float32 ? (all ? 6 : 5) : 4;
  const auto seed = (static_cast<std::uint64_t>(dtype) * kPolicies.size()) + policy;
  RotatingGround ground(seed, false, std::int64_t{1} << 40U);
  Tally tally;
  for (std::int64_t length = 1; length <= longest; ++length) {
    check_words(ground, dtype, length, length >= 4, policy, tally);
  }
  expect_all_variants("argmax", tally);
}

std::string name_of_words(const testing::TestParamInfo<Words>& info) {
  const auto& [dtype, policy] = info.param;
  const Policy& of = kPolicies[policy];
  return std::string(name_of(dtype)) + "_" + of.op + "_" + std::string(name_of(of.nan));
}

INSTANTIATE_TEST_SUITE_P(All, SimtAlphabet,
                         testing::Combine(testing::Values(DType::float16, DType::bfloat16,
                                                          DType::float32, DType::float64),
                                          testing::Range(std::size_t{0}, kPolicies.size())),
                         name_of_words);

/// Where parts of one row of 9000 float32 meet on a device of 2 multiprocessors. `blocks` is the
/// geometry that the places were worked out for.
struct Seam {
  const char* variant;
  std::uint32_t blocks;
  std::array<std::size_t, 3> places;
};
constexpr std::array kSeams{
    Seam{"cooperative", 8, {255, 256, 2048}}, Seam{"cooperative_int64", 8, {255, 256, 2048}},
    Seam{"single_pass", 5, {1823, 1824, 3648}}, Seam{"cluster", 4, {2271, 2272, 4544}},
    Seam{"two_stage", 3, {4095, 4096, 8192}}};

class SimtSeams : public testing::TestWithParam<Seam> {};

/// All triples, in a row of what cannot win.
TEST_P(SimtSeams, EveryTripleWherePartsMeet) {
  constexpr std::int64_t kCols = 9000;
  const Seam& seam = GetParam();
  SimtGround ground({{}, simt::simulated_device(2)});
  simt::Random draw(seam.places[0]);
  Tally tally;
  for (const Policy& policy : kPolicies) {
    const double worst = std::string_view(policy.op) == "argmax" ? -kInf : kInf;
    std::vector<double> row(kCols, worst);
    for (std::int64_t word = 0; word < words_of(3); ++word) {
      for (std::size_t i = 0; i < 3; ++i) {
        row[seam.places[i]] = letter(word, static_cast<std::int64_t>(i));
      }
      Report report{
          "seam", policy.op, DType::float32, 1, kCols, policy.nan, encode(DType::float32, row), {}};
      report.expected = {first_best(report, 0)};
      Case c = case_of(report);
      c.variant = simt::registry().find_variant(policy.op, seam.variant);
      const Geometry g = geometry(*c.variant, c, ground.device());
      ASSERT_EQ(g.grid.x * g.grid.y, seam.blocks) << "the places are no seams any more";
      ground.setting().schedule = draw_schedule(draw, threads_of(c, *c.variant, ground.device()));
      ground.load(report.input, DType::float32, 0);
      check_variant(ground, c, answers_of(report), tally, "word " + std::to_string(word));
    }
  }
  EXPECT_EQ(tally.checked[seam.variant], 4 * words_of(3));
  add_to_simt_tally("argmax", tally);
}

std::string name_of_seam(const testing::TestParamInfo<Seam>& info) {
  return info.param.variant;
}

INSTANTIATE_TEST_SUITE_P(All, SimtSeams, testing::ValuesIn(kSeams), name_of_seam);

}  // namespace
}  // namespace redux::contract
