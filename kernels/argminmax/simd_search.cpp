// The host search's entries: which elements a call reads, and which dtype's function does it.
#include "argminmax/simd_search.hpp"

#include "argminmax/simd_steps.hpp"
#include "core/op.hpp"
#include "core/shape.hpp"

namespace redux::argminmax {
namespace {

void run(DType dtype, const Job& job) {
  switch (dtype) {
    case DType::float16:
      return run_float16(job);
    case DType::bfloat16:
      return run_bfloat16(job);
    case DType::float32:
      return run_float32(job);
    case DType::float64:
      return run_float64(job);
    case DType::int32:
      return run_int32(job);
    case DType::int64:
      return run_int64(job);
  }
}

template <class F>
bool is_nan_here(const std::byte* element) {
  return is_nan<F>(*reinterpret_cast<const typename F::Element*>(element));
}

}  // namespace

HostRows host_rows(const Problem& problem) {
  const Case& c = *problem.the_case;
  const AxisView view = view_along(c.shape.dims, -1);
  return {
      .dtype = c.dtype,
      .input = problem.inputs[0].as<const std::byte>(),
      .indices = problem.outputs[0].as<std::int64_t>(),
      .rows = view.outer,
      .cols = view.length,
      .rule = {.largest = c.op->name == "argmax", .propagate = c.attributes.nan == Nan::propagate}};
}

void search_rows(const HostRows& rows, std::int64_t first, std::int64_t last) {
  run(rows.dtype, {.data = rows.element(first, 0),
                   .rows = last - first,
                   .cols = rows.cols,
                   .indices = rows.indices + first,
                   .rule = rows.rule});
}

std::int64_t search_segment(const HostRows& rows, std::int64_t row, std::int64_t incumbent,
                            std::int64_t begin, std::int64_t end) {
  std::int64_t at = -1;
  run(rows.dtype, {.data = rows.element(row, begin),
                   .rows = 1,
                   .cols = end - begin,
                   .indices = &at,
                   .rule = rows.rule,
                   .start = rows.element(row, incumbent)});
  return at < 0 ? -1 : begin + at;
}

bool is_nan_at(const HostRows& rows, std::int64_t row, std::int64_t col) {
  const std::byte* element = rows.element(row, col);
  switch (rows.dtype) {
    case DType::float16:
      return is_nan_here<Float16Format>(element);
    case DType::bfloat16:
      return is_nan_here<BFloat16Format>(element);
    case DType::float32:
      return is_nan_here<Float32Format>(element);
    case DType::float64:
      return is_nan_here<Float64Format>(element);
    case DType::int32:
    case DType::int64:
      return false;
  }
  return false;
}

}  // namespace redux::argminmax
