// Every host variant of csr_max, and the reference itself.
#include "contract/csr_max_reports.hpp"
#include "contract/host_ground.hpp"
#include "data/graph.hpp"

namespace redux::contract {
namespace {

class CsrMaxHost : public testing::TestWithParam<DType> {};

std::string name_of_type(const testing::TestParamInfo<DType>& info) {
  return std::string(name_of(info.param));
}

void expect_all_host(const Tally& tally) {
  EXPECT_EQ(tally.checked.size(), variants_of("csr_max", Side::host).size());
  EXPECT_TRUE(tally.unsupported.empty());
}

TEST_P(CsrMaxHost, EveryDegreeAndWidthGivesTheReferencesValues) {
  HostGround ground;
  Tally tally;
  check_widths(ground, GetParam(), tally);
  Ids degrees = kDegrees;
  degrees.push_back(100000);
  degrees.insert(degrees.begin(), 100000);
  check_widths(ground, GetParam(), tally, degrees);
  expect_all_host(tally);
}

TEST_P(CsrMaxHost, EveryKindOfGraphAndData) {
  HostGround ground;
  Tally tally;
  for (const std::string_view kind : graph_kinds()) {
    Case c = make_case("csr_max", GetParam(), {});
    c.graph = {.kind = std::string(kind), .nodes = 3000, .degree = 9};
    c.shape.graph = c.graph.name();
    c.shape.dims = {3000, graph_extents(c.graph, c.seed).edges, 19};
    for (const std::string& data : c.op->data_kinds) {
      c.data = data;
      for (const Nan nan : {Nan::skip, Nan::propagate}) {
        c.attributes.nan = nan;
        check_graph(ground, {c, make_inputs(c)}, tally, data);
      }
    }
  }
  expect_all_host(tally);
}

TEST_P(CsrMaxHost, BasesNeedNoMoreAlignmentThanAnElement) {
  HostGround ground;
  Tally tally;
  const Neighbours graph = of_degrees(kDegrees);
  for (const std::int64_t width : {1, 4, 17, 64}) {
    for (std::int64_t offset = 1; offset < 8; ++offset) {
      const GraphChoice choice{.dtype = GetParam(), .width = width};
      check_graph(ground,
                  graph_problem(choice, graph.row_ptr, graph.col_idx,
                                features_of(choice, graph.nodes(), "random")),
                  tally, "offset by " + std::to_string(offset), offset);
    }
  }
  expect_all_host(tally);
}

TEST_P(CsrMaxHost, NaNInEveryLane) {
  HostGround ground;
  Tally tally;
  if (!is_floating(GetParam())) GTEST_SKIP() << "integers have no NaN";
  for (const Nan nan : {Nan::skip, Nan::propagate}) {
    for (const std::int64_t width : {1, 33, 128}) {
      check_graph(ground, nan_in_every_lane({GetParam(), width, nan}, 131), tally);
    }
  }
  expect_all_host(tally);
}

INSTANTIATE_TEST_SUITE_P(All, CsrMaxHost, testing::ValuesIn(kAllDTypes), name_of_type);

/// The reference and every host variant.
void check_report(HostGround& ground, const GraphReport& report, Tally& tally) {
  std::vector<Bytes> inputs = report.problem.inputs;
  const Case& c = report.problem.c;
  EXPECT_EQ(c.op->check(c), "");
  expect_outputs(c, reference_of(c, inputs), {report.expected},
                 report.id + " " + c.problem_id() + " by the reference");
  ground.load_all(inputs, places_of(c));
  check_loaded(ground, c, {report.expected}, tally, report.id);
}

TEST(CsrMaxReports, TheReferenceAndHostVariantsGiveTheWrittenAnswers) {
  HostGround ground;
  Tally tally;
  for (const DType dtype : kAllDTypes) {
    for (const GraphReport& report : csr_max_reports(dtype)) check_report(ground, report, tally);
  }
  for (const GraphReport& report : precision_graph_reports()) check_report(ground, report, tally);
  expect_all_host(tally);
}

TEST(CsrMaxReports, S01TwoFeatures) {
  HostGround ground;
  Tally tally;
  const double kF = -std::numeric_limits<double>::infinity();
  const GraphChoice choice{.dtype = DType::float32, .width = 2};
  const GraphProblem problem =
      graph_problem(choice, {0, 2, 5, 5, 6, 6, 6}, ids_up_to(6),
                    encode(choice.dtype, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  check_report(
      ground, {"S01", problem, encode(choice.dtype, {3, 4, 9, 10, kF, kF, 11, 12, kF, kF, kF, kF})},
      tally);
  expect_all_host(tally);
}

TEST(CsrMaxReports, S11NothingIsWrittenWhereThereIsNoOutput) {
  HostGround ground;
  Tally tally;
  for (const DType dtype : kAllDTypes) {
    const GraphChoice none{.dtype = dtype, .width = 0};
    check_graph(ground, graph_problem(none, {0, 2, 3}, {0, 1, 0}, {}), tally, "F = 0");
    const GraphChoice some{.dtype = dtype, .width = 7};
    check_graph(ground, graph_problem(some, {0}, {}, {}), tally, "no nodes");
  }
  expect_all_host(tally);
}

TEST(CsrMaxReports, Int32AndInt64IndicesGiveTheSameBits) {
  HostGround ground;
  const Neighbours graph = of_degrees(kDegrees);
  for (const Variant* variant : variants_of("csr_max", Side::host)) {
    std::array<Outputs, 2> outputs;
    for (const Index index : {Index::int32, Index::int64}) {
      const GraphChoice choice{.dtype = DType::float32, .width = 33, .index = index};
      const GraphProblem problem = graph_problem(choice, graph.row_ptr, graph.col_idx,
                                                 features_of(choice, graph.nodes(), "specials"));
      ground.load_all(problem.inputs, places_of(problem.c));
      EXPECT_EQ(ground.run(problem.c, *variant, 1, outputs.at(static_cast<std::size_t>(index))),
                "");
    }
    EXPECT_EQ(outputs[0], outputs[1]) << variant->name;
  }
}

/// Rows that no edge names need not be read.
TEST(CsrMaxBytes, CompulsoryAndGathered) {
  const GraphChoice choice{.dtype = DType::float16, .width = 10};
  GraphProblem problem =
      graph_problem(choice, {0, 3, 3, 5, 5}, {1, 1, 3, 3, 1}, Bytes(std::size_t{4} * 10 * 2));
  const Case& c = problem.c;
  EXPECT_EQ(c.op->bytes_moved(c), ((5 + 5) * 4) + (2 * 4 * 10 * 2));
  EXPECT_EQ(c.op->gathered_bytes(c), 5 * 10 * 2);
  std::vector<std::byte*> starts;
  for (Bytes& input : problem.inputs) starts.push_back(input.data());
  const std::vector<View> ins = input_views(c, starts);
  Bytes out(std::size_t{4} * 10 * 2);
  const View view{out.data(), c.dtype, 40};
  const Problem held{.the_case = &c, .inputs = ins, .outputs = {&view, 1}};
  EXPECT_EQ(c.op->compulsory_bytes(held), ((5 + 5) * 4) + ((2 + 4) * 10 * 2));
}

}  // namespace
}  // namespace redux::contract
