#include "simt/argminmax_settings.hpp"

namespace redux::contract {
namespace {

/// Lists the variants with their counts where ctest -V and the logs show them.
class PrintTally : public testing::Environment {
 public:
  void TearDown() override {
    if (simt_tally().checked.empty()) return;
    std::printf("argmax and argmin in the SIMT executor, by variant:\n");
    simt_tally().print();
  }
};

const testing::Environment* const g_print_tally =
    testing::AddGlobalTestEnvironment(new PrintTally);  // gtest owns it

void add(std::map<std::string, std::int64_t>& to, const std::map<std::string, std::int64_t>& from) {
  for (const auto& [variant, count] : from) to[variant] += count;
}

}  // namespace

std::vector<Combination> combinations(std::span<const DType> dtypes) {
  std::vector<Combination> all;
  for (const DType dtype : dtypes) {
    for (const char* op : {"argmax", "argmin"}) all.push_back({op, dtype});
  }
  return all;
}

std::string name_of_test(const testing::TestParamInfo<Combination>& info) {
  return std::string(name_of(info.param.dtype)) + "_" + info.param.op;
}

Tally& simt_tally() {
  static Tally tally;
  return tally;
}

void add_to_simt_tally(const Tally& tally) {
  add(simt_tally().checked, tally.checked);
  add(simt_tally().unsupported, tally.unsupported);
  add(simt_tally().left_out, tally.left_out);
}

void expect_all_variants(const Tally& tally) {
  const std::vector<const Variant*> variants = variants_of("argmax", Side::cuda, simt::registry());
  EXPECT_FALSE(variants.empty());
  for (const Variant* variant : variants) {
    const bool of_library = variant->name == "cub";
    EXPECT_EQ(tally.checked.contains(variant->name), !of_library) << variant->name;
    EXPECT_EQ(tally.unsupported.contains(variant->name), of_library) << variant->name;
  }
  add_to_simt_tally(tally);
}

}  // namespace redux::contract
