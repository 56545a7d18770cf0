// argmax / argmin, [rows, cols] -> int64 [rows]: cooperative with 64-bit positions.
//
// The alternative that ONNX Runtime pull request 32092 measured (see cooperative.cuh): as right as
// differences of 32-bit positions, 4 to 38% slower there, because loads lose 32-bit addressing and
// registers double. It wins only where nothing else runs: rows of 2^31 columns and more.
#include "argminmax/cooperative_launch.cuh"

namespace redux::argminmax {
namespace {

const RegisterVariant cooperative_int64{
    {"argmax", "argmin"},
    Variant{.name = "cooperative_int64",
            .side = Side::cuda,
            .about = "cooperative with 64-bit positions; for rows of 2^31 columns and more",
            .source = __FILE__,
            .workspace_alignment = 8,
            .workspace_bytes = cooperative_scratch_bytes<std::int64_t>,
            .launch = cooperative_launch<std::int64_t>,
            .run = cooperative_run<std::int64_t>}};

}  // namespace
}  // namespace redux::argminmax
