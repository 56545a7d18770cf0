// A lane's part of a row of features: 16 bytes, in registers, however they can be read.
//
// A team of lanes takes `lanes` * 16 bytes of a row, a tile. Rows that start on 16-byte boundaries
// are read by one vector load a lane; others word by word, lanes side by side, so that each load of
// the team is one stretch of memory. The bytes of a tile are the same either way.
#pragma once

#include "common/maximum.cuh"
#include "common/reuse.cuh"
#include "csr_max/csr.hpp"
#include "csr_max/pieces.hpp"

namespace redux::csr_max {

enum class Reads : std::uint8_t {
  vector,  ///< 16 bytes at once
  word,    ///< 4 bytes (two halves), or 8 where an element has as many
  half,    ///< 2 bytes: rows of 16-bit elements at odd places
};

template <class T, Reads R>
struct RowPart {
  using S = typename T::Storage;
  using Register = RegisterOf<S>;
  using Word =
      std::conditional_t<sizeof(S) == 8, std::uint64_t,
                         std::conditional_t<R == Reads::half, std::uint16_t, std::uint32_t>>;
  static constexpr int kWords = kLaneBytes / static_cast<int>(sizeof(Word));

  Register words[kWords];

  /// Where in a row this lane's words are: `first`, `first` + `stride`, ..., `valid` of them. A
  /// lane without any reads what another one does, so that vector loads need no guard.
  struct Place {
    std::uint32_t first;
    int stride;
    int valid;
  };
  __device__ static Place place_of(std::uint32_t row_words, std::uint32_t tile, int lanes,
                                   int lane) {
    const std::uint32_t begin = tile * lanes * kWords;
    const std::uint32_t left = row_words - begin;
    if constexpr (R == Reads::vector) {
      const auto first = static_cast<std::uint32_t>(lane * kWords);
      const bool valid = first < left;
      return {begin + (valid ? first : 0), 1, valid ? kWords : 0};
    } else {
      int valid = 0;
      for (int k = 0; k < kWords; ++k)
        valid += static_cast<std::uint32_t>(lane + (k * lanes)) < left ? 1 : 0;
      return {begin + lane, lanes, valid};
    }
  }

  __device__ void fill(Register value) {
#pragma unroll
    for (int k = 0; k < kWords; ++k) words[k] = value;
  }
  __device__ void clear() {
    fill(least_register<S>());
  }

  __device__ void merge(const RowPart& other) {
#pragma unroll
    for (int k = 0; k < kWords; ++k) {
      words[k] = larger<S, T::kPropagate>(words[k], other.words[k]);
    }
  }

  /// `at`: this lane's first word in the row. Words that are not there become the least.
  __device__ void load(const Word* at, const Place& place) {
    if constexpr (R == Reads::vector) {
      const Pack<Word> pack = load_pack_again(at);
#pragma unroll
      for (int k = 0; k < kWords; ++k) words[k] = pack.values[k];
    } else {
#pragma unroll
      for (int k = 0; k < kWords; ++k) {
        words[k] = least_register<S>();
        if (k < place.valid) words[k] = at[k * place.stride];
      }
    }
  }

  __device__ void store(Word* at, const Place& place) const {
    if constexpr (R == Reads::vector) {
      if (place.valid == 0) return;
      Pack<Word> pack;
#pragma unroll
      for (int k = 0; k < kWords; ++k) pack.values[k] = words[k];
      store_pack_once(at, pack);
    } else {
#pragma unroll
      for (int k = 0; k < kWords; ++k) {
        if (k < place.valid) at[k * place.stride] = static_cast<Word>(words[k]);
      }
    }
  }

  __device__ Saved saved() const {
    Saved to;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if constexpr (sizeof(Word) == 2) {
        to.words[i] = (words[2 * i] & 0xFFFFU) | (words[(2 * i) + 1] << 16U);
      } else if constexpr (sizeof(Word) == 4) {
        to.words[i] = words[i];
      } else {
        to.words[i] = static_cast<std::uint32_t>(words[i / 2] >> (32U * (i % 2)));
      }
    }
    return to;
  }

  __device__ void restore(const Saved& from) {
#pragma unroll
    for (int k = 0; k < kWords; ++k) {
      if constexpr (sizeof(Word) == 2) {
        words[k] = (from.words[k / 2] >> (16U * (k % 2))) & 0xFFFFU;
      } else if constexpr (sizeof(Word) == 4) {
        words[k] = from.words[k];
      } else {
        words[k] = from.words[2 * k] | (static_cast<std::uint64_t>(from.words[(2 * k) + 1]) << 32U);
      }
    }
  }

  __device__ void merge(const Saved& from) {
    RowPart other;
    other.restore(from);
    merge(other);
  }
};

}  // namespace redux::csr_max
