#include "core/dtype.hpp"

namespace redux {

std::string_view name_of(DType dtype) {
  switch (dtype) {
    case DType::float16:
      return "float16";
    case DType::bfloat16:
      return "bfloat16";
    case DType::float32:
      return "float32";
    case DType::float64:
      return "float64";
    case DType::int32:
      return "int32";
    case DType::int64:
      return "int64";
  }
  return "?";
}

std::optional<DType> parse_dtype(std::string_view name) {
  for (const DType dtype : kAllDTypes) {
    if (name_of(dtype) == name) return dtype;
  }
  return std::nullopt;
}

}  // namespace redux
