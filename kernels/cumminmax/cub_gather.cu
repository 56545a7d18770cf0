// cummax of document starts along the innermost axis by a running sum and a gather: the work-around
// of the public issue (SOURCES S3), which was faster than the scan that it stands in for.
//
// Each element is its position where a document starts, else 0. CUB's InclusiveSum over flags
// (first of its row, or not 0) numbers the documents, ordinals in memory; a second kernel writes
// down where each begins, and a third gives every element the start of its document. Rows are one
// sequence: the first element of each begins a document, whose 0 ties with the zeros after it, so
// that there the latest index is the element's own. Starts never fall along a row, also where a
// dtype rounds them or ends below them, and of equal ones the later takes over: exact throughout.
#include "common/launch.hpp"
#include "common/library.hpp"
#include "core/registry.hpp"

#ifndef REDUX_SIMT
#include <cub/device/device_scan.cuh>

#include "cumminmax/library_rows.cuh"
#endif

namespace redux::cumminmax {
namespace {

#ifdef REDUX_SIMT
using namespace library_on_a_gpu_only;
#else

constexpr std::uint32_t kBlock = 256;

/// 1 where a document starts.
template <class Storage>
struct StartFlags : Iterator<std::uint32_t> {
  const Storage* input;
  RowDivider rows;
  std::uint32_t at = 0;

  StartFlags(const Storage* from, const RowDivider& divider) : input(from), rows(divider) {}
  __device__ std::uint32_t operator[](std::int64_t i) const {
    const auto flat = at + static_cast<std::uint32_t>(i);
    return rows.position(flat) == 0 || widen(input[flat]) != 0 ? 1 : 0;
  }
  __device__ std::uint32_t operator*() const { return (*this)[0]; }
  __host__ __device__ StartFlags operator+(std::int64_t i) const {
    StartFlags moved = *this;
    moved.at += static_cast<std::uint32_t>(i);
    return moved;
  }
};

/// starts[k]: where ordinal k + 1 is met first.
__global__ void scatter_starts(const std::uint32_t* ordinals, std::uint32_t* starts,
                               std::uint32_t count) {
  const std::uint32_t i = (blockIdx.x * kBlock) + threadIdx.x;
  if (i >= count) return;
  const std::uint32_t ordinal = ordinals[i];
  if (i == 0 || ordinals[i - 1] != ordinal) starts[ordinal - 1] = i;
}

template <class Storage>
__global__ void gather_starts(const Storage* input, Storage* values, std::int64_t* indices,
                              const std::uint32_t* ordinals, const std::uint32_t* starts,
                              RowDivider rows, std::uint32_t count) {
  const std::uint32_t i = (blockIdx.x * kBlock) + threadIdx.x;
  if (i >= count) return;
  const std::uint32_t start = starts[ordinals[i] - 1];
  const std::uint32_t position = rows.position(start);
  values[i] = input[start];
  indices[i] = position == 0 ? rows.position(i) : position;
}

std::size_t array_bytes(std::uint32_t count) {
  return (count * sizeof(std::uint32_t) + 255) / 256 * 256;
}

std::uint32_t count_of(const Case& c) {
  return static_cast<std::uint32_t>(c.shape.elements().value());
}

std::size_t scratch_bytes(const Case& c, const DeviceFacts& /*device*/) {
  if (is_empty(c)) return 0;
  std::size_t bytes = 0;  // CUB's own: the flags' type decides, not the elements'
  const StartFlags<float> flags(nullptr, RowDivider(axis_of(c).length));
  std::uint32_t* ordinals = nullptr;
  // Asks the device for its size; where there is none (a dry run), nothing can be said.
  if (cub::DeviceScan::InclusiveSum(nullptr, bytes, flags, ordinals, count_of(c)) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    bytes = 0;
  }
  return (2 * array_bytes(count_of(c))) + bytes;
}

/// What can be said of launches that CUB decides.
Geometry geometry_of(const Case& c, const DeviceFacts& /*device*/) {
  if (is_empty(c)) return {.grid = {0, 0, 0}, .block = {0, 0, 0}, .kernels = 0};
  return {.grid = {(count_of(c) + kBlock - 1) / kBlock},
          .block = {kBlock},
          .kernels = Geometry::kCounted};
}

std::string unsupported(const Case& c, const DeviceFacts& device) {
  if (!c.data.starts_with("document_starts")) {
    return "for data document_starts alone: it takes each element that is not 0 for a new maximum";
  }
  if (c.shape.elements().value() > std::numeric_limits<std::int32_t>::max()) {
    return "numbers elements with 31 bits: at most 2147483647";
  }
  return needs_rows(c, device);
}

template <class Storage>
void run_with(const Problem& problem, const Exec& exec) {
  const Case& c = *problem.the_case;
  const std::uint32_t count = count_of(c);
  const RowDivider rows(axis_of(c).length);
  const Lines<Storage> lines = lines_of<Storage>(problem);
  auto* scratch = static_cast<std::byte*>(problem.workspace);
  auto* ordinals = reinterpret_cast<std::uint32_t*>(scratch);
  auto* starts = reinterpret_cast<std::uint32_t*>(scratch + array_bytes(count));
  std::size_t bytes = problem.workspace_bytes - (2 * array_bytes(count));
  REDUX_CUDA_CHECK(cub::DeviceScan::InclusiveSum(scratch + (2 * array_bytes(count)), bytes,
                                                 StartFlags<Storage>(lines.input, rows), ordinals,
                                                 count, static_cast<cudaStream_t>(exec.stream)));
  const Geometry geometry = geometry_of(c, *exec.device);
  launch(scatter_starts, geometry, exec.stream, ordinals, starts, count);
  launch(gather_starts<Storage>, geometry, exec.stream, lines.input, lines.values, lines.indices,
         ordinals, starts, rows, count);
}

void run(const Problem& problem, const Exec& exec) {
  if (is_empty(*problem.the_case)) return;
  with_order(*problem.the_case,
             [&]<class O>(Tag<O>) { run_with<typename O::Storage>(problem, exec); });
}

#endif

const RegisterVariant cub_gather{
    {"cummax"},
    Variant{.name = "cumsum_gather",
            .side = Side::cuda,
            .about = "the public work-around for document starts: CUB's running sum numbers the "
                     "documents, then a gather",
            .source = __FILE__,
            .workspace_alignment = 256,
            .unsupported = unsupported,
            .workspace_bytes = scratch_bytes,
            .launch = geometry_of,
            .run = run}};

}  // namespace
}  // namespace redux::cumminmax
