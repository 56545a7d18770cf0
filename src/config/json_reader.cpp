#include "config/json_reader.hpp"

#include <utility>

#include "config/nearest.hpp"

namespace redux::json {

char Reader::take() {
  const char c = text_[at_++];
  if (c == '\n') {
    ++place_.line;
    place_.column = 1;
  } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
    ++place_.column;  // a continuation byte belongs to the character before it
  }
  return c;
}

std::string Reader::here() const {
  if (at_end()) return "the end of the file";
  std::size_t end = at_ + 1;
  while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) ++end;
  return in_quotes(text_.substr(at_, end - at_));
}

void Reader::fault(Place place, const std::string& pointer, std::string message) {
  faults_->push_back({place, pointer, std::move(message)});
}

void Reader::stop(Place place, const std::string& pointer, std::string message) {
  fault(place, pointer, std::move(message));
  throw Stop{};
}

void Reader::skip_blanks(const std::string& pointer) {
  while (!at_end()) {
    const char c = peek();
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      take();
    } else if (c == '/') {
      skip_comment(pointer);
    } else {
      return;
    }
  }
}

void Reader::skip_comment(const std::string& pointer) {
  const Place start = place_;
  take();
  if (peek() == '/') {
    while (!at_end() && peek() != '\n') take();
  } else if (peek() == '*') {
    take();
    while (!(peek() == '*' && peek(1) == '/')) {
      if (at_end()) stop(start, pointer, "this comment has no end; it needs '*/'");
      take();
    }
    take();
    take();
  } else {
    stop(start, pointer, "'/' starts no comment here; comments are // and /* */");
  }
}

bool Reader::take_word(std::string_view word) {
  if (!text_.substr(at_).starts_with(word)) return false;
  for (std::size_t i = 0; i < word.size(); ++i) take();
  return true;
}

std::string Reader::string(const std::string& pointer) {
  const Place start = place_;
  std::string result;
  take();
  while (true) {
    if (at_end() || peek() == '\n') stop(start, pointer, "this string has no closing quote");
    const Place place = place_;
    if (static_cast<unsigned char>(peek()) < 0x20U) {
      stop(place, pointer, "control character " + here() + " in a string; escape it");
    }
    const char c = take();
    if (c == '"') return result;
    if (c == '\\') {
      escape(result, place, pointer);
    } else {
      result += c;
    }
  }
}

void Reader::escape(std::string& result, Place place, const std::string& pointer) {
  static constexpr std::string_view kNames = "\"\\/bfnrt";
  static constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  if (peek() == 'u') {
    take();
    append_utf8(result, code_point(place, pointer));
    return;
  }
  const auto index = at_end() ? std::string_view::npos : kNames.find(peek());
  if (index == std::string_view::npos) {
    stop(place, pointer, "unknown escape '\\' before " + here());
  }
  take();
  result += kMeanings[index];
}

/// After "\u": one UTF-16 unit, or the two of a surrogate pair.
std::uint32_t Reader::code_point(Place place, const std::string& pointer) {
  const std::uint32_t unit = four_digits(place, pointer);
  if (unit < 0xD800U || unit > 0xDFFFU) return unit;
  if (unit < 0xDC00U && peek() == '\\' && peek(1) == 'u') {
    take();
    take();
    const std::uint32_t low = four_digits(place, pointer);
    if (low >= 0xDC00U && low <= 0xDFFFU) {
      return 0x10000U + ((unit - 0xD800U) << 10U) + (low - 0xDC00U);
    }
  }
  stop(place, pointer, "half of a surrogate pair stands alone");
}

std::uint32_t Reader::four_digits(Place place, const std::string& pointer) {
  static constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
  std::uint32_t code = 0;
  for (int i = 0; i < 4; ++i) {
    const auto index = at_end() ? std::string_view::npos : kDigits.find(peek());
    if (index == std::string_view::npos) {
      stop(place, pointer, "\\u takes four hexadecimal digits");
    }
    take();
    code = (code << 4U) | static_cast<std::uint32_t>(index < 16 ? index : index - 6);
  }
  return code;
}

}  // namespace redux::json
