// What variants of cummax and cummin ask of their scratch and leave there, and that those whose
// blocks wait for each other come to an end whatever order blocks run in.
#include "simt/scan_ground.hpp"
#include "simt/scratch_checks.hpp"

namespace redux::contract {
namespace {

/// Lines that variants with scratch cut into several tiles.
std::vector<Case> cut_cases() {
  return {scan_case("cummax", DType::float32, {{5001}, 0}, "ties"),
          scan_case("cummin", DType::float16, {{2, 9003}, 1}, "nan_middle"),
          scan_case("cummin", DType::int64, {{3, 1537}, 1}, "document_starts"),
          scan_case("cummax", DType::float64, {{700, 3}, 0}, "ties")};
}

std::vector<DeviceFacts> devices() {
  std::vector<DeviceFacts> of_each_size;
  for (const int multiprocessors : kMultiprocessors) {
    if (kSanitized && multiprocessors == 2) continue;
    of_each_size.push_back(simt::simulated_device(multiprocessors, 1024));
  }
  return of_each_size;
}

/// Garbage that counts as never written: a call that reads it before it writes it is a fault.
TEST(SimtCumMinMaxScratch, WhatIsInItDoesNotMatterToThoseThatClearTheirOwn) {
  SimtGround ground({}, Scratch::garbage);
  Tally tally;
  for (const Case& c : cut_cases()) check_repeatedly(ground, c, false, devices(), tally);
  EXPECT_GT(tally.checked["two_pass"], 0);
  add_to_simt_tally("cummax", tally);
}

/// Look-back under every order of blocks; every other call of the three is on other data, so that
/// words of the call before would be found out.
TEST(SimtCumMinMaxScratch, LookBackComesToAnEndUnderEveryOrderOfBlocks) {
  SimtGround ground;
  ground.let_workspaces_keep_words();
  Tally tally;
  for (const Case& c : cut_cases()) check_repeatedly(ground, c, true, devices(), tally);
  EXPECT_GT(tally.checked["lookback"], 0);
  add_to_simt_tally("cummax", tally);
}

/// More tiles than blocks are resident, so that each block has several, under more random orders.
TEST(SimtCumMinMaxScratch, LookBackOfBlocksThatHaveSeveralTilesEach) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    for (const int multiprocessors : {1, 2}) {
      SimtGround ground({{simt::Order::random, seed}, simt::simulated_device(multiprocessors)});
      ground.let_workspaces_keep_words();
      for (Case c : {scan_case("cummax", DType::float64, {{20001}, 0}, "ascending"),
                     scan_case("cummin", DType::int32, {{3, 13000}, 1}, "ties")}) {
        Bytes input = make_inputs(c).front();
        ground.load(input, c.dtype, 0);
        for (const Variant* variant : variants_with_scratch(c, true)) {
          c.variant = variant;
          check_variant(ground, c, reference_of(c, input), tally, "several tiles", 2);
        }
      }
    }
  }
  EXPECT_GT(tally.checked["lookback"], 0);
  add_to_simt_tally("cummax", tally);
}

/// The number of the last call, 16 bits of which are in each word, is what a workspace of look-back
/// starts with. As after 65532 calls and more, three calls go past the last number of 16 bits.
TEST(SimtCumMinMaxScratch, CallsAreToldApartWhereTheirNumberGoesRound) {
  Tally tally;
  for (std::uint32_t before = 65532; before <= 65534; ++before) {
    SimtGround ground(simt::Setting{{simt::Order::descending}});
    ground.let_workspaces_keep_words();
    ground.preset([=](const Variant&, std::span<std::byte> workspace) {
      ASSERT_GE(workspace.size(), sizeof(before));
      std::memcpy(workspace.data(), &before, sizeof(before));
    });
    for (Case c : cut_cases()) {
      Bytes input = make_inputs(c).front();
      ground.load(input, c.dtype, 0);
      for (const Variant* variant : variants_with_scratch(c, true)) {
        if (!variant->name.starts_with("lookback")) continue;
        c.variant = variant;
        for (const int calls : {2, 3, 4}) {
          check_variant(ground, c, reference_of(c, input), tally,
                        std::to_string(calls) + " calls after " + std::to_string(before), calls);
        }
      }
    }
  }
  EXPECT_GT(tally.checked["lookback"], 0);
  add_to_simt_tally("cummax", tally);
}

/// That words which nobody wrote are noticed.
TEST(SimtCumMinMaxScratch, ScratchThatIsNotZeroAtFirstIsAFaultWhereItHasToBe) {
  SimtGround ground({{simt::Order::descending}}, Scratch::garbage);
  for (Case c : cut_cases()) {
    ground.load(make_inputs(c).front(), c.dtype, 0);
    for (const Variant* variant : variants_with_scratch(c, true)) {
      c.variant = variant;
      Outputs outputs;
      EXPECT_EQ(ground.run(c, *variant, 1, outputs).substr(0, 20), "[uninitialised-read]")
          << c.id();
    }
  }
}

TEST(SimtCumMinMaxScratch, TooSmallOrUnalignedIsRefusedAndNothingIsLaunched) {
  std::set<std::string> refused;
  for (const Case& c : cut_cases()) check_refusals(c, refused);
  EXPECT_TRUE(refused.contains("lookback"));
  EXPECT_TRUE(refused.contains("two_pass"));
}

}  // namespace
}  // namespace redux::contract
