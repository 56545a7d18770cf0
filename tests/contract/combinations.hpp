// What parameterised contract tests go over.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "core/dtype.hpp"

namespace redux::contract {

struct Combination {
  std::string op;
  DType dtype = DType::float32;
};

/// Ops alternate, so that two shards of the tests have the same to do.
inline std::vector<Combination> combinations(std::initializer_list<const char*> ops,
                                             std::span<const DType> dtypes = kAllDTypes) {
  std::vector<Combination> all;
  for (const DType dtype : dtypes) {
    for (const char* op : ops) all.push_back({op, dtype});
  }
  return all;
}

inline std::string name_of_test(const testing::TestParamInfo<Combination>& info) {
  return info.param.op + "_" + std::string(name_of(info.param.dtype));
}

}  // namespace redux::contract
