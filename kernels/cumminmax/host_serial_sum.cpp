// cumsum on one host thread, along any axis.
//
// Memory is read in order whatever the axis: a line in one piece keeps its sum in a register, as do
// a few abreast; of more lines each position adds to the one before it. Its floats are rounded
// at each step, as the definition's plain loop would.
#include <array>
#include <cstddef>

#include "core/registry.hpp"
#include "cumminmax/lines.hpp"

namespace redux::cumminmax {
namespace {

/// So few lines that their sums stay in registers: a sum read back from memory would wait for its
/// own store.
template <std::int64_t kLines, class T>
void sum_few(const T* input, T* values, std::int64_t length) {
  std::array<T, kLines> sums{};
  for (std::int64_t i = 0; i < length; ++i) {
    for (std::int64_t j = 0; j < kLines; ++j) {
      values[(i * kLines) + j] = sums[static_cast<std::size_t>(j)] += input[(i * kLines) + j];
    }
  }
}

template <class T>
void sum_abreast(const T* input, T* values, std::int64_t length, std::int64_t inner) {
  constexpr std::int64_t kVectorised = 16;  // for fewer, a loop over lines costs more than adding
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
void sum_slice(const T* input, T* values, std::int64_t length, std::int64_t inner) {
  switch (inner) {
    case 1:
      return sum_few<1>(input, values, length);
    case 2:
      return sum_few<2>(input, values, length);
    case 3:
      return sum_few<3>(input, values, length);
    case 4:
      return sum_few<4>(input, values, length);
    default:
      return sum_abreast(input, values, length, inner);
  }
}

template <class T>
void sum_lines(const Problem& problem) {
  const AxisView view = axis_of(*problem.the_case);
  const T* input = problem.inputs[0].as<T>();
  T* values = problem.outputs[0].as<T>();
  for (std::int64_t outer = 0; outer < view.outer; ++outer) {
    const std::int64_t first = outer * view.length * view.inner;
    sum_slice(input + first, values + first, view.length, view.inner);
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
