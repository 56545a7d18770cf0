#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "core/registry.hpp"

namespace redux {
namespace {

Variant named(std::string op, std::string name, Side side) {
  Variant variant;
  variant.op = std::move(op);
  variant.name = std::move(name);
  variant.side = side;
  return variant;
}

TEST(RegistryLookup, FindsByNameAndOrdersHostFirst) {
  Registry registry;
  registry.add(named("b", "zeta", Side::host));
  registry.add(named("b", "alpha", Side::cuda));
  registry.add(named("b", "eta", Side::host));
  registry.add(named("a", "alpha", Side::cuda));
  std::vector<std::string> names;
  for (const Variant* variant : registry.variants("b")) names.push_back(variant->name);
  EXPECT_EQ(names, (std::vector<std::string>{"eta", "zeta", "alpha"}));
  ASSERT_NE(registry.find_variant("a", "alpha"), nullptr);
  EXPECT_EQ(registry.find_variant("a", "alpha")->op, "a");
  EXPECT_EQ(registry.find_variant("a", "eta"), nullptr);
  EXPECT_EQ(registry.find_op("a"), nullptr);
  EXPECT_TRUE(registry.variants("c").empty());
}

TEST(RegistryLookup, PointersOutliveLaterRegistrations) {
  Registry registry;
  registry.add(named("a", "first", Side::host));
  const Variant* first = registry.find_variant("a", "first");
  for (int i = 0; i < 100; ++i) {
    std::string name = "v";
    name += std::to_string(i);
    registry.add(named("a", name, Side::host));
  }
  EXPECT_EQ(registry.find_variant("a", "first"), first);
  EXPECT_EQ(first->name, "first");
}

TEST(RegistryLookup, TwiceTheSameNameIsAnError) {
  Registry registry;
  registry.add(named("a", "x", Side::host));
  EXPECT_THROW(registry.add(named("a", "x", Side::cuda)), std::logic_error);
  Op op;
  op.name = "a";
  registry.add(op);
  EXPECT_THROW(registry.add(op), std::logic_error);
}

TEST(RegistryLookup, MembersThatAreNullMeanTheSimplest) {
  const Variant variant = named("a", "x", Side::host);
  EXPECT_EQ(why_unsupported(variant, {}, {}), "");
  EXPECT_EQ(workspace_bytes(variant, {}, {}), 0U);
  EXPECT_EQ(geometry(variant, {}, {}).kernels, 1);
}

TEST(RegistryLookup, ArgmaxAndArgminHaveBothHostVariants) {
  for (const char* op : {"argmax", "argmin"}) {
    ASSERT_NE(Registry::instance().find_op(op), nullptr);
    for (const char* name : {"host_serial", "host_parallel"}) {
      const Variant* variant = Registry::instance().find_variant(op, name);
      ASSERT_NE(variant, nullptr) << op << "/" << name;
      EXPECT_EQ(variant->op, op);
      EXPECT_EQ(variant->side, Side::host);
    }
  }
}

}  // namespace
}  // namespace redux
