#include "config/nearest.hpp"

#include <algorithm>
#include <cstddef>

namespace redux {
namespace {

constexpr std::size_t kLongestName = 64;  // a longer one is no misspelt name, and costs time
constexpr std::size_t kLongestQuote = 80;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::size_t edit_distance(std::string_view from, std::string_view to) {
  // Three rows of the dynamic programme suffice: a swap looks back two.
  const std::size_t width = to.size() + 1;
  std::vector<std::size_t> before(width), above(width), row(width);
  for (std::size_t j = 0; j < width; ++j) above[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      const bool same = lower(from[i - 1]) == lower(to[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0U : 1U)});
      if (i > 1 && j > 1 && lower(from[i - 1]) == lower(to[j - 2]) &&
          lower(from[i - 2]) == lower(to[j - 1])) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(above);
    above.swap(row);
  }
  return above[to.size()];
}

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.empty() || name.size() > kLongestName) return {};
  std::string best;
  std::size_t fewest = kLongestName;
  for (const std::string& candidate : candidates) {
    const std::size_t edits = edit_distance(name, candidate);
    const std::size_t limit = (std::max(name.size(), candidate.size()) + 2) / 3;
    if (edits > limit || edits >= fewest) continue;
    fewest = edits;
    best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string guess = nearest(name, candidates);
  return guess.empty() ? std::string{} : "; did you mean '" + guess + "'?";
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

std::size_t control_bytes(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  if (byte(at) < 0x20U || byte(at) == 0x7FU) return 1;
  return byte(at) == 0xC2U && byte(at + 1) >= 0x80U && byte(at + 1) < 0xA0U ? 2 : 0;
}

std::string without_controls(std::string_view text) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t controls = control_bytes(text, at);
    if (controls == 0) result += text[at++];
    for (std::size_t i = 0; i < controls; ++i, ++at) {
      const auto byte = static_cast<unsigned char>(text[at]);
      result += "\\x";
      result += kHex[byte >> 4U];
      result += kHex[byte & 0xFU];
    }
  }
  return result;
}

std::string in_quotes(std::string_view text) {
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  std::size_t kept = std::min(text.size(), kLongestQuote);
  while (kept < text.size() && kept > 0 && continues(text[kept])) --kept;  // never half a character
  std::string quoted("'");
  quoted += without_controls(text.substr(0, kept));
  return quoted += kept < text.size() ? "...'" : "'";
}

}  // namespace redux
