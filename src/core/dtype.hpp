// The element types that cases may name, and how wide each is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace redux {

enum class DType : std::uint8_t { float16, bfloat16, float32, float64, int32, int64 };

inline constexpr std::array<DType, 6> kAllDTypes{DType::float16, DType::bfloat16, DType::float32,
                                                 DType::float64, DType::int32,    DType::int64};

/// The name used in configs, ids and results, e.g. "float32".
std::string_view name_of(DType dtype);
/// The dtype of exactly that name, or nothing.
std::optional<DType> parse_dtype(std::string_view name);

/// Bytes an element takes.
constexpr std::size_t size_of(DType dtype) {
  switch (dtype) {
    case DType::float16:
    case DType::bfloat16:
      return 2;
    case DType::float32:
    case DType::int32:
      return 4;
    case DType::float64:
    case DType::int64:
      return 8;
  }
  return 0;
}

constexpr bool is_floating(DType dtype) {
  return dtype != DType::int32 && dtype != DType::int64;
}

}  // namespace redux
