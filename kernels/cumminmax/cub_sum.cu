// cumsum along the innermost axis: NVIDIA's CUB, as the yardstick that the sources hold cummax
// against.
//
// One row: DeviceScan::InclusiveSum. More: DeviceScan::InclusiveSumByKey, an element's key being
// its row, computed when it is read. Each is a kernel that clears the tiles' states and a single
// pass with decoupled look-back (Merrill and Garland, 2016). Floats are added in an order that
// depends on when tiles finish, so their last bits may differ from call to call.
#include "common/library.hpp"
#include "core/registry.hpp"

#ifndef REDUX_SIMT
#include <cub/device/device_scan.cuh>

#include "common/check.hpp"
#include "cumminmax/library_rows.cuh"
#endif

namespace redux::cumminmax {
namespace {

#ifdef REDUX_SIMT
using namespace library_on_a_gpu_only;
#else

/// CUB's two-call protocol: `scratch` null asks for `bytes`.
template <class T>
cudaError_t call_cub(const Case& c, const Problem* problem, void* scratch, std::size_t& bytes,
                     cudaStream_t stream) {
  const AxisView view = axis_of(c);
  const auto count = static_cast<std::uint32_t>(view.outer * view.length);
  const auto* input = problem == nullptr ? nullptr : problem->inputs[0].as<const T>();
  auto* values = problem == nullptr ? nullptr : problem->outputs[0].as<T>();
  if (view.outer == 1) {
    return cub::DeviceScan::InclusiveSum(scratch, bytes, input, values, count, stream);
  }
  const RowKeys keys{RowDivider(view.length)};
  return cub::DeviceScan::InclusiveSumByKey(scratch, bytes, keys, input, values, count,
                                            cuda::std::equal_to<>{}, stream);
}

/// Unsigned, because integers wrap.
cudaError_t call_for_dtype(const Case& c, const Problem* problem, void* scratch, std::size_t& bytes,
                           cudaStream_t stream) {
  switch (c.dtype) {
    case DType::int32:
      return call_cub<std::uint32_t>(c, problem, scratch, bytes, stream);
    case DType::int64:
      return call_cub<std::uint64_t>(c, problem, scratch, bytes, stream);
    case DType::float32:
      return call_cub<float>(c, problem, scratch, bytes, stream);
    default:
      return call_cub<double>(c, problem, scratch, bytes, stream);
  }
}

std::size_t scratch_bytes(const Case& c, const DeviceFacts& /*device*/) {
  std::size_t bytes = 0;
  // Asks the device for its size; where there is none (a dry run), nothing can be said.
  if (!is_empty(c) && call_for_dtype(c, nullptr, nullptr, bytes, nullptr) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    bytes = 0;
  }
  return bytes;
}

/// What can be said of launches that CUB decides.
Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  Geometry geometry{.grid = {0, 0, 0}, .block = {0, 0, 0}};
  geometry.kernels = is_empty(c) ? 0 : Geometry::kCounted;
  return geometry;
}

std::string unsupported(const Case& c, const DeviceFacts& device) {
  return unsupported_by_library(c, device);
}

void run(const Problem& problem, const Exec& exec) {
  if (is_empty(*problem.the_case)) return;
  std::size_t bytes = problem.workspace_bytes;
  REDUX_CUDA_CHECK(call_for_dtype(*problem.the_case, &problem, problem.workspace, bytes,
                                  static_cast<cudaStream_t>(exec.stream)));
}

#endif

const RegisterVariant cub_sum{
    {"cumsum"},
    Variant{.name = "cub",
            .side = Side::cuda,
            .about = "CUB's DeviceScan::InclusiveSum (one row) or InclusiveSumByKey (more)",
            .source = __FILE__,
            .workspace_alignment = 256,
            .unsupported = unsupported,
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::cumminmax
