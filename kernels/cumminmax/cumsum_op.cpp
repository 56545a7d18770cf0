// cumsum along any axis: [dims] -> [dims] in the input's dtype. The yardstick that the sources hold
// cummax against.
#include "core/registry.hpp"
#include "cumminmax/axis.hpp"
#include "cumminmax/cumsum_reference.hpp"

namespace redux::cumminmax {
namespace {

std::vector<TensorSpec> inputs(const Case& c) {
  return {{"input", c.dtype, c.shape.dims}};
}

std::vector<TensorSpec> outputs(const Case& c) {
  return {{"values", c.dtype, c.shape.dims, is_floating(c.dtype) ? Match::bounded : Match::bits}};
}

std::int64_t bytes_moved(const Case& c) {
  return 2 * c.shape.elements().value() * static_cast<std::int64_t>(size_of(c.dtype));
}

const RegisterOp cumsum{Op{
    .name = "cumsum",
    .about = "running sum along an axis: the yardstick for cummax and cummin; integers wrap",
    .defaults = {.axis = -1, .nan = Nan::propagate},
    .attributes = {"axis"},
    .data_kinds = {"random", "ties", "constant", "ascending", "descending", "first", "last",
                   "nan_first", "nan_middle", "nan_last", "nan_all", "specials", "logits",
                   "document_starts", "document_starts_256", "document_starts_2048",
                   "document_starts_8192"},
    .dtypes = {DType::int32, DType::int64, DType::float32, DType::float64},
    .check = check_axis,
    .inputs = inputs,
    .outputs = outputs,
    .reference = cumsum_reference,
    .bytes_moved = bytes_moved,
    .allowed_differences = cumsum_allowed_differences,
}};

}  // namespace
}  // namespace redux::cumminmax
