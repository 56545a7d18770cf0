// Shares no comparison code with any variant: plain loops over values widened exactly.
#include "cumminmax/reference.hpp"

#include <cmath>
#include <type_traits>

#include "core/half.hpp"
#include "core/op.hpp"

namespace redux::cumminmax {
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
bool is_nan(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isnan(value);
  return false;
}

/// One line: elements `stride` apart.
template <class T>
void scan_line(const T* input, T* values, std::int64_t* indices, std::int64_t length,
               std::int64_t stride, bool largest) {
  std::int64_t best = 0;
  for (std::int64_t i = 0; i < length; ++i) {
    const auto value = widen(input[i * stride]);
    const auto held = widen(input[best * stride]);
    const bool beats = largest ? value >= held : value <= held;
    if (is_nan(value) || (beats && !is_nan(held))) best = i;
    values[i * stride] = input[best * stride];
    indices[i * stride] = best;
  }
}

template <class T>
void each_line(const Problem& problem) {
  const Case& c = *problem.the_case;
  const AxisView view = view_along(c.shape.dims, c.attributes.axis);
  const T* input = problem.inputs[0].as<T>();
  T* values = problem.outputs[0].as<T>();
  auto* indices = problem.outputs[1].as<std::int64_t>();
  const bool largest = c.op->name == "cummax";
  const std::int64_t lines = view.outer * view.inner;
#pragma omp parallel for schedule(static)
  for (std::int64_t line = 0; line < lines; ++line) {
    const std::int64_t first = (line / view.inner * view.length * view.inner) + (line % view.inner);
    scan_line(input + first, values + first, indices + first, view.length, view.inner, largest);
  }
}

}  // namespace

void reference(const Problem& problem) {
  switch (problem.the_case->dtype) {
    case DType::float16:
      return each_line<Float16>(problem);
    case DType::bfloat16:
      return each_line<BFloat16>(problem);
    case DType::float32:
      return each_line<float>(problem);
    case DType::float64:
      return each_line<double>(problem);
    case DType::int32:
      return each_line<std::int32_t>(problem);
    case DType::int64:
      return each_line<std::int64_t>(problem);
  }
}

}  // namespace redux::cumminmax
