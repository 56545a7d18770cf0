// How blocks of single_pass hand a candidate to each other: one word that says by itself whether it
// is there. The inverted index is never zero, so zero means "not yet".
#pragma once

#include "argminmax/candidate.cuh"
#include "common/memory.cuh"

namespace redux::argminmax {

template <class Key>
struct Slot;

/// 32-bit keys travel with their index in 64 bits.
template <>
struct Slot<std::uint32_t> {
  using Word = std::uint64_t;
  __device__ static Word pack(std::uint32_t key, std::uint32_t index) {
    return (static_cast<Word>(key) << 32U) | ~index;
  }
  __device__ static bool empty(Word word) { return word == 0; }
  __device__ static std::uint32_t key(Word word) { return static_cast<std::uint32_t>(word >> 32U); }
  __device__ static std::uint32_t index(Word word) { return ~static_cast<std::uint32_t>(word); }
};

/// 64-bit keys take 16 bytes, written and read as one.
template <>
struct Slot<std::uint64_t> {
  using Word = Word128;
  __device__ static Word pack(std::uint64_t key, std::uint32_t index) {
    return {key, ~static_cast<std::uint64_t>(index)};
  }
  __device__ static bool empty(Word word) { return word.high == 0; }
  __device__ static std::uint64_t key(Word word) { return word.low; }
  __device__ static std::uint32_t index(Word word) {
    return static_cast<std::uint32_t>(~word.high);
  }
};

}  // namespace redux::argminmax
