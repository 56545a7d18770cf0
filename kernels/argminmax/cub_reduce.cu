// argmax / argmin, [rows, cols] -> int64 [rows]: NVIDIA's CUB, as the library's answer to compare
// with.
//
// One row: DeviceReduce::ArgMax (two kernels, its own scratch). More: DeviceSegmentedReduce::ArgMax
// over fixed-length segments, a block a row. It wins nowhere that we measured but is close for one
// very long row. Ties go to the lowest index, -0 equals +0. Neither NaN policy is CUB's: how a NaN
// compares depends on how elements happen to be grouped, so data kinds with NaN are unsupported.
#include "argminmax/launch_rows.cuh"
#include "common/library.hpp"

#ifndef REDUX_SIMT
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_segmented_reduce.cuh>

#include "argminmax/segments.cuh"
#endif

namespace redux::argminmax {
namespace {

#ifdef REDUX_SIMT
using namespace library_on_a_gpu_only;
#else

constexpr std::size_t kValueBytes = 256;  ///< in front of CUB's scratch: one row's extreme value

/// CUB's two-call protocol: `scratch` null asks for `bytes`.
template <class O>
cudaError_t call_cub(const Case& c, const Problem* problem, void* scratch, std::size_t& bytes,
                     cudaStream_t stream) {
  using Value = typename LibraryType<typename O::Storage>::type;
  const std::int64_t rows = rows_of(c);
  const std::int64_t cols = cols_of(c);
  const auto* input = problem == nullptr ? nullptr : problem->inputs[0].as<const Value>();
  auto* indices = problem == nullptr ? nullptr : problem->outputs[0].as<std::int64_t>();
  if (rows == 1) {
    auto* extreme = problem == nullptr ? nullptr : static_cast<Value*>(problem->workspace);
    return c.op->name == "argmax"
               ? cub::DeviceReduce::ArgMax(scratch, bytes, input, extreme, indices, cols, stream)
               : cub::DeviceReduce::ArgMin(scratch, bytes, input, extreme, indices, cols, stream);
  }
  const IndexOutput<cub::KeyValuePair<int, Value>> output(indices);
  const SegmentOffsets begins{cols, 0};
  const SegmentOffsets ends{cols, 1};
  return c.op->name == "argmax" ? cub::DeviceSegmentedReduce::ArgMax(scratch, bytes, input, output,
                                                                     rows, begins, ends, stream)
                                : cub::DeviceSegmentedReduce::ArgMin(scratch, bytes, input, output,
                                                                     rows, begins, ends, stream);
}

/// The instantiation for the case's dtype; direction and policy are decided inside.
template <class Use>
auto with_dtype(const Case& c, Use&& use) {
  switch (c.dtype) {
    case DType::float16:
      return use(Tag<Order<Float16, true, false>>{});
    case DType::bfloat16:
      return use(Tag<Order<BFloat16, true, false>>{});
    case DType::float32:
      return use(Tag<Order<float, true, false>>{});
    case DType::float64:
      return use(Tag<Order<double, true, false>>{});
    case DType::int32:
      return use(Tag<Order<std::int32_t, true, false>>{});
    case DType::int64:
      break;
  }
  return use(Tag<Order<std::int64_t, true, false>>{});
}

std::size_t cub_bytes(const Case& c) {
  std::size_t bytes = 0;
  with_dtype(c, [&]<class O>(Tag<O>) {
    // Asks the device for its size; where there is none (a dry run), nothing can be said.
    if (call_cub<O>(c, nullptr, nullptr, bytes, nullptr) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      bytes = 0;
    }
  });
  return bytes;
}

std::size_t scratch_bytes(const Case& c, const DeviceFacts& /*device*/) {
  return rows_of(c) == 0 ? 0 : kValueBytes + cub_bytes(c);
}

/// What can be said of launches that CUB decides: their number.
Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  Geometry geometry{.grid = {0, 0, 0}, .block = {0, 0, 0}};
  geometry.kernels = rows_of(c) == 0 ? 0 : (rows_of(c) == 1 ? Geometry::kCounted : 1);
  return geometry;
}

std::string unsupported(const Case& c, const DeviceFacts& /*device*/) {
  if (is_floating(c.dtype) && (c.data.starts_with("nan_") || c.data == "specials")) {
    return "CUB has neither NaN policy: what a NaN gives depends on how elements are grouped";
  }
  if (rows_of(c) > 1 && rows_of(c) * cols_of(c) > std::numeric_limits<std::int32_t>::max()) {
    return "DeviceSegmentedReduce::ArgMax has 32-bit offsets: at most 2147483647 elements";
  }
  return {};
}

void run(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  if (rows_of(c) == 0) return;
  std::size_t bytes = problem.workspace_bytes - kValueBytes;
  void* scratch = static_cast<std::byte*>(problem.workspace) + kValueBytes;
  with_dtype(c, [&]<class O>(Tag<O>) {
    REDUX_CUDA_CHECK(
        call_cub<O>(c, &problem, scratch, bytes, static_cast<cudaStream_t>(exec.stream)));
  });
}

#endif

const RegisterVariant cub_reduce{
    {"argmax", "argmin"},
    Variant{.name = "cub",
            .side = Side::cuda,
            .about = "CUB's DeviceReduce (one row) or DeviceSegmentedReduce (more): the library",
            .source = __FILE__,
            .workspace_alignment = 256,
            .unsupported = unsupported,
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::argminmax
