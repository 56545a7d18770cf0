#include "config/json.hpp"

#include <string>
#include <unordered_map>
#include <utility>

#include "config/nearest.hpp"

namespace redux::json {
namespace {

struct Stop {};  // the text cannot be understood further; the fault is noted already

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string pointer_to(const std::string& parent, std::string_view key) {
  std::string pointer = parent + "/";
  for (const char c : key) {
    if (c == '~') {
      pointer += "~0";
    } else if (c == '/') {
      pointer += "~1";
    } else {
      pointer += c;
    }
  }
  return pointer;
}

class Parser {
 public:
  Parser(std::string_view text, std::vector<Fault>& faults) : text_(text), faults_(&faults) {}

  Value document() {
    skip_blanks({});
    if (at_end()) stop(place_, {}, "the file holds no JSON value");
    Value root = value({}, 0);
    skip_blanks({});
    if (!at_end()) stop(place_, {}, "text after the end of the JSON value: " + here());
    return root;
  }

 private:
  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  char take() {
    const char c = text_[at_++];
    if (c == '\n') {
      ++place_.line;
      place_.column = 1;
    } else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) {
      ++place_.column;  // a continuation byte belongs to the character before it
    }
    return c;
  }

  [[nodiscard]] std::string here() const {
    if (at_end()) return "the end of the file";
    std::size_t end = at_ + 1;
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) ++end;
    return in_quotes(text_.substr(at_, end - at_));
  }

  void fault(Place place, const std::string& pointer, std::string message) {
    faults_->push_back({place, pointer, std::move(message)});
  }
  [[noreturn]] void stop(Place place, const std::string& pointer, std::string message) {
    fault(place, pointer, std::move(message));
    throw Stop{};
  }

  void skip_blanks(const std::string& pointer) {
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

  void skip_comment(const std::string& pointer) {
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

  Value value(std::string pointer, int depth) {
    if (depth > kMaxDepth) {
      stop(place_, pointer, "nested deeper than " + std::to_string(kMaxDepth) + " levels");
    }
    Value result;
    result.place = place_;
    result.pointer = std::move(pointer);
    const char c = peek();
    if (c == '{') {
      object(result, depth);
    } else if (c == '[') {
      array(result, depth);
    } else if (c == '"') {
      result.kind = Kind::string;
      result.text = string(result.pointer);
    } else if (c == '-' || is_digit(c)) {
      number(result);
    } else {
      word(result);
    }
    return result;
  }

  /// After a value in a list: true where another follows. A comma before the closing bracket is
  /// reported at the comma, and the list ends.
  bool another(const std::string& pointer, char close) {
    skip_blanks(pointer);
    if (peek() == close) {
      take();
      return false;
    }
    if (peek() != ',') {
      stop(place_, pointer, std::string("expected ',' or '") + close + "', found " + here());
    }
    const Place comma = place_;
    take();
    skip_blanks(pointer);
    if (peek() != close) return true;
    fault(comma, pointer, std::string("trailing comma before '") + close + "'");
    take();
    return false;
  }

  void array(Value& result, int depth) {
    result.kind = Kind::array;
    take();
    skip_blanks(result.pointer);
    if (peek() == ']') {
      take();
      return;
    }
    do {
      result.items.push_back(
          value(result.pointer + "/" + std::to_string(result.items.size()), depth + 1));
    } while (another(result.pointer, ']'));
  }

  void object(Value& result, int depth) {
    result.kind = Kind::object;
    std::unordered_map<std::string, Place> seen;
    take();
    skip_blanks(result.pointer);
    if (peek() == '}') {
      take();
      return;
    }
    do {
      const Place place = place_;
      if (peek() != '"') {
        stop(place, result.pointer, "expected a key in double quotes, found " + here());
      }
      std::string key = string(result.pointer);
      skip_blanks(result.pointer);
      if (peek() != ':') {
        stop(place_, result.pointer, "expected ':' after the key, found " + here());
      }
      take();
      skip_blanks(result.pointer);
      Value member = value(pointer_to(result.pointer, key), depth + 1);
      const auto [first, fresh] = seen.try_emplace(key, place);
      if (fresh) {
        result.members.push_back({std::move(key), place, std::move(member)});
      } else {
        fault(place, member.pointer,
              "duplicate key " + in_quotes(key) + "; the first is at " +
                  std::to_string(first->second.line) + ":" + std::to_string(first->second.column));
      }
    } while (another(result.pointer, '}'));
  }

  std::string string(const std::string& pointer) {
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

  void escape(std::string& result, Place place, const std::string& pointer) {
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
  std::uint32_t code_point(Place place, const std::string& pointer) {
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

  std::uint32_t four_digits(Place place, const std::string& pointer) {
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

  void digits(const Value& result) {
    if (!is_digit(peek())) stop(place_, result.pointer, "expected a digit, found " + here());
    while (is_digit(peek())) take();
  }

  void number(Value& result) {
    const std::size_t start = at_;
    result.kind = Kind::integer;
    if (peek() == '-') take();
    if (peek() == '0' && is_digit(peek(1))) {
      stop(result.place, result.pointer, "a number must not start with a zero");
    }
    digits(result);
    if (peek() == '.') {
      result.kind = Kind::real;
      take();
      digits(result);
    }
    if (peek() == 'e' || peek() == 'E') {
      result.kind = Kind::real;
      take();
      if (peek() == '+' || peek() == '-') take();
      digits(result);
    }
    result.text = text_.substr(start, at_ - start);
  }

  void word(Value& result) {
    for (const std::string_view name : {"true", "false", "null"}) {
      if (!text_.substr(at_).starts_with(name)) continue;
      for (std::size_t i = 0; i < name.size(); ++i) take();
      result.kind = name == "null" ? Kind::null : Kind::boolean;
      result.text = name;
      return;
    }
    stop(place_, result.pointer, "expected a value, found " + here());
  }

  std::string_view text_;
  std::vector<Fault>* faults_;
  std::size_t at_ = 0;
  Place place_;
};

}  // namespace

std::optional<Value> parse(std::string_view text, std::vector<Fault>& faults) {
  const auto checked = checked_utf8(text, faults);
  if (!checked) return std::nullopt;
  try {
    return Parser(*checked, faults).document();
  } catch (const Stop&) {
    return std::nullopt;
  }
}

}  // namespace redux::json
