#include <fmt/format.h>

#include <algorithm>

#include "config/nearest.hpp"
#include "config/sweep_parts.hpp"
#include "data/graph.hpp"

namespace redux {
namespace {

std::vector<std::string> kind_names() {
  const auto kinds = graph_kinds();
  return {kinds.begin(), kinds.end()};
}

/// A graph of files has these keys and no others.
std::optional<GraphSource> read_files(const json::Value& value, const SweepContext& context) {
  Report& report = *context.report;
  GraphSource source{.kind = "file"};
  const Fields fields(value, {"file", "row_ptr", "col_idx"}, report);
  if (const auto* file = fields.find("file")) {
    for (const char* other : {"row_ptr", "col_idx"}) {
      if (const auto* pair = fields.find(other)) {
        report.fault(*pair, fmt::format("'{}' cannot stand beside 'file'", other));
      }
    }
    const auto path = read_path(*file, context.folder, ".mtx",
                                "file must be the path of a Matrix Market file", report);
    if (!path) return std::nullopt;
    source.file = *path;
    return source;
  }
  const auto* row_ptr = fields.require("row_ptr", report);
  const auto* col_idx = fields.require("col_idx", report);
  if (row_ptr == nullptr || col_idx == nullptr) return std::nullopt;
  const auto path_of = [&](const json::Value& at, std::string_view name) {
    return read_path(at, context.folder, ".npy",
                     fmt::format("{} must be the path of a NumPy array", name), report);
  };
  const auto first = path_of(*row_ptr, "row_ptr");
  const auto second = path_of(*col_idx, "col_idx");
  if (!first || !second) return std::nullopt;
  source.file = *first;
  source.col_idx_file = *second;
  return source;
}

/// The value of a key that only some kinds have; null, reported, where this one does not.
const json::Value* of_some_kinds(const Fields& fields, std::string_view key,
                                 const GraphSource& source, bool (*takes)(std::string_view),
                                 Report& report) {
  const json::Value* value = fields.find(key);
  if (value == nullptr || takes(source.kind)) return value;
  std::vector<std::string> having;
  for (const std::string& kind : kind_names()) {
    if (takes(kind)) having.push_back(kind);
  }
  report.fault(*value, fmt::format("a graph of kind {} has no '{}' (these have: {})", source.kind,
                                   key, listed(having)));
  return nullptr;
}

std::optional<GraphSource> read_generated(const json::Value& value, Report& report) {
  GraphSource source;
  const Fields fields(value, {"kind", "nodes", "degree", "edges", "share", "ids"}, report);
  const auto* kind = fields.require("kind", report);
  if (kind == nullptr) return std::nullopt;
  const auto name = read_choice(*kind, "graph kind", kind_names(), report);
  const auto* nodes = fields.require("nodes", report);
  if (!name || nodes == nullptr) return std::nullopt;
  source.kind = *name;
  const auto node_count = read_integer(*nodes, "nodes", report);
  const auto* degree = fields.find("degree");
  const auto* edges = of_some_kinds(fields, "edges", source, takes_edges, report);
  if ((degree == nullptr) == (edges == nullptr)) {
    report.fault(value, degree == nullptr ? "the key 'degree' is missing"
                                          : "'degree' and 'edges' exclude each other");
    return std::nullopt;
  }
  const json::Value& size = degree == nullptr ? *edges : *degree;
  const auto number = read_integer(size, degree == nullptr ? "edges" : "degree", report);
  if (!node_count || !number) return std::nullopt;
  source.nodes = *node_count;
  (degree == nullptr ? source.edges.emplace() : source.degree) = *number;
  if (const auto* share = of_some_kinds(fields, "share", source, takes_share, report)) {
    const auto percent = read_integer(*share, "share (percent)", report, 0, 100);
    if (percent) source.share = static_cast<int>(*percent);
  }
  if (const auto* ids = fields.find("ids")) {
    source.local = read_choice(*ids, "order of ids", {"random", "local"}, report) == "local";
  }
  if (const std::string fault = graph_fault(source); !fault.empty()) {
    report.fault(value, fault);
    return std::nullopt;
  }
  return source;
}

std::optional<GraphSource> read_graph(const json::Value& value, const SweepContext& context) {
  const bool of_files = std::ranges::any_of(value.members, [](const json::Member& member) {
    return member.key == "file" || member.key == "row_ptr" || member.key == "col_idx";
  });
  return of_files ? read_files(value, context) : read_generated(value, *context.report);
}

void read_kinds(const json::Value& value, Report& report, Sweep& sweep) {
  sweep.kinds.clear();
  const auto* items = read_list(value, "data kinds of features", report);
  if (items == nullptr) return;
  for (const json::Value& item : *items) {
    const auto kind = read_choice(item, "data kind", sweep.op->data_kinds, report);
    if (kind) sweep.kinds.push_back(*kind);
  }
}

}  // namespace

void read_graph_problems(const Fields& fields, const SweepContext& context, Sweep& sweep) {
  Report& report = *context.report;
  sweep.kinds = {"random"};
  if (const auto* data = fields.find("data")) read_kinds(*data, report, sweep);
  if (const auto* dtypes = fields.require("dtypes", report)) {
    sweep.dtypes = read_dtypes(*dtypes, sweep.op, report);
  }
  if (const auto* features = fields.require("features", report)) {
    sweep.features = read_axis_sizes(*features, report);
  }
  const auto* graphs = fields.require("graphs", report);
  if (graphs == nullptr) return;
  const auto* items = read_list(*graphs, "graphs, each an object", report);
  if (items == nullptr) return;
  for (const json::Value& item : *items) {
    if (auto source = read_graph(item, context)) sweep.graphs.push_back({&item, *source});
  }
}

}  // namespace redux
