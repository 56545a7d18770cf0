// Words of up to six letters over {-inf, -1, -0, +0, 1, +inf, NaN} as rows and as columns, against
// latest_best(), which knows nothing of the reference; and all triples where tiles of a long row
// meet.
#include "contract/combinations.hpp"
#include "contract/cumminmax_property.hpp"
#include "simt/scan_ground.hpp"

namespace redux::contract {
namespace {

constexpr std::array kFloatTypes{DType::float16, DType::bfloat16, DType::float32, DType::float64};

class SimtScanAlphabet : public testing::TestWithParam<Combination> {};

/// In float32 words of up to six letters, in the other types, whose kernels differ in how many
/// elements a vector holds, of up to four. A variant sees all of them that it can scan with so many
/// threads, else every n-th, from a place of its own on: a block a line would take hours.
TEST_P(SimtScanAlphabet, Words) {
  const auto& [op, dtype] = GetParam();
  const bool is_float32 = dtype == DType::float32;
  const std::int64_t most_threads = is_float32 && !kSanitized ? 100000 : 30000;
  ScanGround ground(static_cast<std::uint64_t>(dtype), false, std::int64_t{1} << 40U);
  simt::Random draw(77);
  Tally tally;
  for (std::int64_t length = 1; length <= (is_float32 ? (kSanitized ? 5 : 6) : 4); ++length) {
    for (const bool as_columns : {false, true}) {
      for (const Variant* variant : variants_of(op, Side::cuda, simt::registry())) {
        const std::int64_t words = words_of(length);
        Case whole =
            scan_case(op, dtype, as_columns ? Scan{{length, words}, 0} : Scan{{words, length}, 1});
        const DeviceFacts device = simt::simulated_device();
        if (!why_unsupported(*variant, whole, device).empty()) continue;
        // Where a few blocks stride over many lines, it is the lines that take the time.
        const Geometry g = geometry(*variant, whole, device);
        const std::int64_t threads = std::max<std::int64_t>(
            threads_of(whole, *variant, device), as_columns || g.block.y > 1 ? 0 : words * 32);
        const std::int64_t step =
            std::max<std::int64_t>((threads + most_threads - 1) / most_threads, 1);
        const auto first = static_cast<std::int64_t>(
            draw.below(static_cast<std::uint64_t>(std::min(step, words))));
        const ScanReport report = words_report(op, dtype, length, first, step, as_columns);
        Case c = case_of(report);
        c.variant = variant;
        ground.load(report.input, dtype, 0);
        check_variant(ground, c, report.expected, tally, "alphabet");
      }
    }
  }
  add_to_simt_tally("cummax", tally);
  EXPECT_FALSE(tally.checked.empty());
}

INSTANTIATE_TEST_SUITE_P(All, SimtScanAlphabet,
                         testing::ValuesIn(combinations({"cummax", "cummin"}, kFloatTypes)),
                         name_of_test);

/// All triples in rows of 4099 float32 that are -1 elsewhere, about 2048 and 4096: tiles are of
/// powers of two up to 4096. The columns between stay as they are, so that ties go across, too.
/// Each variant sees a quarter of the triples with each op and place, so all of them once; a
/// twelfth, so a third, where kSanitized.
TEST(SimtScanSeams, EveryTripleWhereTilesMeet) {
  constexpr std::int64_t kCols = 4099;
  ScanGround ground(88, false);
  Tally tally;
  std::int64_t quarter = 0;
  for (const char* op : {"cummax", "cummin"}) {
    for (const std::int64_t edge : {2048, 4096}) {
      std::int64_t turn = quarter++;
      for (const Variant* variant : variants_of(op, Side::cuda, simt::registry())) {
        std::vector<double> rows;
        std::int64_t count = 0;
        const std::int64_t step = kSanitized ? 12 : 4;
        for (std::int64_t word = turn++ % 4; word < words_of(3); word += step, ++count) {
          rows.resize(rows.size() + static_cast<std::size_t>(kCols), -1);
          for (std::int64_t i = 0; i < 3; ++i) {
            rows[static_cast<std::size_t>((count * kCols) + edge - 1 + i)] = letter(word, i);
          }
        }
        Case c = scan_case(op, DType::float32, {{count, kCols}, 1}, "specials");
        c.variant = variant;
        Bytes input = encode(c.dtype, rows);
        ground.load(input, c.dtype, 0);
        check_variant(ground, c, reference_of(c, input), tally, "about " + std::to_string(edge));
      }
    }
  }
  for (const auto& [variant, count] : tally.checked) {
    EXPECT_EQ(count + tally.left_out[variant], 4) << variant;
  }
  for (const char* name : {"block_per_row", "cluster", "lookback", "two_pass"}) {
    EXPECT_EQ(tally.checked[name], 4) << name;
  }
  add_to_simt_tally("cummax", tally);
}

}  // namespace
}  // namespace redux::contract
