// Shares no comparison code with any variant: plain loops over values widened exactly.
#include "argminmax/reference.hpp"

#include <cmath>
#include <type_traits>

#include "core/half.hpp"
#include "core/op.hpp"

namespace redux::argminmax {
namespace {

float widen(Float16 value) {
  return to_float(value);
}
float widen(BFloat16 value) {
  return to_float(value);
}
template <class T>
T widen(T value) {
  return value;
}

template <class T>
std::int64_t index_of_best(const T* row, std::int64_t cols, bool largest, bool propagate) {
  auto best = widen(row[0]);
  std::int64_t best_index = 0;
  for (std::int64_t i = 0; i < cols; ++i) {
    const auto value = widen(row[i]);
    if constexpr (std::is_floating_point_v<decltype(value)>) {
      if (propagate && std::isnan(value)) return i;
    }
    if (largest ? value > best : value < best) {
      best = value;
      best_index = i;
    }
  }
  return best_index;
}

template <class T>
void each_row(const Problem& problem) {
  const Case& c = *problem.the_case;
  const AxisView view = view_along(c.shape.dims, -1);
  const T* input = problem.inputs[0].as<T>();
  auto* indices = problem.outputs[0].as<std::int64_t>();
  const bool largest = c.op->name == "argmax";
  const bool propagate = c.attributes.nan == Nan::propagate;
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < view.outer; ++row) {
    indices[row] = index_of_best(input + (row * view.length), view.length, largest, propagate);
  }
}

template <class T>
std::int64_t elements_needed(const Problem& problem) {
  const AxisView view = view_along(problem.the_case->shape.dims, -1);
  const T* input = problem.inputs[0].as<T>();
  const auto* indices = problem.outputs[0].as<std::int64_t>();
  std::int64_t needed = 0;
  for (std::int64_t row = 0; row < view.outer; ++row) {
    const bool by_nan = std::isnan(widen(input[(row * view.length) + indices[row]]));
    needed += by_nan ? indices[row] + 1 : view.length;
  }
  return needed;
}

std::int64_t elements_needed_of(const Problem& problem) {
  // Where there is one column, it is the answer whatever it holds; compilers see that too.
  if (view_along(problem.the_case->shape.dims, -1).length == 1) return 0;
  switch (problem.the_case->dtype) {
    case DType::float16:
      return elements_needed<Float16>(problem);
    case DType::bfloat16:
      return elements_needed<BFloat16>(problem);
    case DType::float32:
      return elements_needed<float>(problem);
    case DType::float64:
      return elements_needed<double>(problem);
    case DType::int32:
    case DType::int64:
      return problem.inputs[0].count;
  }
  return 0;
}

}  // namespace

std::int64_t least_bytes(const Problem& problem) {
  return (elements_needed_of(problem) *
          static_cast<std::int64_t>(size_of(problem.the_case->dtype))) +
         static_cast<std::int64_t>(problem.outputs[0].bytes());
}

void reference(const Problem& problem) {
  switch (problem.the_case->dtype) {
    case DType::float16:
      return each_row<Float16>(problem);
    case DType::bfloat16:
      return each_row<BFloat16>(problem);
    case DType::float32:
      return each_row<float>(problem);
    case DType::float64:
      return each_row<double>(problem);
    case DType::int32:
      return each_row<std::int32_t>(problem);
    case DType::int64:
      return each_row<std::int64_t>(problem);
  }
}

}  // namespace redux::argminmax
