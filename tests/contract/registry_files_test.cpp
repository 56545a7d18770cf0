// Adding a variant is adding a file: every variant has a file of its own, and every variant file
// registers one.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "core/registry.hpp"

namespace redux {
namespace {

namespace fs = std::filesystem;

fs::path kernels() {
  return fs::weakly_canonical(fs::path(REDUX_SOURCE_DIR) / "kernels");
}

bool is_variant_file(const fs::path& file) {
#ifdef REDUX_HAVE_CUDA
  if (file.extension() == ".cu") return true;
#endif
  return file.extension() == ".cpp" && file.filename().string().starts_with("host_");
}

std::set<fs::path> files_on_disk() {
  std::set<fs::path> files;
  for (const auto& folder : fs::directory_iterator(kernels())) {
    if (!folder.is_directory() || folder.path().filename() == "common") continue;
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (is_variant_file(entry.path())) files.insert(fs::relative(entry.path(), kernels()));
    }
  }
  return files;
}

/// Registered sources, each with the names of the variants that it registers.
std::map<fs::path, std::set<std::string>> registered() {
  std::map<fs::path, std::set<std::string>> sources;
  for (const Op* op : Registry::instance().ops()) {
    for (const Variant* variant : Registry::instance().variants(op->name)) {
      const fs::path source = fs::weakly_canonical(variant->source);
      sources[fs::relative(source, kernels())].insert(variant->name);
    }
  }
  return sources;
}

TEST(RegistryFiles, EachVariantFileRegistersAndEachVariantHasItsFile) {
  std::set<fs::path> sources;
  for (const auto& [source, names] : registered()) sources.insert(source);
  EXPECT_EQ(sources, files_on_disk());
  EXPECT_FALSE(sources.empty());
}

TEST(RegistryFiles, AFileHoldsOneVariant) {
  for (const auto& [source, names] : registered()) {
    EXPECT_EQ(names.size(), 1U) << source << " registers " << *names.begin() << " and others";
  }
}

TEST(RegistryFiles, EveryVariantDescribesItselfAndCanRun) {
  for (const Op* op : Registry::instance().ops()) {
    for (const Variant* variant : Registry::instance().variants(op->name)) {
      const std::string id = op->name + "/" + variant->name;
      EXPECT_FALSE(variant->about.empty()) << id;
      EXPECT_EQ(variant->about.find('\n'), std::string::npos) << id;
      EXPECT_NE(variant->run, nullptr) << id;
      EXPECT_EQ(variant->launch == nullptr, variant->side == Side::host) << id;
      EXPECT_GE(variant->workspace_alignment, 1U) << id;
    }
  }
}

TEST(RegistryFiles, EveryOpIsWholeAndHasAHostVariant) {
  for (const Op* op : Registry::instance().ops()) {
    EXPECT_FALSE(op->about.empty()) << op->name;
    EXPECT_NE(op->check, nullptr) << op->name;
    EXPECT_NE(op->inputs, nullptr) << op->name;
    EXPECT_NE(op->outputs, nullptr) << op->name;
    EXPECT_NE(op->reference, nullptr) << op->name;
    EXPECT_NE(op->bytes_moved, nullptr) << op->name;
    const auto variants = Registry::instance().variants(op->name);
    ASSERT_FALSE(variants.empty()) << op->name;
    EXPECT_EQ(variants.front()->side, Side::host) << op->name;
  }
}

}  // namespace
}  // namespace redux
