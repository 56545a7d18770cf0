// cummax / cummin along rows: 16 x 32 threads whatever the shape.
//
// What Paddle did when the public issue was written (S3 of the sources): 32 rows a block, 32
// elements of each a step. It wins nowhere that we measured; it is the "before". With one row 496
// of 512 threads are masked, one multiprocessor works, and 65536 elements take 2048 steps of a
// dozen barriers each: 2.3 ms there. Any alignment, 64-bit positions.
#include "cumminmax/sweep.cuh"

namespace redux::cumminmax {
namespace {

Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  return sweep_geometry(c, 16);
}

void run(const Problem& problem, const Exec& exec) {
  launch_lines(problem, exec, geometry_of(*problem.the_case, *exec.device), kSweepKernel);
}

const RegisterVariant fixed_16x32{
    {"cummax", "cummin"},
    Variant{.name = "fixed_16x32",
            .side = Side::cuda,
            .about = "blocks of 16 x 32 threads whatever the shape: the public issue's \"before\"",
            .source = __FILE__,
            .unsupported = needs_rows,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::cumminmax
