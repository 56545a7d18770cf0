// argmax and argmin over the last axis: [..., cols] -> int64 [...], row-local indices.
#include "argminmax/reference.hpp"
#include "core/registry.hpp"

namespace redux::argminmax {
namespace {

AxisView rows_of(const Case& c) {
  return view_along(c.shape.dims, -1);
}

std::string check(const Case& c) {
  const auto rank = c.shape.dims.size();
  if (rank == 0) return "the shape has no axis to reduce";
  const auto axis = normalise_axis(c.attributes.axis, rank);
  if (!axis) {
    return "axis " + std::to_string(c.attributes.axis) + " is outside [-" + std::to_string(rank) +
           ", " + std::to_string(rank) + ") of a shape of rank " + std::to_string(rank);
  }
  if (*axis != static_cast<int>(rank) - 1) {
    return "axis " + std::to_string(c.attributes.axis) + " is not the last axis; " + c.op->name +
           " reduces the last axis only (-1 or " + std::to_string(rank - 1) + ")";
  }
  if (c.shape.dims.back() == 0) return "reduction axis has size 0";
  return {};
}

std::vector<TensorSpec> inputs(const Case& c) {
  return {{"input", c.dtype, c.shape.dims}};
}

std::vector<TensorSpec> outputs(const Case& c) {
  std::vector<std::int64_t> dims(c.shape.dims.begin(), c.shape.dims.end() - 1);
  return {{"indices", DType::int64, dims}};
}

std::int64_t bytes_moved(const Case& c) {
  const AxisView view = rows_of(c);
  return view.outer * ((view.length * static_cast<std::int64_t>(size_of(c.dtype))) +
                       static_cast<std::int64_t>(size_of(DType::int64)));
}

Op describe(std::string name, std::string about) {
  return Op{
      .name = std::move(name),
      .about = std::move(about),
      .defaults = {.axis = -1, .nan = Nan::skip},
      .attributes = {"axis", "nan"},
      .data_kinds = {"random", "ties", "constant", "ascending", "descending", "first", "last",
                     "nan_first", "nan_middle", "nan_last", "nan_all", "specials", "logits",
                     "document_starts"},
      .dtypes = {kAllDTypes.begin(), kAllDTypes.end()},
      .check = check,
      .inputs = inputs,
      .outputs = outputs,
      .reference = reference,
      .continues = true,
      .bytes_moved = bytes_moved,
      .least_bytes = least_bytes,
  };
}

const RegisterOp argmax{describe("argmax", "index of each row's largest element, lowest on ties")};
const RegisterOp argmin{describe("argmin", "index of each row's smallest element, lowest on ties")};

}  // namespace
}  // namespace redux::argminmax
