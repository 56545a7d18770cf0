// What variants of csr_max ask of their scratch and leave there, and that blocks that share a hub
// come to the same answer whatever order they run in.
#include "simt/graph_ground.hpp"
#include "simt/scratch_checks.hpp"

namespace redux::contract {
namespace {

/// Hubs that several blocks share: all edges, half of them, and some in a row.
std::vector<Case> shared_cases() {
  return {
      generated_case({DType::float32, 5}, {.kind = "hub", .nodes = 40, .edges = 3000}, "random"),
      generated_case({DType::float16, 130, Nan::skip},
                     {.kind = "hub", .nodes = 30, .edges = 700, .share = 60}, "nan_middle"),
      generated_case({DType::int64, 33, {}, Empty::zero, Index::int64},
                     {.kind = "uniform", .nodes = 5, .degree = 300}, "ties")};
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
TEST(SimtCsrMaxScratch, WhatIsInItDoesNotMatterToThoseThatClearTheirOwn) {
  SimtGround ground({}, Scratch::garbage);
  Tally tally;
  for (const Case& c : shared_cases()) check_repeatedly(ground, c, false, devices(), tally);
  EXPECT_GT(tally.checked["edge_atomic"], 0);
  add_to_simt_tally("csr_max", tally);
}

/// Three calls, every other on other data: pieces of the call before would be found out, and counts
/// that are not back at zero.
TEST(SimtCsrMaxScratch, PiecesOfHubsAreMergedUnderEveryOrderOfBlocks) {
  SimtGround ground;
  ground.let_workspaces_keep_words();
  Tally tally;
  for (const Case& c : shared_cases()) check_repeatedly(ground, c, true, devices(), tally);
  EXPECT_GT(tally.checked["balanced"], 0);
  EXPECT_GT(tally.checked["feature_tiled"], 0);
  add_to_simt_tally("csr_max", tally);
}

/// That counts which nobody cleared are noticed.
TEST(SimtCsrMaxScratch, ScratchThatIsNotZeroAtFirstIsAFaultWhereItHasToBe) {
  SimtGround ground({{simt::Order::descending}}, Scratch::garbage);
  for (Case c : shared_cases()) {
    ground.load_all(make_inputs(c), places_of(c));
    for (const Variant* variant : variants_with_scratch(c, true)) {
      c.variant = variant;
      Outputs outputs;
      EXPECT_EQ(ground.run(c, *variant, 1, outputs).substr(0, 20), "[uninitialised-read]")
          << c.id();
    }
  }
}

TEST(SimtCsrMaxScratch, TooSmallOrUnalignedIsRefusedAndNothingIsLaunched) {
  std::set<std::string> refused;
  for (const Case& c : shared_cases()) check_refusals(c, refused);
  EXPECT_TRUE(refused.contains("balanced"));
  EXPECT_TRUE(refused.contains("edge_atomic"));
}

}  // namespace
}  // namespace redux::contract
