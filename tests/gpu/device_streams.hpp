// Variants in replayed graphs and on streams side by side.
#pragma once

#include "backend/cuda/graph.hpp"
#include "gpu/device_ground.hpp"

namespace redux::contract {

/// A problem on the device that lives as long as this, with its answer.
struct Placed {
  Placed(const Case& the_case, std::uint64_t seed) : c(the_case) {
    c.seed = seed;
    std::vector<Bytes> host = make_inputs(c);
    expected = reference_of(c, host);
    inputs.load(host, places_of(c), nullptr);
    REDUX_CUDA_CHECK(cudaStreamSynchronize(nullptr));  // other streams do not wait for it
  }
  Case c;
  PlacedInputs inputs;
  Outputs expected;
};

/// What the call wrote is the answer, and nothing is damaged.
inline void expect_same(const Call& call, cudaStream_t stream, const Placed& placed,
                        const Variant& variant, const std::string& when) {
  const std::string where = placed.c.problem_id() + " " + variant.name + " " + when;
  Outputs got;
  EXPECT_EQ(call.read(got, stream), "") << where;
  expect_outputs(placed.c, got, placed.expected, where);
}

enum class Replayed : std::uint8_t {
  all,            ///< variants
  keeping_words,  ///< those whose workspace tells one call from the next
};

/// One graph of some calls over one workspace, replayed `replays` times by each variant. Twenty
/// replays, the last among them, are read, so that most follow each other without a pause.
inline void check_replays(const Case& the_case, int calls_a_graph, int replays, Tally& tally,
                          Replayed which = Replayed::all) {
  const cuda::Stream stream = cuda::make_stream();
  const Placed placed(the_case, 7);
  for (const Variant* variant : variants_of(placed.c.op->name, Side::cuda)) {
    if (!why_unsupported(*variant, placed.c, device_facts()).empty()) continue;
    if (which == Replayed::keeping_words && !variant->needs_zeroed_workspace) continue;
    Call call;
    call.prepare(placed.c, *variant, stream.get());
    REDUX_CUDA_CHECK(cudaStreamSynchronize(stream.get()));
    const cuda::Graph graph = cuda::capture(stream.get(), [&] {
      for (int i = 0; i < calls_a_graph; ++i) call.launch(placed.inputs.starts(), stream.get());
    });
    const cuda::GraphExec replay = cuda::instantiate(graph, stream.get());
    for (int i = 0; i < replays; ++i) {
      call.poison(stream.get());
      REDUX_CUDA_CHECK(cudaGraphLaunch(replay.get(), stream.get()));
      if (i % (replays / 20) != (replays / 20) - 1) continue;
      expect_same(call, stream.get(), placed, *variant, "in replay " + std::to_string(i));
    }
    ++tally.checked[variant->name];
  }
}

/// Calls on two streams at once, each with its own data and workspace.
inline void check_two_streams(const Case& the_case, int calls_a_stream, Tally& tally) {
  const std::array streams{cuda::make_stream(), cuda::make_stream()};
  const Placed left(the_case, 11);
  const Placed right(the_case, 12);
  const std::array<const Placed*, 2> placed{&left, &right};
  for (const Variant* variant : variants_of(the_case.op->name, Side::cuda)) {
    if (!why_unsupported(*variant, the_case, device_facts()).empty()) continue;
    std::array<Call, 2> calls;
    for (std::size_t s = 0; s < 2; ++s) {
      calls[s].prepare(placed[s]->c, *variant, streams[s].get());
      calls[s].poison(streams[s].get());
    }
    for (int i = 0; i < calls_a_stream; ++i) {
      for (std::size_t s = 0; s < 2; ++s) {
        calls[s].launch(placed[s]->inputs.starts(), streams[s].get());
      }
    }
    for (std::size_t s = 0; s < 2; ++s) {
      expect_same(calls[s], streams[s].get(), *placed[s], *variant, "beside another stream");
    }
    ++tally.checked[variant->name];
  }
}

}  // namespace redux::contract
