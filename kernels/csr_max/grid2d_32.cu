// csr_max, features [nodes, F] -> [nodes, F]: a block of 32 threads a (node, group of 32 features).
//
// A block is one warp, so that nothing in it waits for anything else; the grid has a block for
// every node and group, and their launch is what takes the time on graphs of small degree. The
// design with the most blocks of a full warp: wins nothing over warp_per_node, but is the simplest
// that coalesces. Any degree, any alignment, 64-bit positions; up to 65535 groups.
#include "csr_max/grid2d.cuh"

namespace redux::csr_max {
namespace {

const RegisterVariant grid2d_32{
    {"csr_max"},
    Variant{.name = "grid2d_32",
            .side = Side::cuda,
            .about = "a warp-sized block a (node, 32 features): the simplest that coalesces",
            .source = __FILE__,
            .unsupported = grid2d_unsupported<32>,
            .launch = grid2d_geometry<32>,
            .run = grid2d_run<32>}};

}  // namespace
}  // namespace redux::csr_max
