// Inputs from public bug reports of max aggregation, by the ids under which they are kept, with the
// right answers written out: the reference is checked against them too.
#pragma once

#include <cmath>

#include "contract/csr_max_graphs.hpp"

namespace redux::contract {

/// A graph with one value a node, repeated over `width` features; the answers likewise. kEmpty in
/// an answer stands for what a node without neighbours gets.
struct GraphReport {
  std::string id;
  GraphProblem problem;
  Bytes expected;
};

class GraphReports {
 public:
  static constexpr double kEmpty = 12345.678;  // no answer is that

  [[nodiscard]] const std::vector<GraphReport>& list() const { return list_; }

  /// `values`: of the first nodes; the rest of the table holds the largest value there is, so that
  /// a row that was taken by mistake shows. Nodes are added until the table has room for all
  /// values.
  void add(const std::string& id, GraphChoice choice, Neighbours graph, std::vector<double> values,
           std::vector<double> answers) {
    while (graph.nodes() < static_cast<std::int64_t>(values.size())) {
      graph.add({});
      answers.push_back(kEmpty);
    }
    values.resize(static_cast<std::size_t>(graph.nodes()), 60000);
    for (double& answer : answers) {
      if (answer == kEmpty) answer = empty_answer(choice);
    }
    list_.push_back({id,
                     graph_problem(choice, graph.row_ptr, graph.col_idx,
                                   encode(choice.dtype, repeated(values, choice.width))),
                     encode(choice.dtype, repeated(answers, choice.width))});
  }

  static double empty_answer(const GraphChoice& choice) {
    if (choice.empty == Empty::zero) return 0;
    if (is_floating(choice.dtype)) return -std::numeric_limits<double>::infinity();
    return choice.dtype == DType::int32 ? -0x1p31 : -0x1p63;
  }

 private:
  static std::vector<double> repeated(const std::vector<double>& values, std::int64_t width) {
    std::vector<double> all;
    for (const double value : values) all.insert(all.end(), static_cast<std::size_t>(width), value);
    return all;
  }

