// Generated graphs: what each kind promises, and that the arrays never change.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "data/generator.hpp"
#include "data/graph.hpp"

namespace redux {
namespace {

using Ids = std::vector<std::int64_t>;

struct Made {
  Ids row_ptr;
  Ids col_idx;

  [[nodiscard]] Ids degrees() const {
    Ids degrees(row_ptr.size());
    std::adjacent_difference(row_ptr.begin(), row_ptr.end(), degrees.begin());
    degrees.erase(degrees.begin());
    return degrees;
  }
};

Ids as_ids(const std::vector<std::byte>& bytes) {
  Ids ids(bytes.size() / sizeof(std::int64_t));
  if (!bytes.empty()) std::memcpy(ids.data(), bytes.data(), bytes.size());
  return ids;
}

/// Checked, counted, and the same in both index types.
Made make(const GraphSource& source, std::uint64_t seed = 42) {
  EXPECT_EQ(graph_fault(source), "");
  const GraphArrays wide = make_graph(source, seed, DType::int64);
  const Made made{as_ids(wide.row_ptr), as_ids(wide.col_idx)};
  EXPECT_EQ(csr_fault(made.row_ptr, made.col_idx), "") << source.name();
  EXPECT_EQ(graph_extents(source, seed),
            (GraphExtents{source.nodes, static_cast<std::int64_t>(made.col_idx.size())}));
  const GraphArrays narrow = make_graph(source, seed, DType::int32);
  std::vector<std::int32_t> columns(made.col_idx.size());
  EXPECT_EQ(narrow.col_idx.size(), columns.size() * 4);
  if (!columns.empty()) {
    std::memcpy(columns.data(), narrow.col_idx.data(), narrow.col_idx.size());
  }
  EXPECT_TRUE(std::equal(columns.begin(), columns.end(), made.col_idx.begin()));
  return made;
}

GraphSource source_of(const std::string& kind, std::int64_t nodes, std::int64_t degree) {
  return {.kind = kind, .nodes = nodes, .degree = degree};
}

TEST(GraphKinds, CyclicIsTheSources) {
  const Made made = make(source_of("cyclic", 640, 16));
  EXPECT_EQ(made.col_idx.size(), 10234U);
  const Ids degrees = made.degrees();
  for (std::int64_t i = 0; i < 640; ++i) {
    EXPECT_EQ(degrees[static_cast<std::size_t>(i)], std::max<std::int64_t>(1, 16 + (i % 7) - 3));
  }
  EXPECT_EQ(graph_extents(source_of("cyclic", 1000000, 16), 1).edges, 15999997);
  // Never below one.
  EXPECT_EQ(make(source_of("cyclic", 7, 0)).degrees(), (Ids{1, 1, 1, 1, 1, 2, 3}));
}

TEST(GraphKinds, UniformByDegreeAndByEdges) {
  for (const std::int64_t degree : make(source_of("uniform", 100, 3)).degrees()) {
    EXPECT_EQ(degree, 3);
  }
  GraphSource source{.kind = "uniform", .nodes = 10, .edges = 23};
  EXPECT_EQ(make(source).degrees(), (Ids{2, 2, 2, 3, 2, 2, 3, 2, 2, 3}));
  EXPECT_EQ(source.name(), "uniform-10-e23");
  // Counted without being made.
  source.edges = 2283022784;
  EXPECT_EQ(graph_extents(source, 1).edges, 2283022784);
}

TEST(GraphKinds, PowerLawHasHubsAndItsDegreesFollowTheFormula) {
  const Ids degrees = make(source_of("power_law", 169343, 7)).degrees();
  const auto [least, most] = std::ranges::minmax(degrees);
  EXPECT_EQ(least, 2);    // floor(7 / 3)
  EXPECT_GT(most, 1000);  // at most floor(1e-4^-0.7 * 7 / 3)
  EXPECT_LE(most, 1472);
  const auto edges = std::accumulate(degrees.begin(), degrees.end(), std::int64_t{0});
  EXPECT_NEAR(static_cast<double>(edges) / 169343, 6.9, 0.3);
  // No node has more neighbours than there are nodes.
  EXPECT_EQ(std::ranges::max(make(source_of("power_law", 50, 20)).degrees()) <= 50, true);
  EXPECT_NE(make(source_of("power_law", 1000, 7), 1).row_ptr,
            make(source_of("power_law", 1000, 7), 2).row_ptr);
}

TEST(GraphKinds, P11_AHubOwnsAllEdgesOrAShare) {
  GraphSource source{.kind = "hub", .nodes = 5, .degree = 4};
  EXPECT_EQ(make(source).degrees(), (Ids{20, 0, 0, 0, 0}));
  EXPECT_EQ(source.name(), "hub-5-4");
  source.share = 50;
  EXPECT_EQ(make(source).degrees(), (Ids{10, 2, 3, 2, 3}));
  source = {.kind = "hub", .nodes = 1720000, .edges = 7770000, .share = 50};
  EXPECT_EQ(source.name(), "hub-1720000-e7770000-s50");
  EXPECT_EQ(make(source).degrees().front(), 3885000);
  EXPECT_EQ(make({.kind = "hub", .nodes = 1, .edges = 9, .share = 50}).degrees(), (Ids{9}));
}

TEST(GraphKinds, WithEmptyHasItsShareOfNodesWithoutNeighbours) {
  GraphSource source{.kind = "with_empty", .nodes = 1000, .degree = 5};
  const Ids degrees = make(source).degrees();
  EXPECT_EQ(std::ranges::count(degrees, 0), 300);
  EXPECT_EQ(std::ranges::count(degrees, 5), 700);
  // Scattered: no more than a few in a row either way.
  EXPECT_GT(std::ranges::count(Ids(degrees.begin(), degrees.begin() + 100), 0), 20);
  for (const int share : {0, 7, 100}) {
    source.share = share;
    EXPECT_EQ(std::ranges::count(make(source).degrees(), 0), 10 * share);
  }
}

TEST(GraphKinds, LocalNeighboursAreNearTheirNode) {
  GraphSource source{.kind = "uniform", .nodes = 10000, .degree = 8, .local = true};
  EXPECT_EQ(source.name(), "uniform-10000-8-local");
  const Made made = make(source);
  for (std::size_t e = 0; e < made.col_idx.size(); ++e) {
    EXPECT_LE(std::abs(made.col_idx[e] - static_cast<std::int64_t>(e / 8)), 1024);
  }
  source.nodes = 5;
  make(source);
}

TEST(GraphKinds, NoNodesAreNoEdges) {
  for (const std::string_view kind : graph_kinds()) {
    EXPECT_EQ(make(source_of(std::string(kind), 0, 4)).row_ptr, (Ids{0})) << kind;
    EXPECT_EQ(make(source_of(std::string(kind), 1, 4)).row_ptr.size(), 2U) << kind;
  }
}

TEST(GraphKinds, ColumnsReachTheWholeTable) {
  const Made made = make(source_of("uniform", 50, 40));
  EXPECT_EQ(std::ranges::min(made.col_idx), 0);
  EXPECT_EQ(std::ranges::max(made.col_idx), 49);
}

TEST(GraphKinds, TheSameForAnyNumberOfThreads) {
  const int threads = omp_get_max_threads();
  for (const std::string_view kind : graph_kinds()) {
    for (const bool local : {false, true}) {
      GraphSource source = source_of(std::string(kind), 3000, 9);
      source.local = local;
      omp_set_num_threads(1);
      const Made alone = make(source, 7);
      omp_set_num_threads(5);
      const Made together = make(source, 7);
      omp_set_num_threads(threads);
      EXPECT_EQ(alone.row_ptr, together.row_ptr) << kind;
      EXPECT_EQ(alone.col_idx, together.col_idx) << kind;
    }
  }
}

/// Figures that baselines rest on.
TEST(GraphKinds, TheArraysNeverChange) {
  const auto sum = [](const Ids& ids) {
    std::uint64_t hash = 0;
    for (const std::int64_t id : ids) hash = data::mix64(hash ^ static_cast<std::uint64_t>(id));
    return hash;
  };
  const Made cyclic = make(source_of("cyclic", 640, 16));
  const Made power = make(source_of("power_law", 10000, 7));
  EXPECT_EQ(sum(cyclic.col_idx), 15518712552512607770U);
  EXPECT_EQ(sum(power.row_ptr), 8095538717505229880U);
  EXPECT_EQ(sum(power.col_idx), 12055636026544435029U);
}

TEST(GraphKinds, WhatCannotBeMadeIsRefused) {
  const auto fault = [](const GraphSource& source) { return graph_fault(source); };
  EXPECT_EQ(fault({.kind = "hub", .nodes = 0, .edges = 5}), "edges, but no node to have them");
  EXPECT_EQ(fault(source_of("uniform", std::int64_t{1} << 40U, std::int64_t{1} << 40U)),
            "nodes times degree exceeds 9223372036854775807");
  EXPECT_EQ(fault(source_of("power_law", std::int64_t{1} << 29U, 2)),
            "a power law of 536870912 nodes; at most 268435456 are made");
}

}  // namespace
}  // namespace redux
