// What variants ask of their scratch and how they leave it. SimtGround looks after every run
// whether a workspace that has to be zero between calls is zero.
#include <stdexcept>

#include "simt/argminmax_settings.hpp"

namespace redux::contract {
namespace {

/// Rows that every variant with scratch cuts into several parts.
std::vector<Case> cut_cases() {
  return {make_case("argmax", DType::float32, {1, 9001}, "ties"),
          make_case("argmin", DType::float16, {2, 20001}, "nan_middle", Nan::propagate),
          make_case("argmin", DType::float64, {3, 6001}, "ties"),
          make_case("argmax", DType::int64, {1, 5000}, "last")};
}

bool takes_scratch(const Case& c, const Variant& variant) {
  return why_unsupported(variant, c, simt::simulated_device()).empty() &&
         workspace_bytes(variant, c, simt::simulated_device()) > 0;
}

/// Variants whose calls do not care what is in their scratch, or the others.
std::vector<const Variant*> variants_with_scratch(const Case& c, bool zeroed) {
  std::vector<const Variant*> found;
  for (const Variant* variant : variants_of(c.op->name, Side::cuda, simt::registry())) {
    if (takes_scratch(c, *variant) && variant->needs_zeroed_workspace == zeroed) {
      found.push_back(variant);
    }
  }
  return found;
}

/// Three calls over one workspace, as a replayed graph makes them, under every schedule on every
/// device.
void check_repeatedly(const Case& problem, bool zeroed, Tally& tally) {
  constexpr int kCalls = 3;
  SimtGround ground({}, zeroed ? Scratch::zeroed : Scratch::garbage);
  Case c = problem;
  Bytes input = make_inputs(c).front();
  const Bytes expected = reference_of(c, input);
  ground.load(input, c.dtype, 0);
  for (const DeviceFacts& device : simulated_devices()) {
    for (const char* schedule : {"in-order", "reverse", "random:1", "random:2"}) {
      ground.setting() = {*simt::schedule_of(schedule), device};
      for (const Variant* variant : variants_with_scratch(c, zeroed)) {
        c.variant = variant;
        check_variant(ground, c, expected, tally, "three calls", kCalls);
      }
    }
  }
}

TEST(SimtArgMinMaxScratch, WhatIsInItDoesNotMatterToThoseThatClearTheirOwn) {
  Tally tally;
  for (const Case& c : cut_cases()) check_repeatedly(c, false, tally);
  for (const char* name : {"cooperative", "cooperative_int64", "two_stage"}) {
    EXPECT_GT(tally.checked[name], 0) << name;
  }
  add_to_simt_tally(tally);
}

TEST(SimtArgMinMaxScratch, TheOthersFindZeroAndLeaveZero) {
  Tally tally;
  for (const Case& c : cut_cases()) check_repeatedly(c, true, tally);
  for (const char* name : {"single_pass", "auto"}) EXPECT_GT(tally.checked[name], 0) << name;
  add_to_simt_tally(tally);
}

/// That the check above can fail: what nobody has written is not zero. The row's last block looks
/// first.
TEST(SimtArgMinMaxScratch, ScratchThatIsNotZeroAtFirstIsAFaultWhereItHasToBe) {
  SimtGround ground({{simt::Order::descending}}, Scratch::garbage);
  Case c = cut_cases().front();
  ground.load(make_inputs(c).front(), c.dtype, 0);
  for (const Variant* variant : variants_with_scratch(c, true)) {
    c.variant = variant;
    Bytes output;
    EXPECT_EQ(ground.run(c, *variant, 1, output).substr(0, 20), "[uninitialised-read]") << c.id();
  }
}

/// What a refusal says; empty where the call was made.
std::string refusal(const Case& c, const Variant& variant, std::byte* scratch, std::size_t bytes) {
  const DeviceFacts device = simt::simulated_device();
  Bytes input = make_inputs(c).front();
  Bytes output(c.op->outputs(c).front().bytes(), std::byte{kPoisonByte});
  const Bytes untouched = output;
  const View input_view{input.data(), c.dtype, c.op->inputs(c).front().count()};
  const View output_view{output.data(), DType::int64, c.op->outputs(c).front().count()};
  try {
    // No buffer is registered: a kernel that is started ends in a fault.
    redux::run(variant, {&c, {&input_view, 1}, {&output_view, 1}, scratch, bytes},
               {nullptr, &device});
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(output, untouched);
    return error.what();
  }
  return {};
}

TEST(SimtArgMinMaxScratch, TooSmallOrUnalignedIsRefusedAndNothingIsLaunched) {
  std::set<std::string> refused;
  for (const Case& c : cut_cases()) {
    for (const Variant* variant : variants_of(c.op->name, Side::cuda, simt::registry())) {
      if (!takes_scratch(c, *variant)) continue;
      refused.insert(variant->name);
      const std::size_t needed = workspace_bytes(*variant, c, simt::simulated_device());
      const std::size_t alignment = variant->workspace_alignment;
      PlacedBytes scratch(needed + alignment);
      const auto message = [&](std::size_t bytes, std::size_t past) {
        return "variant '" + variant->name + "' needs a workspace of " + std::to_string(needed) +
               " bytes, aligned to " + std::to_string(alignment) + "; got " +
               std::to_string(bytes) + " bytes, " + std::to_string(past) + " past such an address";
      };
      EXPECT_EQ(refusal(c, *variant, scratch.data(), needed - 1), message(needed - 1, 0));
      EXPECT_EQ(refusal(c, *variant, scratch.data(), 0), message(0, 0));
      EXPECT_EQ(refusal(c, *variant, nullptr, needed), message(0, 0));
      for (std::size_t past = 1; past < alignment; ++past) {
        EXPECT_EQ(refusal(c, *variant, scratch.data() + past, needed), message(needed, past));
      }
    }
  }
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
  add_to_simt_tally(tally);
}

}  // namespace
}  // namespace redux::contract
