// Values written down by hand, as the bytes of a dtype, and back.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "core/dtype.hpp"
#include "core/half.hpp"

namespace redux::contract {

template <class T>
void append(std::vector<std::byte>& bytes, T value) {
  const auto* raw = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), raw, raw + sizeof(T));
}

/// The values as the dtype holds them: floats rounded, whole numbers exact.
inline std::vector<std::byte> encode(DType dtype, const std::vector<double>& values) {
  std::vector<std::byte> bytes;
  for (const double value : values) {
    switch (dtype) {
      case DType::float16:
        append(bytes, to_float16(static_cast<float>(value)));
        break;
      case DType::bfloat16:
        append(bytes, to_bfloat16(static_cast<float>(value)));
        break;
      case DType::float32:
        append(bytes, static_cast<float>(value));
        break;
      case DType::float64:
        append(bytes, value);
        break;
      case DType::int32:
        append(bytes, static_cast<std::int32_t>(value));
        break;
      case DType::int64:
        append(bytes, static_cast<std::int64_t>(value));
        break;
    }
  }
  return bytes;
}

template <class T>
std::vector<std::byte> encode_exactly(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

template <class T>
T element_of(std::span<const std::byte> bytes, std::int64_t flat) {
  T value{};
  std::memcpy(&value, bytes.data() + (static_cast<std::size_t>(flat) * sizeof(T)), sizeof(T));
  return value;
}

/// Element `flat` as a double: exact for all but large int64.
inline double decode(DType dtype, std::span<const std::byte> bytes, std::int64_t flat) {
  switch (dtype) {
    case DType::float16:
      return to_float(element_of<Float16>(bytes, flat));
    case DType::bfloat16:
      return to_float(element_of<BFloat16>(bytes, flat));
    case DType::float32:
      return element_of<float>(bytes, flat);
    case DType::int32:
      return element_of<std::int32_t>(bytes, flat);
    case DType::int64:
      return static_cast<double>(element_of<std::int64_t>(bytes, flat));
    case DType::float64:
      break;
  }
  return element_of<double>(bytes, flat);
}

}  // namespace redux::contract
