// Shares no code with any variant: plain loops, a line at a time.
#include "cumminmax/cumsum_reference.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

#include "core/op.hpp"

namespace redux::cumminmax {
namespace {

template <class T>
requires std::is_integral_v<T>
void sum_line(const T* input, T* values, std::int64_t length, std::int64_t stride) {
  using Unsigned = std::make_unsigned_t<T>;  // wraps
  Unsigned sum = 0;
  for (std::int64_t i = 0; i < length; ++i) {
    sum += static_cast<Unsigned>(input[i * stride]);
    values[i * stride] = static_cast<T>(sum);
  }
}

template <class T>
requires std::is_floating_point_v<T>
void sum_line(const T* input, T* values, std::int64_t length, std::int64_t stride) {
  double sum = 0;
  double lost = 0;  // what rounding has taken from `sum`
  for (std::int64_t i = 0; i < length; ++i) {
    const double x = input[i * stride];
    const double next = sum + x;
    lost += std::abs(sum) >= std::abs(x) ? (sum - next) + x : (x - next) + sum;
    sum = next;
    // From the first infinity or NaN on, what was lost is a NaN and means nothing.
    values[i * stride] = static_cast<T>(std::isfinite(sum) ? sum + lost : sum);
  }
}

template <class T>
void allow_line(const T* input, double* allowed, std::int64_t length, std::int64_t stride) {
  constexpr double kHalfUlp = std::numeric_limits<T>::epsilon() / 2.0;
  constexpr double kLargest = std::numeric_limits<T>::max();
  double magnitude = 0;  // of the finite elements
  double added = 0;      // elements that were not zero
  for (std::int64_t i = 0; i < length; ++i) {
    const double x = std::abs(static_cast<double>(input[i * stride]));
    added += x == 0 ? 0 : 1;
    if (std::isfinite(x)) magnitude += x;
    // The first of them is added to nothing: exact.
    const double difference = added < 2 ? 0 : (added + 1) * kHalfUlp * magnitude;
    const bool may_overflow = magnitude + difference > kLargest && added > 1;
    allowed[i * stride] = may_overflow ? std::numeric_limits<double>::infinity() : difference;
  }
}

/// Calls use(first, length, stride) for each line.
template <class Use>
void each_line(const Case& c, Use use) {
  const AxisView view = view_along(c.shape.dims, c.attributes.axis);
  const std::int64_t lines = view.outer * view.inner;
#pragma omp parallel for schedule(static)
  for (std::int64_t line = 0; line < lines; ++line) {
    use((line / view.inner * view.length * view.inner) + (line % view.inner), view.length,
        view.inner);
  }
}

template <class T>
void sum_lines(const Problem& problem) {
  const T* input = problem.inputs[0].as<T>();
  T* values = problem.outputs[0].as<T>();
  each_line(*problem.the_case, [&](std::int64_t first, std::int64_t length, std::int64_t stride) {
    sum_line(input + first, values + first, length, stride);
  });
}

template <class T>
void allow_lines(const Problem& problem, std::span<double> allowed) {
  const T* input = problem.inputs[0].as<T>();
  each_line(*problem.the_case, [&](std::int64_t first, std::int64_t length, std::int64_t stride) {
    allow_line(input + first, allowed.data() + first, length, stride);
  });
}

}  // namespace

void cumsum_reference(const Problem& problem) {
  switch (problem.the_case->dtype) {
    case DType::int32:
      return sum_lines<std::int32_t>(problem);
    case DType::int64:
      return sum_lines<std::int64_t>(problem);
    case DType::float32:
      return sum_lines<float>(problem);
    default:
      return sum_lines<double>(problem);
  }
}

void cumsum_allowed_differences(const Problem& problem, std::size_t /*output*/,
                                std::span<double> allowed) {
  if (problem.the_case->dtype == DType::float32) return allow_lines<float>(problem, allowed);
  allow_lines<double>(problem, allowed);
}

}  // namespace redux::cumminmax
