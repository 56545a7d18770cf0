// Sweeps over graphs: ids, extents, and what is refused with which words.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "config_support.hpp"
#include "core/op.hpp"

namespace redux::test {
namespace {

using Ids = std::vector<std::string>;

/// A csr_max sweep over `graphs`, which start at 3:1, with more keys from 4:2 on.
std::string csr_max_over(std::string_view graphs, std::string_view more = "") {
  return with_sweep(R"({"op":"csr_max","variants":["host_serial"],"dtypes":["float32"],)"
                    R"("features":[80],"graphs":[)"
                    "\n" +
                    std::string(graphs) + "\n]" + std::string(more) + "}");
}

constexpr std::string_view kCyclic = R"({"kind":"cyclic","nodes":640,"degree":16})";

TEST(ConfigGraphs, IdsAndExtents) {
  const Config config = parse_config(csr_max_over(kCyclic), "c.json");
  ASSERT_EQ(ids(config), (Ids{"csr_max/host_serial/float32/cyclic-640-16x80"}));
  const Case& c = config.cases.front();
  EXPECT_EQ(c.shape.dims, (std::vector<std::int64_t>{640, 10234, 80}));
  EXPECT_EQ(c.op->gathered_bytes(c), 10234 * 80 * 4);
  EXPECT_EQ(c.op->bytes_moved(c), (641 + 10234 + (2 * 640 * 80)) * 4);
  EXPECT_EQ(c.attributes.nan, Nan::propagate);
}

TEST(ConfigGraphs, WhatIsNotTheDefaultIsInTheId) {
  EXPECT_EQ(ids(csr_max_over(kCyclic, R"(,"nan":"skip","empty":"0","index":["int64"],)"
                                      R"("data":["ties"])")),
            (Ids{"csr_max/host_serial/float32/cyclic-640-16x80/data=ties/nan=skip/empty=0/"
                 "index=int64"}));
  EXPECT_EQ(ids(csr_max_over(kCyclic, R"(,"index":["int32","int64"])")).size(), 2U);
  EXPECT_EQ(ids(csr_max_over(
                R"({"kind":"hub","nodes":10,"edges":40},
                   {"kind":"hub","nodes":10,"edges":40,"share":50},
                   {"kind":"with_empty","nodes":10,"degree":4,"ids":"local"})")),
            (Ids{"csr_max/host_serial/float32/hub-10-e40x80",
                 "csr_max/host_serial/float32/hub-10-e40-s50x80",
                 "csr_max/host_serial/float32/with_empty-10-4-localx80"}));
}

TEST(ConfigGraphs, FeaturesAreSizesAndRanges) {
  const std::string text =
      with_sweep(R"({"op":"csr_max","variants":["host_serial"],"dtypes":["float32"],"graphs":[)" +
                 std::string(kCyclic) + R"(],"features":[0,{"pow2":[0,2]},1433]})");
  EXPECT_EQ(ids(text).size(), 5U);
  EXPECT_TRUE(ids(text).front().ends_with("x0"));
}

TEST(ConfigGraphs, S20_MoreEdgesThanInt32Counts) {
  const std::string_view graph = R"({"kind":"uniform","nodes":1000,"edges":2283022784})";
  EXPECT_EQ(only_fault(csr_max_over(graph)),
            "c.json:3:1: /sweeps/0/graphs/0: shape uniform-1000-e2283022784x80: edge count "
            "2283022784 exceeds int32; ask for \"index\": [\"int64\"]");
  EXPECT_EQ(ids(csr_max_over(graph, R"(,"index":["int64"])")).size(), 1U);
  EXPECT_TRUE(
      contains(only_fault(csr_max_over(R"({"kind":"uniform","nodes":3000000000,"degree":0})")),
               "node count 3000000000 exceeds int32"));
}

TEST(ConfigGraphs, ParametersAreChecked) {
  const auto fault = [](std::string_view graph) { return only_fault(csr_max_over(graph)); };
  EXPECT_TRUE(contains(fault(R"({"kind":"cyclc","nodes":1,"degree":1})"),
                       "unknown graph kind 'cyclc'; did you mean 'cyclic'? (allowed: cyclic, "
                       "uniform, power_law, hub, with_empty)"));
  EXPECT_TRUE(contains(fault(R"({"kind":"cyclic","nodes":1})"), "the key 'degree' is missing"));
  EXPECT_TRUE(contains(fault(R"({"kind":"cyclic","degree":1})"), "the key 'nodes' is missing"));
  EXPECT_TRUE(contains(fault(R"({"nodes":1,"degree":1})"), "the key 'kind' is missing"));
  EXPECT_TRUE(contains(fault(R"({"kind":"hub","nodes":1,"degree":1,"edges":1})"),
                       "'degree' and 'edges' exclude each other"));
  EXPECT_TRUE(contains(fault(R"({"kind":"cyclic","nodes":1,"degree":1,"share":5})"),
                       "a graph of kind cyclic has no 'share' (these have: hub, with_empty)"));
  EXPECT_TRUE(contains(fault(R"({"kind":"hub","nodes":1,"degree":1,"share":101})"),
                       "share (percent) 101 is too large; at most 100"));
  EXPECT_TRUE(contains(fault(R"({"kind":"hub","nodes":-1,"degree":1})"), "nodes -1 is too small"));
  EXPECT_TRUE(contains(fault(R"({"kind":"hub","nodes":1,"degree":1,"ids":"near"})"),
                       "unknown order of ids 'near'"));
  EXPECT_TRUE(contains(fault(R"({"kind":"hub","nodes":1,"dgree":1,"degree":1})"),
                       "unknown key 'dgree'; did you mean 'degree'?"));
  EXPECT_TRUE(contains(fault(R"({"kind":"uniform","nodes":4611686018427387904,"degree":4})"),
                       "nodes times degree exceeds"));
  EXPECT_TRUE(contains(fault(R"({"file":"g.txt"})"),
                       "file must be the path of a Matrix Market file, *.mtx, found the string "
                       "'g.txt'"));
  EXPECT_TRUE(contains(fault(R"({"row_ptr":"r.npy"})"), "the key 'col_idx' is missing"));
  EXPECT_TRUE(contains(fault(R"({"file":"no.mtx"})"), "no.mtx: no such file"));
}

TEST(ConfigGraphs, OpsOverGraphsAndOverTensorsTakeTheirOwnKeys) {
  EXPECT_TRUE(contains(only_fault(csr_max_over(kCyclic, R"(,"shapes":[[1,2]])")),
                       "'shapes' belongs to ops over tensors; csr_max takes graphs: give 'graphs' "
                       "and 'features'"));
  EXPECT_TRUE(contains(only_fault(argmax_over("[1,2]", R"(,"features":[1])")),
                       "'features' belongs to ops over graphs; argmax takes tensors: give 'shapes' "
                       "or 'grid'"));
  EXPECT_TRUE(contains(only_fault(csr_max_over(kCyclic, R"(,"axis":0)")),
                       "csr_max has no attribute 'axis'"));
  EXPECT_TRUE(contains(only_fault(csr_max_over(kCyclic, R"(,"data":{"file":"x.npy"})")),
                       "must be a list of data kinds of features"));
}

TEST(ConfigGraphs, FilesAreFoundFromTheConfigsFolderAndNamedByTheirStem) {
  const std::string folder = REDUX_SOURCE_DIR "/tests/graphs";
  const Config config = parse_config(csr_max_over(R"({"file":"karate.mtx"})"), folder + "/c.json");
  ASSERT_EQ(ids(config), (Ids{"csr_max/host_serial/float32/karatex80"}));
  EXPECT_EQ(config.cases.front().shape.dims, (std::vector<std::int64_t>{34, 156, 80}));
}

TEST(ConfigGraphs, TwoFilesOfOneNameWouldBeOneCase) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "graphs-of-one-name";
  std::filesystem::create_directories(folder / "a");
  for (const auto& path : {folder / "g.mtx", folder / "a/g.mtx"}) {
    std::ofstream(path) << "%%MatrixMarket matrix coordinate pattern general\n1 1 0\n";
  }
  const std::string text = csr_max_over(R"({"file":"g.mtx"},{"file":"a/g.mtx"})");
  std::string message = "accepted";
  try {
    parse_config(text, (folder / "c.json").string());
  } catch (const ConfigError& error) {
    message = error.messages().front();
  }
  EXPECT_TRUE(contains(message, "two graphs would both be csr_max/host_serial/float32/gx80"))
      << message;
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace redux::test
