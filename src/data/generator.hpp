// Counter-based random bits: element i of a stream is a function of (key, i) alone, so any thread
// may make any element.
#pragma once

#include <cstdint>

namespace redux::data {

/// The output function of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", OOPSLA 2014, with the constants of its variant 13 by Stafford): a bijection.
constexpr std::uint64_t mix64(std::uint64_t z) {
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

/// Word i of a stream is the i-th output of a SplitMix64 that starts from the stream's key.
class Stream {
 public:
  /// Streams of one seed with different purposes are unrelated.
  constexpr Stream(std::uint64_t seed, std::uint64_t purpose)
      : key_(mix64(mix64(seed + kGamma) ^ (purpose * kGamma))) {}

  [[nodiscard]] constexpr std::uint64_t word(std::uint64_t i) const {
    return mix64(key_ + ((i + 1) * kGamma));
  }
  /// A whole number in [0, bound), nearly uniform: the bias is at most bound / 2^64.
  [[nodiscard]] constexpr std::uint64_t below(std::uint64_t i, std::uint64_t bound) const {
    return static_cast<std::uint64_t>((static_cast<__uint128_t>(word(i)) * bound) >> 64U);
  }
  /// Element i of a normal distribution (mean 0, deviation 1, within +-6), as a multiple of 2^-48.
  /// The sum of twelve uniform numbers, in integers: libm's logarithm and cosine may differ in the
  /// last bit from machine to machine, integers do not.
  [[nodiscard]] constexpr std::int64_t normal(std::uint64_t i) const {
    std::int64_t sum = 0;  // of twelve 16-bit numbers
    for (std::uint64_t part = 0; part < 3; ++part) {
      const std::uint64_t bits = word((4 * i) + part);
      const std::uint64_t pairs = (bits & kEvenLanes) + ((bits >> 16U) & kEvenLanes);
      sum += static_cast<std::int64_t>((pairs & 0xFFFFFFFFU) + (pairs >> 32U));
    }
    // Centred, in units of 2^-16; the fourth word fills the bits below.
    const auto below_unit = static_cast<std::int64_t>(word((4 * i) + 3) >> 32U);
    return ((sum - kTwelveMeans) << 32U) + below_unit;
  }

 private:
  static constexpr std::uint64_t kGamma = 0x9E3779B97F4A7C15U;
  static constexpr std::uint64_t kEvenLanes = 0x0000FFFF0000FFFFU;
  static constexpr std::int64_t kTwelveMeans = 393216;  // 12 * 2^15
  std::uint64_t key_;
};

}  // namespace redux::data
