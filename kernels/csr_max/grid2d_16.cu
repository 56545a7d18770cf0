// csr_max, features [nodes, F] -> [nodes, F]: a block of 16 threads a (node, group of 16 features).
//
// Half a warp a block: 80 features are five whole groups, where groups of 32 leave a third of the
// last one idle; but a block takes a warp's place whatever its size, so half of the lanes there are
// never do anything. Any degree, any alignment, 64-bit positions; up to 65535 groups.
#include "csr_max/grid2d.cuh"

namespace redux::csr_max {
namespace {

const RegisterVariant grid2d_16{
    {"csr_max"},
    Variant{.name = "grid2d_16",
            .side = Side::cuda,
            .about = "a block of half a warp a (node, 16 features): no idle thread at 80 features, "
                     "half of each warp idle",
            .source = __FILE__,
            .unsupported = grid2d_unsupported<16>,
            .launch = grid2d_geometry<16>,
            .run = grid2d_run<16>}};

}  // namespace
}  // namespace redux::csr_max
