// The check that kernels rely on: over arrays that it accepts, csr_max's host variant runs. The
// first byte has the width of indices and the number of row_ptr's entries; the rest is the arrays.
#include <cstring>
#include <vector>

#include "core/op.hpp"
#include "core/registry.hpp"
#include "data/graph.hpp"
#include "target.hpp"

namespace {

using namespace redux;

template <class Index>
std::vector<Index> values_of(const std::uint8_t* data, std::size_t count) {
  std::vector<Index> values(count);
  if (count > 0) std::memcpy(values.data(), data, count * sizeof(Index));
  return values;
}

template <class Index>
void check(const std::uint8_t* data, std::size_t size, std::size_t rows, redux::Index index) {
  const std::size_t all = size / sizeof(Index);
  rows = std::min(rows, all);
  auto row_ptr = values_of<Index>(data, rows);
  auto col_idx = values_of<Index>(data + (rows * sizeof(Index)), all - rows);
  const std::string fault =
      csr_fault(std::span<const Index>(row_ptr), std::span<const Index>(col_idx));
  if (!fault.empty()) {
    fuzz::require_printable(fault);
    return;
  }
  static const Variant* const variant = Registry::instance().find_variant("csr_max", "host_serial");
  Case c;
  c.op = Registry::instance().find_op("csr_max");
  c.variant = variant;
  c.attributes = c.op->defaults;
  c.attributes.index = index;
  const auto nodes = static_cast<std::int64_t>(rows) - 1;
  c.shape.dims = {nodes, static_cast<std::int64_t>(col_idx.size()), 1};
  std::vector<float> features(static_cast<std::size_t>(nodes), 1.0F);
  std::vector<float> out(features.size(), 0.0F);
  const DType dtype = index == redux::Index::int32 ? DType::int32 : DType::int64;
  const std::vector<View> inputs{{row_ptr.data(), dtype, nodes + 1},
                                 {col_idx.data(), dtype, c.shape.dims[1]},
                                 {features.data(), DType::float32, nodes}};
  const DeviceFacts device;
  const std::vector<View> outputs{{out.data(), DType::float32, nodes}};
  run(*variant, Problem{.the_case = &c, .inputs = inputs, .outputs = outputs},
      Exec{.device = &device});
  for (std::size_t v = 0; v < out.size(); ++v) {
    fuzz::require((out[v] == 1.0F) == (row_ptr[v] < row_ptr[v + 1]),
                  "nodes with neighbours have 1");
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t rows = data[0] >> 1U;
  if ((data[0] & 1U) != 0) {
    check<std::int64_t>(data + 1, size - 1, rows, redux::Index::int64);
  } else {
    check<std::int32_t>(data + 1, size - 1, rows, redux::Index::int32);
  }
  return 0;
}
