// cummax and cummin along any axis: [dims] -> values [dims] and int64 indices [dims], positions
// along the axis.
#include "core/registry.hpp"
#include "cumminmax/axis.hpp"
#include "cumminmax/reference.hpp"

namespace redux::cumminmax {
namespace {

std::vector<TensorSpec> inputs(const Case& c) {
  return {{"input", c.dtype, c.shape.dims}};
}

std::vector<TensorSpec> outputs(const Case& c) {
  return {{"values", c.dtype, c.shape.dims, Match::bits}, {"indices", DType::int64, c.shape.dims}};
}

std::int64_t bytes_moved(const Case& c) {
  const auto element = static_cast<std::int64_t>(size_of(c.dtype));
  return c.shape.elements().value() *
         ((2 * element) + static_cast<std::int64_t>(size_of(DType::int64)));
}

Op describe(std::string name, std::string about) {
  return Op{
      .name = std::move(name),
      .about = std::move(about),
      .defaults = {.axis = -1, .nan = Nan::propagate},
      .attributes = {"axis", "nan"},
      .data_kinds = {"random", "ties", "constant", "ascending", "descending", "first", "last",
                     "nan_first", "nan_middle", "nan_last", "nan_all", "specials", "logits",
                     "document_starts", "document_starts_256", "document_starts_2048",
                     "document_starts_8192"},
      .dtypes = {kAllDTypes.begin(), kAllDTypes.end()},
      .check = check_axis,
      .inputs = inputs,
      .outputs = outputs,
      .reference = reference,
      .continues = true,
      .bytes_moved = bytes_moved,
  };
}

const RegisterOp cummax{
    describe("cummax", "running largest element and its index along an axis, latest on ties")};
const RegisterOp cummin{
    describe("cummin", "running smallest element and its index along an axis, latest on ties")};

}  // namespace
}  // namespace redux::cumminmax
