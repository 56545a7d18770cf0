// What variants ask of their scratch and how they leave it. SimtGround looks after every run
// whether a workspace that has to be zero between calls is zero.
#include "simt/scratch_checks.hpp"

namespace redux::contract {
namespace {

/// Rows that every variant with scratch cuts into several parts.
std::vector<Case> cut_cases() {
  return {make_case("argmax", DType::float32, {1, 9001}, "ties"),
          make_case("argmin", DType::float16, {2, 20001}, "nan_middle", Nan::propagate),
          make_case("argmin", DType::float64, {3, 6001}, "ties"),
          make_case("argmax", DType::int64, {1, 5000}, "last")};
}

TEST(SimtArgMinMaxScratch, WhatIsInItDoesNotMatterToThoseThatClearTheirOwn) {
  SimtGround ground({}, Scratch::garbage);
  Tally tally;
  for (const Case& c : cut_cases()) check_repeatedly(ground, c, false, simulated_devices(), tally);
  for (const char* name : {"cooperative", "cooperative_int64", "two_stage"}) {
    EXPECT_GT(tally.checked[name], 0) << name;
  }
  add_to_simt_tally("argmax", tally);
}

TEST(SimtArgMinMaxScratch, TheOthersFindZeroAndLeaveZero) {
  SimtGround ground;
  Tally tally;
  for (const Case& c : cut_cases()) check_repeatedly(ground, c, true, simulated_devices(), tally);
  for (const char* name : {"single_pass", "auto"}) EXPECT_GT(tally.checked[name], 0) << name;
  add_to_simt_tally("argmax", tally);
}

/// That the check above can fail: what nobody has written is not zero. The row's last block looks
/// first.
TEST(SimtArgMinMaxScratch, ScratchThatIsNotZeroAtFirstIsAFaultWhereItHasToBe) {
  SimtGround ground({{simt::Order::descending}}, Scratch::garbage);
  Case c = cut_cases().front();
  ground.load(make_inputs(c).front(), c.dtype, 0);
  for (const Variant* variant : variants_with_scratch(c, true)) {
    c.variant = variant;
    Outputs outputs;
    EXPECT_EQ(ground.run(c, *variant, 1, outputs).substr(0, 20), "[uninitialised-read]") << c.id();
  }
}

TEST(SimtArgMinMaxScratch, TooSmallOrUnalignedIsRefusedAndNothingIsLaunched) {
  std::set<std::string> refused;
  for (const Case& c : cut_cases()) check_refusals(c, refused);
  EXPECT_EQ(refused, (std::set<std::string>{"auto", "cooperative", "cooperative_int64",
                                            "single_pass", "two_stage"}));
}

/// A row's last block waits for the others, so that it must not keep them from starting: with room
/// for two blocks a multiprocessor, two waiting blocks would.
TEST(SimtArgMinMaxScratch, BlocksThatWaitLeaveRoomForThoseTheyWaitFor) {
  Tally tally;
  for (const int multiprocessors : kMultiprocessors) {
    for (const std::int64_t rows : {1, 2, 3, 4, 26}) {
      SimtGround ground({{simt::Order::descending}, simt::simulated_device(multiprocessors, 1024)});
      Case c = make_case("argmax", DType::float32, {rows, 9001}, "last");
      c.variant = simt::registry().find_variant("argmax", "single_pass");
      Bytes input = make_inputs(c).front();
      ground.load(input, c.dtype, 0);
      check_variant(ground, c, reference_of(c, input), tally);
    }
  }
  add_to_simt_tally("argmax", tally);
}

}  // namespace
}  // namespace redux::contract