  std::vector<GraphReport> list_;
};

inline Ids ids_up_to(std::int64_t count) {
  Ids ids(static_cast<std::size_t>(count));
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

/// Segments of values that lie one behind the other: nothing is gathered out of order.
inline Neighbours segments(const Ids& row_ptr) {
  return {row_ptr, ids_up_to(row_ptr.back())};
}

inline void segment_reports(GraphReports& all, const GraphChoice& choice) {
  constexpr double kF = GraphReports::kEmpty;
  all.add("S01", choice, segments({0, 2, 5, 5, 6}), {1, 2, 3, 4, 5, 6}, {2, 5, kF, 6});
  all.add("S02", choice, {{0, 0, 0, 2}, {1, 2}}, {1, 2, 3}, {kF, kF, 3});
  all.add("S06", choice, {{0, 0, 0, 1, 2, 4, 5}, {3, 4, 0, 2, 1}}, {-2, -0.0, -1, -4, -3},
          {kF, kF, -4, -3, -1, -0.0});
  all.add("S06", choice, {{0, 2, 3, 5, 5, 5, 5}, {0, 1, 4, 2, 3}}, {-0.0, -2, -1, -3, -4},
          {-0.0, -4, -1, kF, kF, kF});
  all.add("S11", choice, {{0, 0, 0, 0, 0, 0}, {}}, {}, {kF, kF, kF, kF, kF});
  all.add("S11", choice, {{0, 0}, {}}, {}, {kF});
  all.add("S17", choice, {{0, 3}, {2, 0, 1}}, {5, 7, -1}, {7});
  // Duplicates, self-loops, all edges to one source.
  all.add("duplicates", choice, {{0, 4, 6}, {1, 1, 0, 1, 1, 1}}, {3, 9}, {9, 9});
  all.add("self-loops", choice, {{0, 1, 2, 3}, {0, 1, 2}}, {-1, -2, -3}, {-1, -2, -3});
  all.add("one source", choice, {{0, 5, 5, 7}, Ids(7, 2)}, {1, 2, -8}, {-8, kF, -8});
}

inline void special_reports(GraphReports& all, const GraphChoice& choice) {
  constexpr double kF = GraphReports::kEmpty;
  constexpr double kInf = std::numeric_limits<double>::infinity();
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const bool propagate = choice.nan == Nan::propagate;
  const double with_nan = propagate ? kNan : -kInf;  // nothing but a NaN
  all.add("S04", choice, segments({0, 1, 1, 1, 1, 2, 3, 3, 3, 3}), {7, kNan, -2},
          {7, kF, kF, kF, with_nan, -2, kF, kF, kF});
  Ids starts(8733, 3);
  starts[0] = starts[1] = 0;
  starts[2] = 1;
  starts[3] = 2;
  std::vector<double> answers(8732, kF);
  answers[1] = 10;
  answers[2] = with_nan;
  answers[3] = -78;
  if (choice.width < 4) all.add("S04", choice, segments(starts), {10, kNan, -78}, answers);
  all.add("NaN among numbers", choice, {{0, 2, 4, 7}, {0, 1, 1, 0, 1, 1, 0}}, {kNan, 5},
          propagate ? std::vector<double>{kNan, kNan, kNan} : std::vector<double>{5, 5, 5});
  all.add("S12", choice, {{0, 1, 1, 3}, {0, 0, 1}}, {-kInf, 2}, {-kInf, kF, 2});
  const double least = choice.dtype == DType::float16 ? -65504 : -30000;
  all.add("S12", choice, {{0, 2, 4}, {0, 1, 1, 0}}, {-kInf, least}, {least, least});
  all.add("S12", choice, {{0, 70}, Ids(70, 0)}, {-kInf}, {-kInf});
  // S09: every pair of special values, in both orders and among others like them.
  const double denormal = choice.dtype == DType::float16   ? 0x1p-24
                          : choice.dtype == DType::float64 ? 0x1p-1074
                                                           : 0x1p-133;
  const double largest = choice.dtype == DType::float16 ? 65504 : 0x1.FEp127;
  const std::vector<double> letters{0.0,  -0.0,  denormal, -denormal, 1.0,  -1.0,
                                    kInf, -kInf, largest,  -largest,  kNan, -kNan};
  Neighbours pairs;
  std::vector<double> best;
  for (std::int64_t a = 0; a < 12; ++a) {
    for (std::int64_t b = 0; b < 12; ++b) {
      const double x = letters[static_cast<std::size_t>(a)];
      const double y = letters[static_cast<std::size_t>(b)];
      const bool any = std::isnan(x) || std::isnan(y);
      const bool both = std::isnan(x) && std::isnan(y);
      const double number = std::isnan(x) ? y : std::isnan(y) ? x : std::max(x, y);
      const double answer = any && propagate ? kNan : both ? -kInf : number;
      pairs.add({a, b});
      best.push_back(answer);
      if (choice.width > 4) continue;
      Ids many(40, a);
      many[static_cast<std::size_t>(b * 3)] = b;
      pairs.add(many);
      best.push_back(answer);
    }
  }
  all.add("S09", choice, pairs, letters, best);
}

/// A24: neighbours that a narrower type on the way would merge.
inline std::vector<GraphReport> precision_graph_reports() {
  std::vector<GraphReport> reports;
  const auto add = [&]<class T>(DType dtype, T low, T high) {
    for (const std::int64_t width : {1, 4, 33}) {
      std::vector<T> table;
      for (const T value : {low, high, low}) {
        table.insert(table.end(), static_cast<std::size_t>(width), value);
      }
      const std::vector<T> answers(static_cast<std::size_t>(3 * width), high);
      reports.push_back({"A24",
                         graph_problem({.dtype = dtype, .width = width}, {0, 2, 4, 6},
                                       {0, 1, 1, 2, 1, 1}, encode_exactly(table)),
                         encode_exactly(answers)});
    }
  };
  add(DType::int64, std::int64_t{9007199254740992}, std::int64_t{9007199254740993});
  add(DType::int32, std::int32_t{16777216}, std::int32_t{16777217});
  add(DType::float64, 1.0, 1.0 + 0x1p-52);
  return reports;
}

inline std::vector<GraphReport> csr_max_reports(DType dtype) {
  GraphReports all;
  for (const std::int64_t width : {1, 2, 33, 80}) {
    for (const Empty empty : {Empty::negative_infinity, Empty::zero}) {
      for (const Nan nan : {Nan::propagate, Nan::skip}) {
        const Index index =
            (width + static_cast<std::int64_t>(nan)) % 2 == 0 ? Index::int64 : Index::int32;
        const GraphChoice choice{dtype, width, nan, empty, index};
        segment_reports(all, choice);
        if (is_floating(dtype)) special_reports(all, choice);
      }
    }
  }
  return all.list();
}

}  // namespace redux::contract
