// Every CUDA variant of argmax and argmin against the reference and the public reports. Suites
// named Sanitize... are small enough to run under compute-sanitizer.
#include "backend/cuda/graph.hpp"
#include "contract/argminmax_property.hpp"
#include "contract/argminmax_reports.hpp"
#include "gpu/device_ground.hpp"

namespace redux::contract {
namespace {

struct Combination {
  std::string op;
  DType dtype;
};

std::vector<Combination> combinations() {
  std::vector<Combination> all;
  for (const char* op : {"argmax", "argmin"}) {
    for (const DType dtype : kAllDTypes) all.push_back({op, dtype});
  }
  return all;
}

std::string name_of_test(const testing::TestParamInfo<Combination>& info) {
  return info.param.op + "_" + std::string(name_of(info.param.dtype));
}

/// Three calls over one workspace: what the second and third find there is what the first left.
constexpr int kCalls = 3;

class ArgMinMaxCuda : public testing::TestWithParam<Combination> {};

TEST_P(ArgMinMaxCuda, EveryKindPolicyAndShapeGivesTheReferencesBits) {
  DeviceGround ground;
  const auto& [op, dtype] = GetParam();
  check_all(ground, op, dtype, awkward_shapes(dtype), device_tally(), kCalls);
}

TEST_P(ArgMinMaxCuda, BasesNeedNoMoreAlignmentThanAnElement) {
  DeviceGround ground;
  check_offsets(ground, GetParam().op, GetParam().dtype, device_tally());
}

INSTANTIATE_TEST_SUITE_P(All, ArgMinMaxCuda, testing::ValuesIn(combinations()), name_of_test);

class SanitizeArgMinMax : public testing::TestWithParam<Combination> {};

TEST_P(SanitizeArgMinMax, SmallShapesAtOddBases) {
  DeviceGround ground;
  const auto& [op, dtype] = GetParam();
  const std::vector<Extents> shapes{{1, 1}, {33, 7}, {3, 257}, {2, 5003}, {1, 40001}};
  for (const Extents& shape : shapes) {
    Case c = make_case(op, dtype, {shape.rows, shape.cols});
    for (const char* kind : {"ties", "nan_middle"}) {
      c.data = kind;
      Bytes input = make_inputs(c).front();
      for (const std::int64_t offset : {0, 1}) {
        ground.load(input, dtype, offset);
        for (const Nan nan : {Nan::skip, Nan::propagate}) {
          c.attributes.nan = nan;
          check_loaded(ground, c, reference_of(c, input), device_tally(), "small", 2);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SanitizeArgMinMax, testing::ValuesIn(combinations()), name_of_test);

void check_report(DeviceGround& ground, const Report& report) {
  ground.load(report.input, report.dtype, 0);
  check_loaded(ground, case_of(report), encode_exactly(report.expected), device_tally(), report.id,
               report.calls);
}

TEST(ArgMinMaxCudaReports, VariantsGiveTheWrittenAnswers) {
  DeviceGround ground;
  for (const Report& report : argminmax_reports()) check_report(ground, report);
}

TEST(ArgMinMaxCudaReports, A09IndexIsAlwaysTheFirstBestElement) {
  DeviceGround ground;
  for (const Report& report : property_reports()) check_report(ground, report);
}

TEST(ArgMinMaxCudaReports, A30NoRowsIsNoOutput) {
  DeviceGround ground;
  for (const char* op : {"argmax", "argmin"}) {
    for (const DType dtype : kAllDTypes) {
      ground.load({}, dtype, 0);
      const Case c = make_case(op, dtype, {0, 5});
      check_loaded(ground, c, {}, device_tally(), "A30");
      for (const Variant* variant : variants_of(op, Side::cuda)) {
        EXPECT_EQ(geometry(*variant, c, device_facts()).kernels, 0) << variant->name;
      }
    }
  }
}

/// A problem on the device that lives as long as this, with its answer.
struct Placed {
  Placed(const Case& the_case, std::uint64_t seed) : c(the_case) {
    c.seed = seed;
    Bytes host = make_inputs(c).front();
    expected = reference_of(c, host);
    input.shape(host.size(), 0);
    REDUX_CUDA_CHECK(cudaMemcpy(input.data(), host.data(), host.size(), cudaMemcpyHostToDevice));
  }
  Case c;
  BandedDeviceMemory input;
  Bytes expected;
};

std::vector<Case> streamed_cases() {
  return {make_case("argmax", DType::float32, {1, 32000}),
          make_case("argmin", DType::float16, {8, 40001}, "ties"),
          make_case("argmax", DType::int64, {3, 300000}),
          make_case("argmin", DType::float64, {65537, 33}, "ties"),
          make_case("argmax", DType::bfloat16, {1, 1048577}, "nan_middle", Nan::propagate)};
}

void expect_same(const Bytes& got, const Placed& placed, const Variant& variant, const char* when) {
  Verification result;
  compare_output(placed.c.op->outputs(placed.c).front(), got, placed.expected, 0, result);
  EXPECT_EQ(result.mismatches, 0) << placed.c.problem_id() << " " << variant.name << " " << when
                                  << ": [" << result.first->position << "] is " << result.first->got
                                  << ", expected " << result.first->expected;
}

TEST(ArgMinMaxCudaStreams, AGraphOfFourCallsReplayedFiftyTimes) {
  const cuda::Stream stream = cuda::make_stream();
  for (const Case& the_case : streamed_cases()) {
    const Placed placed(the_case, 7);
    for (const Variant* variant : variants_of(placed.c.op->name, Side::cuda)) {
      if (!why_unsupported(*variant, placed.c, device_facts()).empty()) continue;
      Call call;
      call.prepare(placed.c, *variant, stream.get());
      REDUX_CUDA_CHECK(cudaStreamSynchronize(stream.get()));
      const cuda::Graph graph = cuda::capture(stream.get(), [&] {
        for (int i = 0; i < 4; ++i) call.launch(placed.input.data(), stream.get());
      });
      const cuda::GraphExec replay = cuda::instantiate(graph, stream.get());
      Bytes got;
      for (int i = 0; i < 50; ++i) {
        call.poison(stream.get());
        REDUX_CUDA_CHECK(cudaGraphLaunch(replay.get(), stream.get()));
        // Every tenth is read, so that most replays follow each other without a pause.
        if (i % 10 != 9) continue;
        EXPECT_EQ(call.read(got, stream.get()), "") << variant->name;
        expect_same(got, placed, *variant, "in a graph");
      }
      ++device_tally().checked[variant->name];
    }
  }
}

TEST(ArgMinMaxCudaStreams, TwoStreamsWithWorkspacesOfTheirOwnOverlap) {
  const std::array streams{cuda::make_stream(), cuda::make_stream()};
  for (const Case& the_case : streamed_cases()) {
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
      for (int i = 0; i < 20; ++i) {
        for (std::size_t s = 0; s < 2; ++s) {
          calls[s].launch(placed[s]->input.data(), streams[s].get());
        }
      }
      for (std::size_t s = 0; s < 2; ++s) {
        Bytes got;
        EXPECT_EQ(calls[s].read(got, streams[s].get()), "") << variant->name;
        expect_same(got, *placed[s], *variant, "beside another stream");
      }
      ++device_tally().checked[variant->name];
    }
  }
}

}  // namespace
}  // namespace redux::contract
