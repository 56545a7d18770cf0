// What every variant must do, whichever side it runs on: the reference's bits, on every dtype, data
// kind, NaN policy and awkward shape, wherever memory starts, without touching anything but its
// outputs. A Ground is where variants run; the lists and comparisons here know nothing of devices.
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
  /// Brings an input to where variants run, its first element `offset` elements past a 256-byte
  /// boundary, between guard bands.
  virtual void load(const Bytes& input, DType dtype, std::int64_t offset) = 0;
  /// Poisons the outputs, runs the variant on the loaded input `calls` times over one workspace,
  /// and gives the outputs of the last call back. Returns what was damaged, or empty.
  virtual std::string run(const Case& c, const Variant& variant, int calls, Bytes& output) = 0;
  /// False: the combination is left out here, as too slow.
  virtual bool takes(const Case& /*c*/, const Variant& /*variant*/) { return true; }
  /// What else a failure has to say of the last run.
  [[nodiscard]] virtual std::string how() const { return {}; }
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
                      std::string data = "random", Nan nan = Nan::skip) {
  Case c;
  c.op = Registry::instance().find_op(op);
  c.dtype = dtype;
  c.shape.dims = std::move(dims);
  c.attributes = c.op->defaults;
  c.attributes.nan = nan;
  c.data = std::move(data);
  return c;
}

/// The op's reference on host memory.
inline Bytes reference_of(const Case& c, Bytes& input) {
  const TensorSpec in = c.op->inputs(c).front();
  const TensorSpec out = c.op->outputs(c).front();
  Bytes expected(out.bytes());
  const View input_view{input.data(), in.dtype, in.count()};
  const View output_view{expected.data(), out.dtype, out.count()};
  c.op->reference({&c, {&input_view, 1}, {&output_view, 1}, nullptr, 0});
  return expected;
}

/// Runs the case's variant on the loaded input and compares with `expected`.
inline void check_variant(Ground& ground, const Case& c, const Bytes& expected, Tally& tally,
                          const std::string& label = {}, int calls = 1) {
  const TensorSpec spec = c.op->outputs(c).front();
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
  Bytes got;
  const std::string damage = ground.run(c, variant, calls, got);
  EXPECT_EQ(damage, "") << c.id() << " " << label << " " << ground.how();
  Verification verification;
  compare_output(spec, got, expected, 0, verification);
  EXPECT_EQ(verification.mismatches, 0)
      << c.id() << " " << label << " " << ground.how() << ": " << spec.name << "["
      << verification.first->position << "] is " << verification.first->got << ", expected "
      << verification.first->expected;
}

/// The same for every variant of the case's op.
inline void check_loaded(Ground& ground, Case c, const Bytes& expected, Tally& tally,
                         const std::string& label = {}, int calls = 1) {
  for (const Variant* variant : variants_of(c.op->name, ground.side(), ground.registry())) {
    c.variant = variant;
    check_variant(ground, c, expected, tally, label, calls);
  }
}

struct Extents {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};

/// Shapes around warp, block and vector widths and the limits of a grid. The tall ones are bounded
/// so that the whole product stays quick.
inline std::vector<Extents> awkward_shapes(DType dtype) {
  std::vector<Extents> shapes;
  for (const std::int64_t rows : {1, 2, 33}) {
    for (const std::int64_t cols :
         {1, 2, 31, 32, 33, 127, 128, 129, 255, 256, 257, 1000, 1023, 1024, 1025, 4097, 65537}) {
      shapes.push_back({rows, cols});
    }
  }
  for (const std::int64_t cols : {1, 2, 33, 129}) shapes.push_back({65537, cols});
  if (dtype == DType::float16) shapes.push_back({65537, 1000});
  return shapes;
}

/// Every kind on small inputs; on large ones those that differ in kind of work.
inline std::vector<std::string> kinds_for(const Op& op, const Extents& shape) {
  constexpr std::int64_t kMany = 1 << 20;
  if (shape.rows * shape.cols < kMany) return op.data_kinds;
  if (shape.rows * shape.cols > (4 * kMany)) return {"ties"};
  return {"random", "ties", "specials"};
}

/// The whole product for one op and dtype.
inline void check_all(Ground& ground, std::string_view op, DType dtype,
                      const std::vector<Extents>& shapes, Tally& tally, int calls = 1) {
  for (const Extents& shape : shapes) {
    Case c = make_case(op, dtype, {shape.rows, shape.cols});
    for (const std::string& kind : kinds_for(*c.op, shape)) {
      c.data = kind;
      Bytes input = make_inputs(c).front();
      ground.load(input, dtype, 0);
      for (const Nan nan : {Nan::skip, Nan::propagate}) {
        c.attributes.nan = nan;
        check_loaded(ground, c, reference_of(c, input), tally, {}, calls);
      }
    }
  }
}

/// Bases that are aligned to an element and to nothing more.
inline void check_offsets(Ground& ground, std::string_view op, DType dtype, Tally& tally) {
  const auto offsets = static_cast<std::int64_t>(16 / size_of(dtype));
  for (const std::int64_t rows : {1, 3}) {
    for (const std::int64_t cols : {1, 17, 64, 129, 1000, 4099, 40001}) {
      Case c = make_case(op, dtype, {rows, cols});
      for (const char* kind : {"random", "first", "last", "nan_middle"}) {
        c.data = kind;
        Bytes input = make_inputs(c).front();
        for (std::int64_t offset = 1; offset < std::max<std::int64_t>(offsets, 2); ++offset) {
          ground.load(input, dtype, offset);
          for (const Nan nan : {Nan::skip, Nan::propagate}) {
            c.attributes.nan = nan;
            check_loaded(ground, c, reference_of(c, input), tally,
                         "base offset by " + std::to_string(offset));
          }
        }
      }
    }
  }
}

}  // namespace redux::contract
