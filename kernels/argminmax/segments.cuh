// Rows as a segmented-reduction library sees them: offsets of segments of one length, an output
// that keeps only the index of an (index, value) pair, and the library's names of 16-bit floats.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdint>
#include <iterator>

#include "core/half.hpp"

namespace redux::argminmax {

/// The element types that libraries know in place of ours.
template <class S>
struct LibraryType {
  using type = S;
};
template <>
struct LibraryType<Float16> {
  using type = __half;
};
template <>
struct LibraryType<BFloat16> {
  using type = __nv_bfloat16;
};

/// Where segment i of `cols` elements begins: i * cols, from `first` on.
struct SegmentOffsets {
  using value_type = std::int64_t;
  using reference = std::int64_t;
  using pointer = const std::int64_t*;
  using difference_type = std::int64_t;
  using iterator_category = std::random_access_iterator_tag;
  std::int64_t cols;
  std::int64_t first;

  __host__ __device__ std::int64_t operator[](std::int64_t i) const { return (first + i) * cols; }
  __host__ __device__ SegmentOffsets operator+(std::int64_t i) const { return {cols, first + i}; }
};

/// Keeps the index of a (index, value) pair.
template <class Pair>
struct IndexOutput {
  using value_type = Pair;
  using reference = IndexOutput;
  using pointer = void;
  using difference_type = std::int64_t;
  using iterator_category = std::random_access_iterator_tag;
  std::int64_t* indices;

  __host__ __device__ IndexOutput operator*() const { return *this; }
  __host__ __device__ IndexOutput operator[](std::int64_t i) const { return {indices + i}; }
  __host__ __device__ IndexOutput operator+(std::int64_t i) const { return {indices + i}; }
  __host__ __device__ const IndexOutput& operator=(const Pair& pair) const {
    *indices = pair.key;
    return *this;
  }
  IndexOutput(const IndexOutput&) = default;
  __host__ __device__ IndexOutput(std::int64_t* target) : indices(target) {}
};

}  // namespace redux::argminmax
