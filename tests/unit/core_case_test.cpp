// Shapes, axes and ids: ids are the keys of baselines, so their exact text is tested.
#include <gtest/gtest.h>

#include <set>

#include "core/op.hpp"
#include "core/variant.hpp"

namespace redux {
namespace {

class CoreCase : public testing::Test {
 protected:
  CoreCase() {
    op_.name = "argmax";
    variant_.name = "cooperative";
    c_.op = &op_;
    c_.variant = &variant_;
    c_.shape.dims = {1, 202048};
  }
  Op op_;
  Variant variant_;
  Case c_;
};

TEST_F(CoreCase, DefaultsAreNotInTheId) {
  EXPECT_EQ(c_.id(), "argmax/cooperative/float32/1x202048");
  EXPECT_EQ(c_.problem_id(), "argmax/float32/1x202048");
}

TEST_F(CoreCase, OtherValuesComeInOneOrder) {
  c_.dtype = DType::int64;
  c_.shape.dims = {65536, 3, 1};
  c_.attributes = {.axis = 0, .nan = Nan::propagate, .empty = Empty::zero, .index = Index::int64};
  c_.data = "ties";
  EXPECT_EQ(
      c_.id(),
      "argmax/cooperative/int64/65536x3x1/axis=0/data=ties/nan=propagate/empty=0/index=int64");
}

TEST_F(CoreCase, OneAxisHasOneIdHoweverItIsSpelt) {
  c_.attributes.axis = 1;
  EXPECT_EQ(c_.id(), "argmax/cooperative/float32/1x202048");
  c_.attributes.axis = -2;
  EXPECT_EQ(c_.id(), "argmax/cooperative/float32/1x202048/axis=0");
}

TEST_F(CoreCase, AFileIsNamedWithoutItsFolder) {
  c_.data = "file";
  c_.data_file = "some/where/logits.npy";
  EXPECT_EQ(c_.id(), "argmax/cooperative/float32/1x202048/data=logits.npy");
}

TEST_F(CoreCase, AGraphStandsForItsExtents) {
  c_.shape = {{640, 640, 80}, "cyclic-640-16"};
  EXPECT_EQ(c_.problem_id(), "argmax/float32/cyclic-640-16x80");
}

TEST(CoreShape, ProductsThatOverflowAreNothing) {
  const auto elements = [](std::vector<std::int64_t> dims) {
    return Shape{std::move(dims), {}}.elements();
  };
  EXPECT_EQ(elements({}), 1);
  EXPECT_EQ(elements({3, 4}), 12);
  EXPECT_EQ(elements({3, 0, 4}), 0);
  EXPECT_EQ(elements({std::int64_t{1} << 62, 1}), std::int64_t{1} << 62);
  EXPECT_EQ(elements({std::int64_t{1} << 62, 2}), std::nullopt);
  EXPECT_EQ(elements({std::int64_t{1} << 62, 2, 0}), 0);
  EXPECT_EQ(elements({-1, 2}), std::nullopt);
}

TEST(CoreShape, AxesCountFromEitherEnd) {
  EXPECT_EQ(normalise_axis(-1, 3), 2);
  EXPECT_EQ(normalise_axis(-3, 3), 0);
  EXPECT_EQ(normalise_axis(2, 3), 2);
  EXPECT_EQ(normalise_axis(3, 3), std::nullopt);
  EXPECT_EQ(normalise_axis(-4, 3), std::nullopt);
  EXPECT_EQ(normalise_axis(0, 0), std::nullopt);
}

TEST(CoreShape, AViewSplitsTheExtentsAtTheAxis) {
  const AxisView view = view_along({2, 3, 5, 7}, 1);
  EXPECT_EQ(view.outer, 2);
  EXPECT_EQ(view.length, 3);
  EXPECT_EQ(view.inner, 35);
  EXPECT_EQ(view_along({9}, -1).outer, 1);
}

TEST(CoreDType, NamesAreReadBackAndNoOthers) {
  std::set<std::string_view> names;
  for (const DType dtype : kAllDTypes) {
    EXPECT_EQ(parse_dtype(name_of(dtype)), dtype);
    names.insert(name_of(dtype));
  }
  EXPECT_EQ(names.size(), 6U);
  for (const char* name : {"Float32", "fp16", "bf16", "half", "float", "uint8", "", "?"}) {
    EXPECT_EQ(parse_dtype(name), std::nullopt) << name;
  }
}

TEST(CoreDType, Sizes) {
  EXPECT_EQ(size_of(DType::float16), 2U);
  EXPECT_EQ(size_of(DType::bfloat16), 2U);
  EXPECT_EQ(size_of(DType::float32), 4U);
  EXPECT_EQ(size_of(DType::float64), 8U);
  EXPECT_EQ(size_of(DType::int32), 4U);
  EXPECT_EQ(size_of(DType::int64), 8U);
}

}  // namespace
}  // namespace redux
