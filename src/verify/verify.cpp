#include "verify/verify.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "core/half.hpp"

namespace redux {
namespace {

template <class T>
T load(const std::byte* element) {
  T value{};
  std::memcpy(&value, element, sizeof(T));
  return value;
}

double widened(DType dtype, const std::byte* element) {
  switch (dtype) {
    case DType::float16:
      return to_float(load<Float16>(element));
    case DType::bfloat16:
      return to_float(load<BFloat16>(element));
    case DType::float32:
      return load<float>(element);
    default:
      return load<double>(element);
  }
}

bool equal_as_values(DType dtype, const std::byte* a, const std::byte* b) {
  const double x = widened(dtype, a);
  const double y = widened(dtype, b);
  return x == y || (std::isnan(x) && std::isnan(y));
}

/// Of elements that are not equal as values.
bool within(DType dtype, const std::byte* got, const std::byte* expected, double allowed) {
  if (std::isinf(allowed)) return !is_poison({got, size_of(dtype)});
  // False where either is a NaN, and where only one is infinite.
  return std::abs(widened(dtype, got) - widened(dtype, expected)) <= allowed;
}

using Text = std::array<char, 64>;

template <class T, class... Format>
std::string number_text(T value, Format... format) {
  Text text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format...).ptr;
  return {text.data(), end};
}

template <class T>
std::string float_text(T value) {
  if (std::isnan(value)) return "NaN";
  return number_text(value);
}

/// The fewest digits that give the 16 bits back; those for a float32 would be more than needed.
template <class Half, class Narrow>
std::string half_text(Half half, Narrow narrow) {
  const float value = to_float(half);
  if (!std::isfinite(value)) return float_text(value);
  for (int digits = 1; digits < 9; ++digits) {
    const std::string text = number_text(value, std::chars_format::general, digits);
    float back = 0;
    std::from_chars(text.data(), text.data() + text.size(), back);
    if (narrow(back).bits == half.bits) return number_text(back);
  }
  return number_text(value);
}

}  // namespace

void compare_output(const TensorSpec& spec, std::span<const std::byte> got,
                    std::span<const std::byte> expected, std::int64_t copy, Verification& result,
                    std::span<const double> allowed) {
  if (got.size() != spec.bytes() || expected.size() != spec.bytes()) {
    throw std::invalid_argument("output '" + spec.name + "': " + std::to_string(got.size()) +
                                " and " + std::to_string(expected.size()) + " bytes where " +
                                std::to_string(spec.bytes()) + " are compared");
  }
  const std::int64_t count = spec.count();
  const bool bounded = spec.match == Match::bounded;
  if (bounded && !is_floating(spec.dtype)) {
    throw std::invalid_argument("output '" + spec.name + "': integers are compared exactly");
  }
  if (bounded && allowed.size() != static_cast<std::size_t>(count)) {
    throw std::invalid_argument("output '" + spec.name + "': " + std::to_string(allowed.size()) +
                                " allowed differences for " + std::to_string(count) + " elements");
  }
  result.checked += count;
  if (count == 0 || std::memcmp(got.data(), expected.data(), got.size()) == 0) return;
  const std::size_t width = size_of(spec.dtype);
  const bool as_values = spec.match != Match::bits && is_floating(spec.dtype);
  for (std::int64_t i = 0; i < count; ++i) {
    const std::byte* a = got.data() + (static_cast<std::size_t>(i) * width);
    const std::byte* b = expected.data() + (static_cast<std::size_t>(i) * width);
    if (std::memcmp(a, b, width) == 0) continue;
    if (as_values && equal_as_values(spec.dtype, a, b)) continue;
    const double slack = bounded ? allowed[static_cast<std::size_t>(i)] : 0;
    if (bounded && within(spec.dtype, a, b, slack)) continue;
    ++result.mismatches;
    if (result.first) continue;
    std::string found = element_text(spec.dtype, a);
    if (is_poison({a, width})) found += " (never written)";
    std::string wanted = element_text(spec.dtype, b);
    if (bounded) wanted += " give or take " + number_text(slack);
    result.first = Mismatch{spec.name, i, std::move(found), std::move(wanted), copy};
  }
}

std::vector<double> allowed_differences(const Problem& reference, std::size_t output) {
  const Op& op = *reference.the_case->op;
  const TensorSpec spec = op.outputs(*reference.the_case)[output];
  if (spec.match != Match::bounded) return {};
  if (op.allowed_differences == nullptr) {
    throw std::logic_error("op '" + op.name + "' states no bound for output '" + spec.name + "'");
  }
  std::vector<double> allowed(static_cast<std::size_t>(spec.count()));
  op.allowed_differences(reference, output, allowed);
  return allowed;
}

std::string element_text(DType dtype, const std::byte* element) {
  switch (dtype) {
    case DType::float16:
      return half_text(load<Float16>(element), to_float16);
    case DType::bfloat16:
      return half_text(load<BFloat16>(element), to_bfloat16);
    case DType::float32:
      return float_text(load<float>(element));
    case DType::float64:
      return float_text(load<double>(element));
    case DType::int32:
      return number_text(load<std::int32_t>(element));
    case DType::int64:
      return number_text(load<std::int64_t>(element));
  }
  return "?";
}

bool is_poison(std::span<const std::byte> element) {
  return std::ranges::all_of(element, [](std::byte b) { return b == std::byte{kPoisonByte}; });
}

}  // namespace redux
