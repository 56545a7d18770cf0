// A case compared in parts comes to what it comes to as a whole.
#include "measure/parted_reference.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/registry.hpp"
#include "data/data.hpp"
#include "measure/held_problem.hpp"
#include "measure/runner.hpp"
#include "verify/verify.hpp"

namespace redux {
namespace {

Case case_of(const char* op, DType dtype, std::vector<std::int64_t> dims, int axis, Nan nan,
             std::string data) {
  Case c;
  c.op = Registry::instance().find_op(op);
  c.variant = Registry::instance().find_variant(op, "host_serial");
  c.dtype = dtype;
  c.shape.dims = std::move(dims);
  c.attributes = c.op->defaults;
  c.attributes.axis = axis;
  c.attributes.nan = nan;
  c.data = std::move(data);
  c.seed = 7;
  return c;
}

/// Outputs, allowed differences and least bytes, computed at once.
struct Whole {
  explicit Whole(const Case& c) : specs(c.op->outputs(c)), inputs(make_inputs(c)) {
    for (const TensorSpec& spec : specs) outputs.emplace_back(spec.bytes());
    const View in{inputs[0].data(), c.dtype, c.op->inputs(c)[0].count()};
    std::vector<View> out;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      out.push_back({outputs[i].data(), specs[i].dtype, specs[i].count()});
    }
    const Problem problem{.the_case = &c, .inputs = {&in, 1}, .outputs = out};
    c.op->reference(problem);
    for (std::size_t i = 0; i < specs.size(); ++i) {
      allowed.push_back(allowed_differences(problem, i));
    }
    least = c.op->least_bytes == nullptr ? c.op->bytes_moved(c) : c.op->least_bytes(problem);
  }

