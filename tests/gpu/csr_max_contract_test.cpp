// Every CUDA variant of csr_max against the reference and the public reports. Suites named
// Sanitize... are small enough to run under compute-sanitizer.
#include "contract/csr_max_reports.hpp"
#include "data/graph.hpp"
#include "gpu/device_ground.hpp"
#include "gpu/device_streams.hpp"

namespace redux::contract {
namespace {

/// Of this family.
Tally& tally() {
  return device_tallies()["csr_max"];
}

/// Three calls over one workspace: what the second and third find there is what the first left.
constexpr int kCalls = 3;

Case generated_case(DType dtype, const GraphSource& source, std::int64_t width,
                    const std::string& data, Index index = Index::int32) {
  Case c = graph_case({.dtype = dtype, .width = width, .index = index}, source.nodes,
                      graph_extents(source, 42).edges);
  c.graph = source;
  c.shape.graph = source.name();
  c.data = data;
  return c;
}

class CsrMaxCuda : public testing::TestWithParam<DType> {};

std::string name_of_type(const testing::TestParamInfo<DType>& info) {
  return std::string(name_of(info.param));
}

TEST_P(CsrMaxCuda, EveryDegreeAndWidthGivesTheReferencesValues) {
  DeviceGround ground;
  check_widths(ground, GetParam(), tally());
  Ids degrees = kDegrees;
  degrees.push_back(100000);
  degrees.insert(degrees.begin(), 100000);
  // Few features: a thread that walks over all of them takes a second for each forty.
  constexpr std::array<std::int64_t, 3> kNarrow{1, 3, 33};
  check_widths(ground, GetParam(), tally(), degrees, kNarrow);
}

TEST_P(CsrMaxCuda, EveryKindOfGraphAndData) {
  DeviceGround ground;
  for (const std::string_view kind : graph_kinds()) {
    for (const bool local : {false, true}) {
      const std::int64_t nodes = kind == "hub" ? 300 : 5000;  // one thread may have all edges
      const GraphSource source{
          .kind = std::string(kind), .nodes = nodes, .degree = 9, .local = local};
      Case c = generated_case(GetParam(), source, local ? 20 : 19, "random");
      for (const std::string& data : c.op->data_kinds) {
        c.data = data;
        for (const Nan nan : {Nan::skip, Nan::propagate}) {
          c.attributes.nan = nan;
          check_graph(ground, {c, make_inputs(c)}, tally(), data, 0, kCalls);
        }
      }
    }
  }
}

TEST_P(CsrMaxCuda, BasesNeedNoMoreAlignmentThanAnElement) {
  DeviceGround ground;
  const Neighbours graph = of_degrees(kDegrees);
  for (const std::int64_t width : {1, 2, 4, 8, 17, 64, 129}) {
    for (std::int64_t offset = 1; offset < 8; ++offset) {
      const GraphChoice choice{.dtype = GetParam(), .width = width};
      check_graph(ground,
                  graph_problem(choice, graph.row_ptr, graph.col_idx,
                                features_of(choice, graph.nodes(), "random")),
                  tally(), "offset by " + std::to_string(offset), offset);
    }
  }
}

TEST_P(CsrMaxCuda, NaNInEveryLane) {
  if (!is_floating(GetParam())) GTEST_SKIP() << "integers have no NaN";
  DeviceGround ground;
  for (const Nan nan : {Nan::skip, Nan::propagate}) {
    for (const std::int64_t width : {1, 33, 128, 257}) {
      check_graph(ground, nan_in_every_lane({GetParam(), width, nan}, 300), tally());
    }
  }
}

TEST_P(CsrMaxCuda, VariantsGiveTheWrittenAnswersOfReports) {
  DeviceGround ground;
  for (const GraphReport& report : csr_max_reports(GetParam())) {
    ground.load_all(report.problem.inputs, places_of(report.problem.c));
    check_loaded(ground, report.problem.c, {report.expected}, tally(), report.id);
  }
}

INSTANTIATE_TEST_SUITE_P(All, CsrMaxCuda, testing::ValuesIn(kAllDTypes), name_of_type);

class SanitizeCsrMax : public testing::TestWithParam<DType> {};

TEST_P(SanitizeCsrMax, SmallGraphsAtOddBases) {
  DeviceGround ground;
  const Neighbours graph = of_degrees({3, 0, 33, 1, 9, 700, 0, 2});
  std::size_t turn = 0;
  for (const std::int64_t width : {1, 3, 32, 81, 130}) {
    for (const std::int64_t offset : {0, 1}) {
      const GraphChoice choice{GetParam(), width, turn % 2 == 0 ? Nan::propagate : Nan::skip,
                               Empty::zero, turn % 3 == 0 ? Index::int64 : Index::int32};
      ++turn;
      check_graph(ground,
                  graph_problem(choice, graph.row_ptr, graph.col_idx,
                                features_of(choice, graph.nodes(), "specials")),
                  tally(), "small", offset, 2);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SanitizeCsrMax, testing::ValuesIn(kAllDTypes), name_of_type);

TEST(CsrMaxCudaReports, A24NeighboursThatANarrowerTypeWouldMerge) {
  DeviceGround ground;
  for (const GraphReport& report : precision_graph_reports()) {
    ground.load_all(report.problem.inputs, places_of(report.problem.c));
    check_loaded(ground, report.problem.c, {report.expected}, tally(), report.id);
  }
}

TEST(CsrMaxCudaReports, S11NothingIsWrittenOrLaunchedWhereThereIsNoOutput) {
  DeviceGround ground;
  for (const DType dtype : kAllDTypes) {
    const GraphChoice none{.dtype = dtype, .width = 0};
    const GraphChoice some{.dtype = dtype, .width = 7};
    for (const GraphProblem& problem :
         {graph_problem(none, {0, 2, 3}, {0, 1, 0}, {}), graph_problem(some, {0}, {}, {})}) {
      check_graph(ground, problem, tally(), "no output");
      for (const Variant* variant : variants_of("csr_max", Side::cuda)) {
        EXPECT_EQ(geometry(*variant, problem.c, device_facts()).kernels, 0) << variant->name;
      }
    }
  }
}

TEST(CsrMaxCudaIndices, Int32AndInt64GiveTheSameBits) {
  DeviceGround ground;
  const Neighbours graph = of_degrees(kDegrees);
  for (const Variant* variant : variants_of("csr_max", Side::cuda)) {
    std::array<Outputs, 2> outputs;
    for (const Index index : {Index::int32, Index::int64}) {
      const GraphChoice choice{.dtype = DType::float32, .width = 80, .index = index};
      const GraphProblem problem = graph_problem(choice, graph.row_ptr, graph.col_idx,
                                                 features_of(choice, graph.nodes(), "ties"));
      ground.load_all(problem.inputs, places_of(problem.c));
      EXPECT_EQ(ground.run(problem.c, *variant, 1, outputs.at(static_cast<std::size_t>(index))), "")
          << variant->name;
    }
    EXPECT_EQ(outputs[0], outputs[1]) << variant->name;
  }
}

/// Hubs that many blocks share, and light nodes. Degrees that no seed changes: other data are made
/// from other seeds.
std::vector<Case> streamed_cases() {
  return {
      generated_case(DType::float32, {.kind = "hub", .nodes = 1000, .edges = 6000}, 64, "random"),
      generated_case(DType::float16, {.kind = "hub", .nodes = 999, .edges = 4001, .share = 50}, 33,
                     "nan_middle", Index::int64),
      generated_case(DType::int64, {.kind = "cyclic", .nodes = 640, .degree = 16}, 80, "ties"),
      generated_case(DType::float64, {.kind = "uniform", .nodes = 9, .degree = 5000}, 5, "random")};
}

TEST(CsrMaxCudaStreams, AGraphReplayedAThousandTimes) {
  for (const Case& c : streamed_cases()) {
    check_replays(c, 2, 1000, tally(), Replayed::keeping_words);
    check_replays(c, 2, 20, tally());
  }
}

TEST(CsrMaxCudaStreams, TwoStreamsWithWorkspacesOfTheirOwnOverlap) {
  for (const Case& c : streamed_cases()) check_two_streams(c, 20, tally());
}

}  // namespace
}  // namespace redux::contract
