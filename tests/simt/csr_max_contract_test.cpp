// Every CUDA variant of csr_max in the SIMT executor, against the reference and the public reports,
// spread over schedules and simulated devices.
#include "contract/csr_max_reports.hpp"
#include "simt/graph_ground.hpp"

namespace redux::contract {
namespace {

class SimtCsrMax : public testing::TestWithParam<DType> {
 protected:
  /// For the draws: every test has its own.
  [[nodiscard]] static std::uint64_t seed() { return static_cast<std::uint64_t>(GetParam()); }
};

std::string name_of_type(const testing::TestParamInfo<DType>& info) {
  return std::string(name_of(info.param));
}

TEST_P(SimtCsrMax, EveryDegreeAndWidthGivesTheReferencesValues) {
  GraphGround ground(1000 + seed(), kSanitized);
  Tally tally;
  check_widths(ground, GetParam(), tally);
  add_to_simt_tally("csr_max", tally);
}

TEST_P(SimtCsrMax, BasesNeedNoMoreAlignmentThanAnElement) {
  GraphGround ground(1100 + seed());
  Tally tally;
  const Neighbours graph = of_degrees({3, 0, 33, 1, 9, 200});
  for (const std::int64_t width : {1, 2, 8, 17, 64}) {
    for (std::int64_t offset = 1; offset < 8; ++offset) {
      const GraphChoice choice{.dtype = GetParam(), .width = width};
      check_graph(ground,
                  graph_problem(choice, graph.row_ptr, graph.col_idx,
                                features_of(choice, graph.nodes(), "ties")),
                  tally, "offset by " + std::to_string(offset), offset);
    }
  }
  add_to_simt_tally("csr_max", tally);
}

TEST_P(SimtCsrMax, NaNInEveryLane) {
  if (!is_floating(GetParam())) GTEST_SKIP() << "integers have no NaN";
  GraphGround ground(1200 + seed(), kSanitized);
  Tally tally;
  for (const Nan nan : {Nan::skip, Nan::propagate}) {
    check_graph(ground, nan_in_every_lane({GetParam(), 33, nan}, 35), tally);
    check_graph(ground, nan_in_every_lane({GetParam(), 128, nan, {}, Index::int64}, 17), tally);
  }
  add_to_simt_tally("csr_max", tally);
}

TEST_P(SimtCsrMax, VariantsGiveTheWrittenAnswersOfReports) {
  GraphGround ground(1300 + seed());
  Tally tally;
  for (const GraphReport& report : csr_max_reports(GetParam())) {
    ground.load_all(report.problem.inputs, places_of(report.problem.c));
    check_loaded(ground, report.problem.c, {report.expected}, tally, report.id);
  }
  add_to_simt_tally("csr_max", tally);
}

INSTANTIATE_TEST_SUITE_P(All, SimtCsrMax, testing::ValuesIn(kAllDTypes), name_of_type);

TEST(SimtCsrMaxReports, A24NeighboursThatANarrowerTypeWouldMerge) {
  GraphGround ground(1400, false);
  Tally tally;
  for (const GraphReport& report : precision_graph_reports()) {
    ground.load_all(report.problem.inputs, places_of(report.problem.c));
    check_loaded(ground, report.problem.c, {report.expected}, tally, report.id);
  }
  expect_all_variants("csr_max", tally);
}

TEST(SimtCsrMaxReports, S11NothingIsWrittenOrLaunchedWhereThereIsNoOutput) {
  GraphGround ground(1500, false);
  for (const DType dtype : kAllDTypes) {
    const GraphChoice none{.dtype = dtype, .width = 0};
    const GraphChoice some{.dtype = dtype, .width = 7};
    for (const GraphProblem& problem :
         {graph_problem(none, {0, 2, 3}, {0, 1, 0}, {}), graph_problem(some, {0}, {}, {})}) {
      Tally tally;
      check_graph(ground, problem, tally, "no output");
      for (const Variant* variant : variants_of("csr_max", Side::cuda, simt::registry())) {
        EXPECT_EQ(geometry(*variant, problem.c, ground.device()).kernels, 0) << variant->name;
      }
      expect_all_variants("csr_max", tally);
    }
  }
}

TEST(SimtCsrMaxHubs, AHundredThousandNeighbours) {
  GraphGround ground(1600, false);
  ground.fix({{simt::Order::descending}, simt::simulated_device(13, 1024)});
  Tally tally;
  const Neighbours graph = of_degrees({2, kSanitized ? 10000 : 100000, 0, 1});
  for (const std::int64_t width : {1, 3}) {
    const GraphChoice choice{.dtype = DType::float32, .width = width};
    check_graph(ground,
                graph_problem(choice, graph.row_ptr, graph.col_idx,
                              features_of(choice, graph.nodes(), "random")),
                tally);
  }
  expect_all_variants("csr_max", tally);
}

TEST(SimtCsrMaxIndices, Int32AndInt64GiveTheSameBits) {
  GraphGround ground(1700, false);
  ground.fix({{simt::Order::ascending}, simt::simulated_device(2)});
  const Neighbours graph = of_degrees(kDegrees);
  for (const Variant* variant : variants_of("csr_max", Side::cuda, simt::registry())) {
    std::array<Outputs, 2> outputs;
    for (const Index index : {Index::int32, Index::int64}) {
      const GraphChoice choice{.dtype = DType::float32, .width = 33, .index = index};
      GraphProblem problem = graph_problem(choice, graph.row_ptr, graph.col_idx,
                                           features_of(choice, graph.nodes(), "ties"));
      ground.load_all(problem.inputs, places_of(problem.c));
      EXPECT_EQ(ground.run(problem.c, *variant, 1, outputs.at(static_cast<std::size_t>(index))), "")
          << variant->name;
    }
    EXPECT_EQ(outputs[0], outputs[1]) << variant->name;
  }
}

/// Every variant under every schedule on devices of every size, on graphs that take each way
/// through the kernels: packed light nodes, hubs of several blocks, tiles, rows aligned and not.
TEST(SimtCsrMaxCross, EveryScheduleOnDevicesOfEverySize) {
  struct Path {
    GraphChoice choice;
    Ids degrees;
  };
  const std::vector<Path> paths{
      {{DType::float32, 20}, {3, 0, 7, 700, 0, 0, 2, 16, 90}},
      {{DType::float16, 33, Nan::skip}, {1, 1, 400, 1, 2}},
      {{DType::bfloat16, 6, Nan::propagate, Empty::zero}, {0, 0, 900, 5}},
      {{DType::float64, 70, Nan::propagate, Empty::negative_infinity, Index::int64}, {40, 2, 60}},
      {{DType::int64, 3}, {0, 33, 1000, 1, 0}},
      {{DType::int32, 1}, Ids(300, 2)}};
  Tally tally;
  simt::Random draw(1800);
  for (const auto& [choice, degrees] : paths) {
    GraphGround ground(1801);
    const Neighbours graph = of_degrees(degrees);
    for (const int multiprocessors : kMultiprocessors) {
      for (const simt::Order order :
           {simt::Order::ascending, simt::Order::descending, simt::Order::random}) {
        const char* kind = draw.below(2) == 0 ? "specials" : "random";
        ground.fix({{order, draw.below(1000000)},
                    simt::simulated_device(multiprocessors, kThreadsAMultiprocessor.at(draw.below(
                                                                kThreadsAMultiprocessor.size())))});
        check_graph(ground,
                    graph_problem(choice, graph.row_ptr, graph.col_idx,
                                  features_of(choice, graph.nodes(), kind)),
                    tally);
      }
    }
  }
  expect_all_variants("csr_max", tally);
}

}  // namespace
}  // namespace redux::contract
