// A case: one variant of one op on one shape, dtype, data kind and seed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/attributes.hpp"
#include "core/dtype.hpp"
#include "core/graph.hpp"
#include "core/shape.hpp"

namespace redux {

struct Op;
struct Variant;

struct Case {
  const Op* op = nullptr;            ///< never null in a case that a config made
  const Variant* variant = nullptr;  ///< likewise
  DType dtype = DType::float32;
  Shape shape;
  Attributes attributes;
  std::string data = "random";  ///< a data kind, or "file"
  std::string data_file;        ///< the path of a .npy file where `data` is "file"
  GraphSource graph;            ///< where the op is over graphs
  std::uint64_t seed = 42;

  // Not part of the id: how the config asked for it to be shown and measured.
  std::string compare_to;
  std::vector<std::string> tags;

  /// op/variant/dtype/shape and then, only where not the op's default, /key=value in the order
  /// axis, data, nan, empty, index. It never changes meaning: baselines are keyed by it.
  [[nodiscard]] std::string id() const;
  /// The same without the variant: what two variants of one problem share.
  [[nodiscard]] std::string problem_id() const;
};

}  // namespace redux
