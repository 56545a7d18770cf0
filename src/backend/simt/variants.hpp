// CUDA variants as the SIMT executor runs them, beside those that nvcc compiled.
#pragma once

#include <initializer_list>
#include <string_view>

#include "core/registry.hpp"

namespace redux::simt {

/// Stands in for redux::Registry where a kernel file is compiled for the executor.
struct VariantRegistry {
  static Registry& instance();
};

struct RegisterVariant {
  RegisterVariant(std::initializer_list<std::string_view> ops, const Variant& variant) {
    for (const std::string_view op : ops) {
      Variant named = variant;
      named.op = op;
      VariantRegistry::instance().add(std::move(named));
    }
  }
};

/// All ops, and the variants of the CUDA side. Kernels of a library (CUB) are not among them.
const Registry& registry();

}  // namespace redux::simt
