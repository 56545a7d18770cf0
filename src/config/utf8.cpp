#include <array>
#include <cstddef>

#include "config/json.hpp"

namespace redux::json {
namespace {

constexpr std::size_t kInvalid = 0;

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

/// Bytes of the character that starts there (Unicode, table 3-7: no overlong form, no surrogate,
/// nothing above U+10FFFF), or kInvalid.
std::size_t character_bytes(std::string_view text, std::size_t at) {
  const unsigned lead = byte_at(text, at);
  if (lead < 0x80U) return 1;
  std::size_t bytes = kInvalid;
  unsigned low = 0x80U, high = 0xBFU;  // of the second byte
  if (lead >= 0xC2U && lead <= 0xDFU) bytes = 2;
  if (lead >= 0xE0U && lead <= 0xEFU) bytes = 3;
  if (lead >= 0xF0U && lead <= 0xF4U) bytes = 4;
  if (lead == 0xE0U) low = 0xA0U;
  if (lead == 0xEDU) high = 0x9FU;
  if (lead == 0xF0U) low = 0x90U;
  if (lead == 0xF4U) high = 0x8FU;
  if (bytes == kInvalid || at + bytes > text.size()) return kInvalid;
  if (byte_at(text, at + 1) < low || byte_at(text, at + 1) > high) return kInvalid;
  for (std::size_t i = 2; i < bytes; ++i) {
    if ((byte_at(text, at + i) & 0xC0U) != 0x80U) return kInvalid;
  }
  return bytes;
}

/// The other encodings that JSON files are found in: by their mark, or else by where the zero bytes
/// of the first two characters lie, which JSON has in ASCII. Empty where it is none of them.
std::string_view foreign_encoding(std::string_view text) {
  using std::string_view_literals::operator""sv;
  if (text.starts_with("\xFF\xFE\0\0"sv) || text.starts_with("\0\0\xFE\xFF"sv)) return "UTF-32";
  if (text.starts_with("\xFF\xFE"sv) || text.starts_with("\xFE\xFF"sv)) return "UTF-16";
  if (text.size() < 4) return {};
  std::array<bool, 4> zero{};
  for (std::size_t i = 0; i < zero.size(); ++i) zero.at(i) = text[i] == '\0';
  using Zeros = std::array<bool, 4>;
  if (zero == Zeros{false, true, true, true} || zero == Zeros{true, true, true, false}) {
    return "UTF-32";
  }
  if (zero == Zeros{false, true, false, true} || zero == Zeros{true, false, true, false}) {
    return "UTF-16";
  }
  return {};
}

}  // namespace

void append_utf8(std::string& text, std::uint32_t code) {
  const auto add = [&text](std::uint32_t byte) { text += static_cast<char>(byte); };
  const auto tail = [&add, code](unsigned shift) { add(0x80U | ((code >> shift) & 0x3FU)); };
  if (code < 0x80U) {
    add(code);
  } else if (code < 0x800U) {
    add(0xC0U | (code >> 6U));
    tail(0);
  } else if (code < 0x10000U) {
    add(0xE0U | (code >> 12U));
    tail(6);
    tail(0);
  } else {
    add(0xF0U | (code >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::optional<std::string_view> checked_utf8(std::string_view text, std::vector<Fault>& faults) {
  const std::string_view other = foreign_encoding(text);
  if (!other.empty()) {
    faults.push_back({{},
                      {},
                      "the file is in " + std::string(other) +
                          "; save it as UTF-8 (with or without a byte-order mark)"});
    return std::nullopt;
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Place place;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t bytes = character_bytes(text, at);
    if (bytes == kInvalid) {
      static constexpr std::string_view kHex = "0123456789ABCDEF";
      const unsigned byte = byte_at(text, at);
      faults.push_back({place,
                        {},
                        std::string("byte 0x") + kHex[byte >> 4U] + kHex[byte & 0xFU] +
                            " is not valid UTF-8 here; save the file as UTF-8"});
      return std::nullopt;
    }
    if (text[at] == '\n') {
      ++place.line;
      place.column = 1;
    } else {
      ++place.column;
    }
    at += bytes;
  }
  return text;
}

}  // namespace redux::json
