// On which shapes and data every variant of argmax and argmin is checked.
#pragma once

#include "contract/contract.hpp"

namespace redux::contract {

struct Extents {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
};

/// Shapes around warp, block and vector widths and the limits of a grid. The tall ones are bounded
/// so that the whole product stays quick.
inline std::vector<Extents> awkward_shapes(DType dtype) {
  std::vector<Extents> shapes;
  for (const std::int64_t rows : {1, 2, 33}) {
    for (const std::int64_t cols :
         {1, 2, 31, 32, 33, 127, 128, 129, 255, 256, 257, 1000, 1023, 1024, 1025, 4097, 65537}) {
      shapes.push_back({rows, cols});
    }
  }
  for (const std::int64_t cols : {1, 2, 33, 129}) shapes.push_back({65537, cols});
  if (dtype == DType::float16) shapes.push_back({65537, 1000});
  return shapes;
}

/// Every kind on small inputs; on large ones those that differ in kind of work.
inline std::vector<std::string> kinds_for(const Op& op, const Extents& shape) {
  constexpr std::int64_t kMany = 1 << 20;
  if (shape.rows * shape.cols < kMany) return op.data_kinds;
  if (shape.rows * shape.cols > (4 * kMany)) return {"ties"};
  return {"random", "ties", "specials"};
}

/// The whole product for one op and dtype.
inline void check_all(Ground& ground, std::string_view op, DType dtype,
                      const std::vector<Extents>& shapes, Tally& tally, int calls = 1) {
  for (const Extents& shape : shapes) {
    Case c = make_case(op, dtype, {shape.rows, shape.cols});
    for (const std::string& kind : kinds_for(*c.op, shape)) {
      c.data = kind;
      Bytes input = make_inputs(c).front();
      ground.load(input, dtype, 0);
      for (const Nan nan : {Nan::skip, Nan::propagate}) {
        c.attributes.nan = nan;
        check_loaded(ground, c, reference_of(c, input), tally, {}, calls);
      }
    }
  }
}

/// Bases that are aligned to an element and to nothing more.
inline void check_offsets(Ground& ground, std::string_view op, DType dtype, Tally& tally) {
  const auto offsets = static_cast<std::int64_t>(16 / size_of(dtype));
  for (const std::int64_t rows : {1, 3}) {
    for (const std::int64_t cols : {1, 17, 64, 129, 1000, 4099, 40001}) {
      Case c = make_case(op, dtype, {rows, cols});
      for (const char* kind : {"random", "first", "last", "nan_middle"}) {
        c.data = kind;
        Bytes input = make_inputs(c).front();
        for (std::int64_t offset = 1; offset < std::max<std::int64_t>(offsets, 2); ++offset) {
          ground.load(input, dtype, offset);
          for (const Nan nan : {Nan::skip, Nan::propagate}) {
            c.attributes.nan = nan;
            check_loaded(ground, c, reference_of(c, input), tally,
                         "base offset by " + std::to_string(offset));
          }
        }
      }
    }
  }
}

}  // namespace redux::contract
