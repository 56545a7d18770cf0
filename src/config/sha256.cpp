#include "config/sha256.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace redux {
namespace {

constexpr std::size_t kBlockBytes = 64;

using State = std::array<std::uint32_t, 8>;

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> kRound{
    0x428a2f98U, 0x71374491U, 0xb5c0fbcfU, 0xe9b5dba5U, 0x3956c25bU, 0x59f111f1U, 0x923f82a4U,
    0xab1c5ed5U, 0xd807aa98U, 0x12835b01U, 0x243185beU, 0x550c7dc3U, 0x72be5d74U, 0x80deb1feU,
    0x9bdc06a7U, 0xc19bf174U, 0xe49b69c1U, 0xefbe4786U, 0x0fc19dc6U, 0x240ca1ccU, 0x2de92c6fU,
    0x4a7484aaU, 0x5cb0a9dcU, 0x76f988daU, 0x983e5152U, 0xa831c66dU, 0xb00327c8U, 0xbf597fc7U,
    0xc6e00bf3U, 0xd5a79147U, 0x06ca6351U, 0x14292967U, 0x27b70a85U, 0x2e1b2138U, 0x4d2c6dfcU,
    0x53380d13U, 0x650a7354U, 0x766a0abbU, 0x81c2c92eU, 0x92722c85U, 0xa2bfe8a1U, 0xa81a664bU,
    0xc24b8b70U, 0xc76c51a3U, 0xd192e819U, 0xd6990624U, 0xf40e3585U, 0x106aa070U, 0x19a4c116U,
    0x1e376c08U, 0x2748774cU, 0x34b0bcb5U, 0x391c0cb3U, 0x4ed8aa4aU, 0x5b9cca4fU, 0x682e6ff3U,
    0x748f82eeU, 0x78a5636fU, 0x84c87814U, 0x8cc70208U, 0x90befffaU, 0xa4506cebU, 0xbef9a3f7U,
    0xc67178f2U};

// Likewise of the square roots of the first eight.
constexpr State kInitial{0x6a09e667U, 0xbb67ae85U, 0x3c6ef372U, 0xa54ff53aU,
                         0x510e527fU, 0x9b05688cU, 0x1f83d9abU, 0x5be0cd19U};

void absorb(State& state, std::string_view block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t i = 0; i < kBlockBytes; ++i) {
    w.at(i / 4) = (w.at(i / 4) << 8U) | static_cast<unsigned char>(block[i]);
  }
  for (std::size_t i = 16; i < w.size(); ++i) {
    const std::uint32_t x = w.at(i - 15), y = w.at(i - 2);
    w.at(i) = w.at(i - 16) + (std::rotr(x, 7) ^ std::rotr(x, 18) ^ (x >> 3U)) + w.at(i - 7) +
              (std::rotr(y, 17) ^ std::rotr(y, 19) ^ (y >> 10U));
  }
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t i = 0; i < w.size(); ++i) {
    const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                ((e & f) ^ (~e & g)) + kRound.at(i) + w.at(i);
    const std::uint32_t second =
        (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const State added{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state.at(i) += added.at(i);
}

}  // namespace

std::string sha256_hex(std::string_view bytes) {
  State state = kInitial;
  std::size_t at = 0;
  for (; at + kBlockBytes <= bytes.size(); at += kBlockBytes) {
    absorb(state, bytes.substr(at, kBlockBytes));
  }
  // A one bit, zeros, and the length in bits as 64 bits, so that the whole is full blocks.
  std::string tail(bytes.substr(at));
  tail += '\x80';
  while (tail.size() % kBlockBytes != kBlockBytes - 8) tail += '\0';
  const std::uint64_t bits = static_cast<std::uint64_t>(bytes.size()) * 8;
  for (unsigned shift = 64; shift != 0; shift -= 8) {
    tail += static_cast<char>((bits >> (shift - 8)) & 0xFFU);
  }
  for (std::size_t i = 0; i < tail.size(); i += kBlockBytes) {
    absorb(state, std::string_view(tail).substr(i, kBlockBytes));
  }
  std::string hex;
  for (const std::uint32_t word : state) {
    for (unsigned shift = 32; shift != 0; shift -= 4) {
      hex += "0123456789abcdef"[(word >> (shift - 4)) & 0xFU];
    }
  }
  return hex;
}

}  // namespace redux
