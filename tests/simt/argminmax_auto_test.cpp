// What argmax's `auto` picks for narrow rows, on a device of an H200's size.
#include <gtest/gtest.h>

#include <string>

#include "backend/simt/schedule.hpp"
#include "backend/simt/variants.hpp"
#include "core/registry.hpp"
#include "core/variant.hpp"

namespace redux {
namespace {

std::string pick_of(DType dtype, std::int64_t rows, std::int64_t cols) {
  Case c;
  c.op = simt::registry().find_op("argmax");
  c.variant = simt::registry().find_variant("argmax", "auto");
  c.dtype = dtype;
  c.shape.dims = {rows, cols};
  c.attributes = c.op->defaults;
  return geometry(*c.variant, c, simt::simulated_device()).picked;
}

// A row of 15 columns that no 16-byte load fits took three times as long by lanes as by threads.
TEST(SimtArgMinMaxAuto, ThreadsTakeNarrowRowsThatFitNoVector) {
  for (const std::int64_t rows : {65536, 7840000}) {
    for (const std::int64_t cols : {1, 3, 5, 7, 9, 11, 13, 15}) {
      for (const DType dtype : kAllDTypes) {
        EXPECT_EQ(pick_of(dtype, rows, cols), "thread_per_row") << name_of(dtype) << cols;
      }
    }
    EXPECT_EQ(pick_of(DType::float32, rows, 4), "thread_per_row") << "one vector";
    EXPECT_EQ(pick_of(DType::float32, rows, 12), "subwarp_per_row") << "three vectors";
    EXPECT_EQ(pick_of(DType::float16, rows, 12), "thread_per_row") << "24 bytes";
    EXPECT_EQ(pick_of(DType::float16, rows, 16), "subwarp_per_row");
    EXPECT_EQ(pick_of(DType::float32, rows, 17), "subwarp_per_row");
  }
}

}  // namespace
}  // namespace redux
