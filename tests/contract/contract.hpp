// What every variant must do, whichever side it runs on: the reference's bits in all of its
// outputs, wherever memory starts, without touching anything else. A Ground is where variants run;
// the comparisons here know nothing of devices, and each family lists its own shapes and data.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/op.hpp"
#include "core/registry.hpp"
#include "data/data.hpp"
#include "verify/verify.hpp"

namespace redux::contract {

using Bytes = std::vector<std::byte>;
/// What an op writes, in the order of Op::outputs.
using Outputs = std::vector<Bytes>;

/// How an input is brought to where variants run.
struct InputPlace {
  DType dtype = DType::float32;
  std::int64_t offset = 0;  ///< elements past a 256-byte boundary at which it starts
  bool is_data = true;      ///< its elements mean nothing to each other: they may be shuffled
};

/// Memory and launches of one side.
class Ground {
 public:
  Ground() = default;
  Ground(const Ground&) = delete;
  Ground& operator=(const Ground&) = delete;
  virtual ~Ground() = default;

  [[nodiscard]] virtual Side side() const = 0;
  /// Where its variants are.
  [[nodiscard]] virtual const Registry& registry() const { return Registry::instance(); }
  [[nodiscard]] virtual const DeviceFacts& device() const = 0;
  /// Brings inputs to where variants run, between guard bands.
  virtual void load_all(std::span<const Bytes> inputs, std::span<const InputPlace> places) = 0;
  /// The same for one.
  void load(const Bytes& input, DType dtype, std::int64_t offset) {
    const InputPlace place{dtype, offset};
    load_all({&input, 1}, {&place, 1});
  }
  /// Outputs of later runs start `elements` of their elements past such a boundary.
  void offset_outputs(std::int64_t elements) { output_offset_ = elements; }
  /// Poisons the outputs, runs the variant on the loaded input `calls` times over one workspace,
  /// and gives the outputs of the last call back. Returns what was damaged, or empty.
  virtual std::string run(const Case& c, const Variant& variant, int calls, Outputs& outputs) = 0;
  /// False: the combination is left out here, as too slow.
  virtual bool takes(const Case& /*c*/, const Variant& /*variant*/) { return true; }
  /// What else a failure has to say of the last run.
  [[nodiscard]] virtual std::string how() const { return {}; }

 protected:
  /// In bytes, of one output.
  [[nodiscard]] std::size_t output_offset(const TensorSpec& spec) const {
    return static_cast<std::size_t>(output_offset_) * size_of(spec.dtype);
  }

 private:
  std::int64_t output_offset_ = 0;
};

/// (variant, case) combinations checked, refused and left out, by variant.
struct Tally {
  std::map<std::string, std::int64_t> checked;
  std::map<std::string, std::int64_t> unsupported;
  std::map<std::string, std::int64_t> left_out;

  void print() const {
    std::set<std::string> variants;
    for (const auto* counts : {&checked, &unsupported, &left_out}) {
      for (const auto& [variant, count] : *counts) variants.insert(variant);
    }
    const auto count_in = [](const auto& counts, const std::string& variant) {
      const auto found = counts.find(variant);
      return static_cast<long long>(found == counts.end() ? 0 : found->second);
    };
    for (const std::string& variant : variants) {
      std::printf("%-28s %8lld checked %8lld unsupported", variant.c_str(),
                  count_in(checked, variant), count_in(unsupported, variant));
      if (const auto count = count_in(left_out, variant); count > 0) {
        std::printf(" %8lld left out", count);
      }
      std::printf("\n");
    }
  }
};

inline std::vector<const Variant*> variants_of(std::string_view op, Side side,
                                               const Registry& registry = Registry::instance()) {
  std::vector<const Variant*> found;
  for (const Variant* variant : registry.variants(op)) {
    if (variant->side == side) found.push_back(variant);
  }
  return found;
}

inline Case make_case(std::string_view op, DType dtype, std::vector<std::int64_t> dims,
                      std::string data = "random", std::optional<Nan> nan = {}) {
  Case c;
  c.op = Registry::instance().find_op(op);
  c.dtype = dtype;
  c.shape.dims = std::move(dims);
  c.attributes = c.op->defaults;
  if (nan) c.attributes.nan = *nan;
  c.data = std::move(data);
  return c;
}

/// Where a case's inputs go: at 256-byte boundaries, or data `offset` elements past one.
inline std::vector<InputPlace> places_of(const Case& c, std::int64_t offset = 0) {
  std::vector<InputPlace> places;
  for (const TensorSpec& in : c.op->inputs(c)) {
    const bool is_data = in.content == Content::data;
    places.push_back({in.dtype, is_data ? offset : 0, is_data});
  }
  return places;
}

/// Views of a case's inputs, which start at these addresses.
inline std::vector<View> input_views(const Case& c, std::span<std::byte* const> starts) {
  std::vector<View> views;
  for (const TensorSpec& in : c.op->inputs(c)) {
    views.push_back({starts[views.size()], in.dtype, in.count()});
  }
  return views;
}

/// The op's reference on host memory.
inline Outputs reference_of(const Case& c, std::span<Bytes> inputs) {
  std::vector<std::byte*> starts;
  for (Bytes& input : inputs) starts.push_back(input.data());
  const std::vector<View> ins = input_views(c, starts);
  Outputs expected;
  std::vector<View> views;
  for (const TensorSpec& out : c.op->outputs(c)) {
    expected.emplace_back(out.bytes());
    views.push_back({expected.back().data(), out.dtype, out.count()});
  }
  c.op->reference({&c, ins, views, nullptr, 0});
  return expected;
}
inline Outputs reference_of(const Case& c, Bytes& input) {
  return reference_of(c, {&input, 1});
}

/// Every output with its answer.
inline void expect_outputs(const Case& c, const Outputs& got, const Outputs& expected,
                           const std::string& where) {
  const std::vector<TensorSpec> specs = c.op->outputs(c);
  ASSERT_EQ(got.size(), specs.size()) << where;
  ASSERT_EQ(expected.size(), specs.size()) << where;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    Verification verification;
    compare_output(specs[i], got[i], expected[i], 0, verification);
    EXPECT_EQ(verification.mismatches, 0)
        << where << ": " << specs[i].name << "[" << verification.first->position << "] is "
        << verification.first->got << ", expected " << verification.first->expected;
  }
}

/// Runs the case's variant on the loaded input and compares with `expected`.
inline void check_variant(Ground& ground, const Case& c, const Outputs& expected, Tally& tally,
                          const std::string& label = {}, int calls = 1) {
  const Variant& variant = *c.variant;
  if (!why_unsupported(variant, c, ground.device()).empty()) {
    ++tally.unsupported[variant.name];
    return;
  }
  if (!ground.takes(c, variant)) {
    ++tally.left_out[variant.name];
    return;
  }
  ++tally.checked[variant.name];
  Outputs got;
  const std::string damage = ground.run(c, variant, calls, got);
  EXPECT_EQ(damage, "") << c.id() << " " << label << " " << ground.how();
  expect_outputs(c, got, expected, c.id() + " " + label + " " + ground.how());
}

/// The same for every variant of the case's op.
inline void check_loaded(Ground& ground, Case c, const Outputs& expected, Tally& tally,
                         const std::string& label = {}, int calls = 1) {
  for (const Variant* variant : variants_of(c.op->name, ground.side(), ground.registry())) {
    c.variant = variant;
    check_variant(ground, c, expected, tally, label, calls);
  }
}

}  // namespace redux::contract
