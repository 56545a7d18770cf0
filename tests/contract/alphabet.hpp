// Words over the values at which orders and identities change.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

namespace redux::contract {

inline constexpr std::array kAlphabet{-std::numeric_limits<double>::infinity(),
                                      -1.0,
                                      -0.0,
                                      0.0,
                                      1.0,
                                      std::numeric_limits<double>::infinity(),
                                      std::numeric_limits<double>::quiet_NaN()};
inline constexpr std::int64_t kLetters = kAlphabet.size();

/// How many words there are of that length.
constexpr std::int64_t words_of(std::int64_t length) {
  return length == 0 ? 1 : kLetters * words_of(length - 1);
}

constexpr double letter(std::int64_t word, std::int64_t place) {
  return kAlphabet[static_cast<std::size_t>(word / words_of(place) % kLetters)];
}

}  // namespace redux::contract