  std::vector<TensorSpec> specs;
  std::vector<HostTensor> inputs;
  std::vector<HostTensor> outputs;
  std::vector<std::vector<double>> allowed;
  std::int64_t least = 0;
};

/// How many parts it took; 0 where the case cannot be taken apart.
int compare(const Case& c, std::size_t part_bytes) {
  const auto parts = PartedReference::of(c, part_bytes);
  if (parts == nullptr) return 0;
  const Whole whole(c);
  std::vector<HostTensor> put_together;
  std::vector<std::vector<double>> allowed;
  for (const TensorSpec& spec : whole.specs) {
    put_together.emplace_back();
    allowed.emplace_back();
    put_together.back().reserve(spec.bytes());
  }
  int pieces = 0;
  parts->for_each([&](const PartedReference::Piece& piece) {
    HostTensor& to = put_together[piece.output];
    const std::size_t width = size_of(whole.specs[piece.output].dtype);
    EXPECT_EQ(to.size(), static_cast<std::size_t>(piece.first) * width) << "a gap, or twice";
    EXPECT_LE(piece.expected.size(), parts->host_bytes());
    to.insert(to.end(), piece.expected.begin(), piece.expected.end());
    auto& bounds = allowed[piece.output];
    bounds.insert(bounds.end(), piece.allowed.begin(), piece.allowed.end());
    ++pieces;
  });
  for (std::size_t i = 0; i < whole.specs.size(); ++i) {
    EXPECT_TRUE(put_together[i] == whole.outputs[i]) << whole.specs[i].name;
    EXPECT_EQ(allowed[i], whole.allowed[i]);
  }
  EXPECT_EQ(parts->least_bytes(), whole.least);
  return pieces;
}

struct Shape2 {
  std::vector<std::int64_t> dims;
  int axis;
};

TEST(PartedReference, IsThatOfTheWholeForEveryKindOfDataAndSizeOfParts) {
  const std::vector<Shape2> scans{{{1, 97}, -1}, {{5, 97}, -1}, {{97, 3}, 0}, {{4, 33, 5}, 1}};
  int continued = 0;
  for (const char* op : {"argmax", "argmin", "cummax", "cummin"}) {
    const bool reduces = op[0] == 'a';
    for (const Shape2& shape : scans) {
      if (reduces && shape.axis != -1) continue;
      for (const std::string& kind : Registry::instance().find_op(op)->data_kinds) {
        for (const Nan nan : {Nan::skip, Nan::propagate}) {
          for (const DType dtype : {DType::float32, DType::bfloat16, DType::int64}) {
            if (!reduces && nan == Nan::skip) continue;
            const Case c = case_of(op, dtype, shape.dims, shape.axis, nan, kind);
            for (const std::size_t bytes : {200U, 1000U, 5000U, 1000000U}) {
              SCOPED_TRACE(c.id() + " " + kind + " in " + std::to_string(bytes));
              if (compare(c, bytes) > static_cast<int>(c.op->outputs(c).size())) ++continued;
            }
          }
        }
      }
    }
  }
  EXPECT_GT(continued, 300) << "hardly anything was taken apart";
}

TEST(PartedReference, ASumIsTakenApartBetweenLinesOnly) {
  const Case many = case_of("cumsum", DType::float32, {40, 25}, -1, Nan::propagate, "random");
  EXPECT_EQ(compare(many, 16 * 25 * 7), 6);  // seven lines of input, output and bounds
  EXPECT_EQ(compare(many, 16 * 25 - 1), 0);
  EXPECT_EQ(compare(case_of("cumsum", DType::int32, {40, 25}, 0, Nan::propagate, "random"), 500),
            0);
}

TEST(PartedReference, OfAPositionThatIsMoreThanAPartThereIsNone) {
  const Case c = case_of("cummax", DType::int64, {3, 1000}, 0, Nan::propagate, "random");
  EXPECT_EQ(PartedReference::of(c, 24 * 1000 * 2 - 1), nullptr);
  EXPECT_NE(PartedReference::of(c, 24 * 1000 * 2), nullptr);
}

TEST(PartedReference, GivesBackendsEveryByteOfTheInputs) {
  const Case c = case_of("argmax", DType::float64, {3, 50}, -1, Nan::skip, "specials");
  const HostTensor whole = make_inputs(c)[0];
  const auto parts = PartedReference::of(c, 800);
  ASSERT_NE(parts, nullptr);
  const InputReader read = parts->inputs();
  // Also from within an element: fingerprints begin anywhere.
  for (const std::size_t offset : {0U, 1U, 7U, 8U, 403U}) {
    for (const std::size_t bytes : {1U, 8U, 9U, 700U}) {
      const auto piece = read(0, offset, bytes);
      ASSERT_EQ(piece.size(), bytes);
      EXPECT_EQ(std::memcmp(piece.data(), whole.data() + offset, bytes), 0) << offset;
    }
  }
}

// Through the runner and the host backend: as right, as wrong and as large as when it is held.
TEST(PartedReference, ARunnerVerifiesInPartsWhatItMayNotHold) {
  const auto backend = make_host_backend();
  for (const char* op : {"argmax", "cummin", "cumsum"}) {
    Case c = case_of(op, DType::float32, {6, 4000}, -1, Nan::propagate, "nan_middle");
    RunSettings settings;
    settings.verify_only = true;
    Runner whole(settings, {});
    const Record held = whole.run(c, *backend);
    settings.held_bytes = 1000;
    settings.part_bytes = 4000 * 16;  // a line of each
    Runner runner(settings, {});
    const Record parted = runner.run(c, *backend);
    EXPECT_EQ(parted.status, Status::ok) << parted.reason;
    EXPECT_EQ(parted.verify.checked, held.verify.checked);
    EXPECT_EQ(parted.bytes, held.bytes);

    Variant wrong = *c.variant;
    wrong.run = [](const Problem& problem, const Exec& exec) {
      Registry::instance()
          .find_variant(problem.the_case->op->name, "host_serial")
          ->run(problem, exec);
      const View& last = problem.outputs.back();
      last.as<std::byte>()[(last.bytes() / 3 * 2) + 1] ^= std::byte{0x55};
    };
    c.variant = &wrong;
    const Record one = whole.run(c, *backend);
    const Record other = runner.run(c, *backend);
    EXPECT_EQ(one.status, Status::wrong);
    EXPECT_EQ(other.status, Status::wrong);
    EXPECT_EQ(other.reason, one.reason);
  }
}

TEST(PartedReference, WhatItTakesIsCountedBeforeAnythingIsAllocated) {
  const Case c =
      case_of("cummax", DType::int64, {1, std::int64_t{1} << 40}, -1, Nan::propagate, "random");
  HeldProblem held(std::size_t{4} << 30U, std::size_t{512} << 20U);
  const std::size_t bytes = held.bytes_to_verify(c);
  EXPECT_GT(bytes, std::size_t{1} << 30U);
  EXPECT_LT(bytes, std::size_t{3} << 29U);  // two parts and a piece of 64 MiB
}

}  // namespace
}  // namespace redux
