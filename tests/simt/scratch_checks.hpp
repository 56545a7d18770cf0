// What variants ask of their scratch, checked for any family.
#pragma once

#include <stdexcept>

#include "simt/rotating_ground.hpp"

namespace redux::contract {

inline bool takes_scratch(const Case& c, const Variant& variant) {
  return why_unsupported(variant, c, simt::simulated_device()).empty() &&
         workspace_bytes(variant, c, simt::simulated_device()) > 0;
}

/// Variants whose calls do not care what is in their scratch, or the others.
inline std::vector<const Variant*> variants_with_scratch(const Case& c, bool zeroed) {
  std::vector<const Variant*> found;
  for (const Variant* variant : variants_of(c.op->name, Side::cuda, simt::registry())) {
    if (takes_scratch(c, *variant) && variant->needs_zeroed_workspace == zeroed) {
      found.push_back(variant);
    }
  }
  return found;
}

/// Three calls over one workspace, as a replayed graph makes them, under every schedule on every
/// device of the list.
inline void check_repeatedly(SimtGround& ground, const Case& problem, bool zeroed,
                             const std::vector<DeviceFacts>& devices, Tally& tally) {
  constexpr int kCalls = 3;
  Case c = problem;
  std::vector<Bytes> inputs = make_inputs(c);
  const Outputs expected = reference_of(c, inputs);
  ground.load_all(inputs, places_of(c));
  for (const DeviceFacts& device : devices) {
    for (const char* schedule : {"in-order", "reverse", "random:1", "random:2"}) {
      ground.setting() = {*simt::schedule_of(schedule), device};
      for (const Variant* variant : variants_with_scratch(c, zeroed)) {
        c.variant = variant;
        check_variant(ground, c, expected, tally, "three calls", kCalls);
      }
    }
  }
}

/// What a refusal says; empty where the call was made.
inline std::string refusal(const Case& c, const Variant& variant, std::byte* scratch,
                           std::size_t bytes) {
  const DeviceFacts device = simt::simulated_device();
  std::vector<Bytes> inputs = make_inputs(c);
  std::vector<std::byte*> starts;
  for (Bytes& input : inputs) starts.push_back(input.data());
  const std::vector<View> ins = input_views(c, starts);
  Results results;
  for (const TensorSpec& out : c.op->outputs(c)) results.add(out, 0);
  results.poison();
  const Outputs untouched = results.copy();
  try {
    // The inputs are not registered: a kernel that is started ends in a fault.
    redux::run(variant, {&c, ins, results.views(), scratch, bytes}, {nullptr, &device});
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(results.copy(), untouched);
    return error.what();
  }
  return {};
}

/// Scratch that is too small, missing or unaligned is refused, and nothing is launched. Adds the
/// variants that take scratch to `refused`.
inline void check_refusals(const Case& c, std::set<std::string>& refused) {
  for (const Variant* variant : variants_of(c.op->name, Side::cuda, simt::registry())) {
    if (!takes_scratch(c, *variant)) continue;
    refused.insert(variant->name);
    const std::size_t needed = workspace_bytes(*variant, c, simt::simulated_device());
    const std::size_t alignment = variant->workspace_alignment;
    PlacedBytes scratch(needed + alignment);
    const auto message = [&](std::size_t bytes, std::size_t past) {
      return "variant '" + variant->name + "' needs a workspace of " + std::to_string(needed) +
             " bytes, aligned to " + std::to_string(alignment) + "; got " + std::to_string(bytes) +
             " bytes, " + std::to_string(past) + " past such an address";
    };
    EXPECT_EQ(refusal(c, *variant, scratch.data(), needed - 1), message(needed - 1, 0));
    EXPECT_EQ(refusal(c, *variant, scratch.data(), 0), message(0, 0));
    EXPECT_EQ(refusal(c, *variant, nullptr, needed), message(0, 0));
    for (std::size_t past = 1; past < alignment; ++past) {
      EXPECT_EQ(refusal(c, *variant, scratch.data() + past, needed), message(needed, past));
    }
  }
}

}  // namespace redux::contract
