#include <cstring>
#include <optional>
#include <stdexcept>

#include "core/op.hpp"
#include "core/status.hpp"
#include "data/data.hpp"
#include "data/graph.hpp"

namespace redux {
namespace {

std::vector<std::byte> from_file(const Case& c, const TensorSpec& spec) {
  const bool as_bfloat16 = c.dtype == DType::bfloat16;
  const NpyHeader header = read_npy_header(c.data_file, as_bfloat16);
  if (header.dtype != spec.dtype || header.dims != spec.dims) {
    throw Failure(ExitCode::usage, c.data_file + ": holds " + std::string(name_of(header.dtype)) +
                                       " of shape " + Shape{header.dims, {}}.text() +
                                       " where the case asks for " +
                                       std::string(name_of(spec.dtype)) + " of shape " +
                                       Shape{spec.dims, {}}.text());
  }
  return read_npy(c.data_file, as_bfloat16);
}

template <class Index>
std::string fault_of(const GraphArrays& graph) {
  const auto as_span = [](const std::vector<std::byte>& bytes) {
    return std::span(reinterpret_cast<const Index*>(bytes.data()), bytes.size() / sizeof(Index));
  };
  return csr_fault(as_span(graph.row_ptr), as_span(graph.col_idx));
}

/// What kernels rely on is checked however the arrays came about: a file may have changed since the
/// config was read.
GraphArrays checked_graph(const Case& c) {
  const DType index = c.attributes.index == Index::int32 ? DType::int32 : DType::int64;
  GraphArrays graph = make_graph(c.graph, c.seed, index);
  const std::string fault =
      index == DType::int32 ? fault_of<std::int32_t>(graph) : fault_of<std::int64_t>(graph);
  if (!fault.empty()) throw Failure(ExitCode::usage, c.shape.graph + ": " + fault);
  return graph;
}

}  // namespace

std::vector<std::vector<std::byte>> make_inputs(const Case& c) {
  std::vector<std::vector<std::byte>> inputs;
  std::optional<GraphArrays> graph;
  std::uint64_t filled = 0;
  for (const TensorSpec& spec : c.op->inputs(c)) {
    if (spec.content != Content::data) {
      if (!graph) graph = checked_graph(c);
      auto& made = spec.content == Content::row_ptr ? graph->row_ptr : graph->col_idx;
      if (made.size() != spec.bytes()) {
        throw Failure(ExitCode::usage, c.shape.graph + ": " + spec.name + " has " +
                                           std::to_string(made.size()) + " bytes where the case " +
                                           "asks for " + std::to_string(spec.bytes()));
      }
      inputs.push_back(std::move(made));
      continue;
    }
    if (c.data == "file") {
      inputs.push_back(from_file(c, spec));
      continue;
    }
    std::vector<std::byte> bytes(spec.bytes());
    // Each input has a seed of its own; the first has the case's.
    fill(c.data, spec.dtype, view_along(spec.dims, c.attributes.axis), c.seed + filled++, bytes);
    inputs.push_back(std::move(bytes));
  }
  return inputs;
}

}  // namespace redux
