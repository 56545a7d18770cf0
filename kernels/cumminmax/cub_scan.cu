// cummax / cummin along the innermost axis: NVIDIA's CUB, as the library's answer to compare with.
//
// One row: DeviceScan::InclusiveScan over (value, index) pairs. More: InclusiveScanByKey, an
// element's key being its row. Pairs and keys are made when elements are read and taken apart when
// results are written, so memory is read and written once. Latest index on ties, sticky NaN and the
// element's own bits come from the operator: it is associative, so how CUB groups elements does not
// matter. Each is a kernel that clears the tiles' states and a single pass with decoupled look-back
// (Merrill and Garland, 2016). Positions are of 32 bits, which keeps the pairs of 4-byte elements
// at 8 bytes.
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

template <class O>
struct LaterTakesOver {
  using Pair = FlatPair<typename O::Storage>;
  __device__ Pair operator()(const Pair& earlier, const Pair& later) const {
    return O::takes_over(later.value, earlier.value) ? later : earlier;
  }
};

/// CUB's two-call protocol: `scratch` null asks for `bytes`.
template <class O>
cudaError_t call_cub(const Case& c, const Problem* problem, void* scratch, std::size_t& bytes,
                     cudaStream_t stream) {
  using Storage = typename O::Storage;
  const AxisView view = axis_of(c);
  const auto count = static_cast<std::uint32_t>(view.outer * view.length);
  const bool asks = problem == nullptr;
  const PairInput<Storage> input(asks ? nullptr : problem->inputs[0].as<const Storage>());
  auto* values = asks ? nullptr : problem->outputs[0].as<Storage>();
  auto* indices = asks ? nullptr : problem->outputs[1].as<std::int64_t>();
  const RowDivider rows(view.outer == 1 ? 1 : view.length);
  if (view.outer == 1) {
    const PairOutput<Storage, false> output(values, indices, rows);
    return cub::DeviceScan::InclusiveScan(scratch, bytes, input, output, LaterTakesOver<O>{}, count,
                                          stream);
  }
  const PairOutput<Storage, true> output(values, indices, rows);
  return cub::DeviceScan::InclusiveScanByKey(scratch, bytes, RowKeys{rows}, input, output,
                                             LaterTakesOver<O>{}, count, cuda::std::equal_to<>{},
                                             stream);
}

std::size_t scratch_bytes(const Case& c, const DeviceFacts& /*device*/) {
  if (is_empty(c)) return 0;
  return with_order(c, [&]<class O>(Tag<O>) {
    std::size_t bytes = 0;
    // Asks the device for its size; where there is none (a dry run), nothing can be said.
    if (call_cub<O>(c, nullptr, nullptr, bytes, nullptr) == cudaSuccess) return bytes;
    static_cast<void>(cudaGetLastError());
    return std::size_t{0};
  });
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
  const Case& c = *problem.the_case;
  if (is_empty(c)) return;
  std::size_t bytes = problem.workspace_bytes;
  with_order(c, [&]<class O>(Tag<O>) {
    REDUX_CUDA_CHECK(
        call_cub<O>(c, &problem, problem.workspace, bytes, static_cast<cudaStream_t>(exec.stream)));
  });
}

#endif

const RegisterVariant cub_scan{
    {"cummax", "cummin"},
    Variant{.name = "cub",
            .side = Side::cuda,
            .about = "CUB's DeviceScan over (value, index), by key for more than one row: the "
                     "library",
            .source = __FILE__,
            .workspace_alignment = 256,
            .unsupported = unsupported,
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::cumminmax
