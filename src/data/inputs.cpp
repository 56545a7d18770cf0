#include "core/op.hpp"
#include "core/status.hpp"
#include "data/data.hpp"

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

}  // namespace

std::vector<std::vector<std::byte>> make_inputs(const Case& c) {
  std::vector<std::vector<std::byte>> inputs;
  for (const TensorSpec& spec : c.op->inputs(c)) {
    if (c.data == "file") {
      inputs.push_back(from_file(c, spec));
      continue;
    }
    std::vector<std::byte> bytes(spec.bytes());
    // Each input has a seed of its own; the first has the case's.
    fill(c.data, spec.dtype, view_along(spec.dims, c.attributes.axis), c.seed + inputs.size(),
         bytes);
    inputs.push_back(std::move(bytes));
  }
  return inputs;
}

}  // namespace redux
