// cumsum on one host thread, along any axis.
//
// Memory is read in order whatever the axis: a line in one piece keeps its sum in a register;
// across lines each position adds to the one before it, all lines abreast. Its floats are rounded
// at each step, as the definition's plain loop would.
#include <type_traits>

#include "core/registry.hpp"
#include "cumminmax/lines.hpp"

namespace redux::cumminmax {
namespace {

constexpr std::int64_t kVectorised =
    16;  // lines: for fewer, a loop over them costs more than adding

template <class T>
void sum_row(const T* input, T* values, std::int64_t length) {
  T sum = 0;
  for (std::int64_t i = 0; i < length; ++i) {
    sum += input[i];
    values[i] = sum;
  }
}

template <class T>
void sum_abreast(const T* input, T* values, std::int64_t length, std::int64_t inner) {
  for (std::int64_t j = 0; j < inner; ++j) values[j] = input[j];
  if (inner < kVectorised) {
    for (std::int64_t at = inner; at < length * inner; ++at) {
      values[at] = values[at - inner] + input[at];
    }
    return;
  }
  for (std::int64_t i = 1; i < length; ++i) {
    const T* now = input + (i * inner);
    T* out = values + (i * inner);
    const T* before = out - inner;
    for (std::int64_t j = 0; j < inner; ++j) out[j] = before[j] + now[j];
  }
}

template <class T>
void sum_lines(const Problem& problem) {
  const AxisView view = axis_of(*problem.the_case);
  const T* input = problem.inputs[0].as<T>();
  T* values = problem.outputs[0].as<T>();
  for (std::int64_t outer = 0; outer < view.outer; ++outer) {
    const std::int64_t first = outer * view.length * view.inner;
    if (view.inner == 1) {
      sum_row(input + first, values + first, view.length);
    } else {
      sum_abreast(input + first, values + first, view.length, view.inner);
    }
  }
}

void run(const Problem& problem, const Exec& /*exec*/) {
  if (is_empty(*problem.the_case)) return;
  switch (problem.the_case->dtype) {
    case DType::int32:
      return sum_lines<std::uint32_t>(problem);  // unsigned: wraps
    case DType::int64:
      return sum_lines<std::uint64_t>(problem);
    case DType::float32:
      return sum_lines<float>(problem);
    default:
      return sum_lines<double>(problem);
  }
}

const RegisterVariant host_serial_sum{
    {"cumsum"},
    Variant{.op = {},
            .name = "host_serial",
            .side = Side::host,
            .about = "one host thread, memory read in order whatever the axis",
            .source = __FILE__,
            .run = run}};

}  // namespace
}  // namespace redux::cumminmax
