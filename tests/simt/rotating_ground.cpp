#include "simt/rotating_ground.hpp"

#include <filesystem>

namespace redux::contract {
namespace {

using Tallies = std::map<std::string, Tally, std::less<>>;

Tallies& tallies() {
  static Tallies by_family;
  return by_family;
}

/// Lists the variants with their counts where ctest -V and the logs show them.
class PrintTallies : public testing::Environment {
 public:
  void TearDown() override {
    for (const auto& [family, tally] : tallies()) {
      std::printf("variants of %s in the SIMT executor:\n", family.c_str());
      tally.print();
    }
  }
};

const testing::Environment* const g_print_tallies =
    testing::AddGlobalTestEnvironment(new PrintTallies);  // gtest owns it

void add(std::map<std::string, std::int64_t>& to, const std::map<std::string, std::int64_t>& from) {
  for (const auto& [variant, count] : from) to[variant] += count;
}

}  // namespace

void add_to_simt_tally(std::string_view family, const Tally& tally) {
  Tally& whole = tallies()[std::string(family)];
  add(whole.checked, tally.checked);
  add(whole.unsupported, tally.unsupported);
  add(whole.left_out, tally.left_out);
}

void expect_all_variants(std::string_view family, const Tally& tally) {
  const std::vector<const Variant*> variants = variants_of(family, Side::cuda, simt::registry());
  EXPECT_FALSE(variants.empty());
  for (const Variant* variant : variants) {
    const bool of_library =
        std::filesystem::path(variant->source).filename().string().starts_with("cub_");
    EXPECT_EQ(tally.checked.contains(variant->name), !of_library) << variant->name;
    EXPECT_TRUE(!of_library || tally.unsupported.contains(variant->name)) << variant->name;
  }
  add_to_simt_tally(family, tally);
}

}  // namespace redux::contract
