// argmax / argmin, [rows, cols] -> int64 [rows]: warps and blocks a row, last block merges.
//
// ONNX Runtime pull request 32092 (see cooperative.cuh) with 32-bit positions, which keep 32-bit
// addressing in the loads. It fills the device at every shape and needs no tuning, so it is never
// far off; vector loads (single_pass, warp_per_row) are faster, and the memset and the counter cost
// a microsecond where a row has several blocks. Rows of up to 2^31 - 1 columns. Any alignment.
#include "argminmax/cooperative_launch.cuh"

namespace redux::argminmax {
namespace {

const RegisterVariant cooperative{
    {"argmax", "argmin"},
    Variant{.name = "cooperative",
            .side = Side::cuda,
            .about = "warps and blocks a row, the last block to arrive merges; good at any shape",
            .source = __FILE__,
            .workspace_alignment = 8,
            .unsupported = needs_32_bit_positions,
            .workspace_bytes = cooperative_scratch_bytes<std::int32_t>,
            .launch = cooperative_launch<std::int32_t>,
            .run = cooperative_run<std::int32_t>}};

}  // namespace
}  // namespace redux::argminmax
