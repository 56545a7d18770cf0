// csr_max: max aggregation over the neighbours in a graph. row_ptr [nodes + 1], col_idx [edges],
// features [nodes, F] -> [nodes, F].
#include "core/registry.hpp"
#include "csr_max/csr.hpp"
#include "csr_max/reference.hpp"

namespace redux::csr_max {
namespace {

std::string check(const Case& c) {
  constexpr std::int64_t kMostNodes = std::int64_t{1} << 48U;
  if (c.shape.dims.size() != 3) return "a shape has nodes, edges and features";
  if (nodes_of(c) > kMostNodes) {
    return "node count " + std::to_string(nodes_of(c)) + " is too large";
  }
  std::int64_t gathered = 0;
  if (__builtin_mul_overflow(edges_of(c), width_of(c), &gathered) ||
      __builtin_mul_overflow(gathered, static_cast<std::int64_t>(size_of(c.dtype)), &gathered)) {
    return "is too large; edges times features exceed " +
           std::to_string(std::numeric_limits<std::int64_t>::max()) + " bytes";
  }
  if (c.attributes.index == Index::int64) return {};
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  for (const auto& [what, count] :
       {std::pair{"node count ", nodes_of(c)}, {"edge count ", edges_of(c)}}) {
    if (count > kMost) {
      return what + std::to_string(count) + R"( exceeds int32; ask for "index": ["int64"])";
    }
  }
  return {};
}

DType index_of(const Case& c) {
  return c.attributes.index == Index::int64 ? DType::int64 : DType::int32;
}

std::vector<TensorSpec> inputs(const Case& c) {
  return {
      {.name = "row_ptr",
       .dtype = index_of(c),
       .dims = {nodes_of(c) + 1},
       .content = Content::row_ptr},
      {.name = "col_idx", .dtype = index_of(c), .dims = {edges_of(c)}, .content = Content::col_idx},
      {.name = "features", .dtype = c.dtype, .dims = {nodes_of(c), width_of(c)}}};
}

std::vector<TensorSpec> outputs(const Case& c) {
  return {{"out", c.dtype, {nodes_of(c), width_of(c)}, Match::ieee}};
}

std::int64_t bytes_moved(const Case& c) {
  std::int64_t bytes = 0;
  for (const auto tensors : {inputs, outputs}) {
    for (const TensorSpec& spec : tensors(c)) bytes += static_cast<std::int64_t>(spec.bytes());
  }
  return bytes;
}

std::int64_t gathered_bytes(const Case& c) {
  return edges_of(c) * width_of(c) * static_cast<std::int64_t>(size_of(c.dtype));
}

const RegisterOp csr_max{Op{
    .name = "csr_max",
    .about = "largest of each node's neighbours, feature by feature, over a graph in CSR",
    // Data kinds that speak of positions mean nodes.
    .defaults = {.axis = 0, .nan = Nan::propagate},
    .attributes = {"nan", "empty", "index"},
    .data_kinds = {"random", "ties", "constant", "ascending", "descending", "first", "last",
                   "nan_first", "nan_middle", "nan_last", "nan_all", "specials"},
    .dtypes = {kAllDTypes.begin(), kAllDTypes.end()},
    .takes_graphs = true,
    .check = check,
    .inputs = inputs,
    .outputs = outputs,
    .reference = reference,
    .bytes_moved = bytes_moved,
    .compulsory_bytes = compulsory_bytes,
    .gathered_bytes = gathered_bytes,
}};

}  // namespace
}  // namespace redux::csr_max
