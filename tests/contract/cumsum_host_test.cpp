// cumsum on the host: every dtype, axis, data kind and awkward shape.
#include "contract/host_ground.hpp"

namespace redux::contract {
namespace {

struct Place {
  std::vector<std::int64_t> dims;
  int axis = -1;
};

std::vector<Place> places() {
  std::vector<Place> all;
  for (const std::int64_t length : {1, 2, 3, 15, 17, 255, 1025, 65537}) {
    all.push_back({{length}, 0});
    all.push_back({{3, length}, -1});
    for (const std::int64_t inner : {1, 2, 3, 4, 5, 15, 16, 33}) {
      if (length * inner > 100000) continue;
      all.push_back({{length, inner}, 0});
      all.push_back({{2, length, inner}, 1});
    }
  }
  all.push_back({{2, 3, 5, 7}, 2});
  all.push_back({{2, 3, 5, 7}, -3});
  all.push_back({{65537, 2}, -1});
  all.push_back({{2, 65537}, 0});
  return all;
}

/// Runs every host variant on the case and compares within what cumsum allows.
void check(HostGround& ground, Case c, Tally& tally) {
  Bytes input = make_inputs(c).front();
  const TensorSpec spec = c.op->outputs(c).front();
  Bytes expected = reference_of(c, input).front();
  const View input_view{input.data(), c.dtype, spec.count()};
  const View output_view{expected.data(), c.dtype, spec.count()};
  const auto allowed = allowed_differences(
      {.the_case = &c, .inputs = {&input_view, 1}, .outputs = {&output_view, 1}}, 0);
  EXPECT_EQ(allowed.empty(), !is_floating(c.dtype));
  ground.load(input, c.dtype, 0);
  for (const Variant* variant : variants_of("cumsum", Side::host)) {
    c.variant = variant;
    Outputs got;
    EXPECT_EQ(ground.run(c, *variant, 2, got), "") << c.id();
    Verification result;
    compare_output(spec, got.front(), expected, 0, result, allowed);
    ++tally.checked[variant->name];
    if (!result.first) continue;
    ADD_FAILURE() << c.id() << ": [" << result.first->position << "] is " << result.first->got
                  << ", expected " << result.first->expected;
  }
}

class CumsumHost : public testing::TestWithParam<DType> {};

TEST_P(CumsumHost, EveryKindShapeAndAxisStaysWithinTheBound) {
  HostGround ground;
  Tally tally;
  for (const Place& place : places()) {
    Case c = make_case("cumsum", GetParam(), place.dims, "random", Nan::propagate);
    c.attributes.axis = place.axis;
    ASSERT_EQ(c.op->check(c), "");
    for (const std::string& kind : c.op->data_kinds) {
      c.data = kind;
      check(ground, c, tally);
    }
  }
  EXPECT_EQ(tally.checked.size(), variants_of("cumsum", Side::host).size());
}

INSTANTIATE_TEST_SUITE_P(All, CumsumHost,
                         testing::Values(DType::int32, DType::int64, DType::float32,
                                         DType::float64),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST(CumsumHostEmpty, NoElementsIsNoOutputWhateverTheAxis) {
  HostGround ground;
  Tally tally;
  for (const Place& place : {Place{{0}, 0}, Place{{0, 5}, 1}, Place{{5, 0}, 1}, Place{{5, 0}, 0}}) {
    Case c = make_case("cumsum", DType::int64, place.dims, "random", Nan::propagate);
    c.attributes.axis = place.axis;
    EXPECT_EQ(c.op->check(c), "");
    check(ground, c, tally);
  }
  EXPECT_EQ(tally.checked["host_serial"], 4);
}

TEST(CumsumHostEmpty, AnAxisOutsideTheShapeIsRefusedAlsoWhereItIsEmpty) {
  Case c = make_case("cumsum", DType::int64, {0, 5}, "random", Nan::propagate);
  c.attributes.axis = 2;
  EXPECT_EQ(c.op->check(c), "axis 2 is outside [-2, 2) of a shape of rank 2");
  c.attributes.axis = -3;
  EXPECT_EQ(c.op->check(c), "axis -3 is outside [-2, 2) of a shape of rank 2");
}

}  // namespace
}  // namespace redux::contract
