#include "config/json.hpp"

#include <string>
#include <unordered_map>
#include <utility>

#include "config/json_reader.hpp"
#include "config/nearest.hpp"

namespace redux::json {
namespace {

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
  Parser(std::string_view text, std::vector<Fault>& faults) : reader_(text, faults) {}

  Value document() {
    reader_.skip_blanks({});
    if (reader_.at_end()) reader_.stop(reader_.place(), {}, "the file holds no JSON value");
    Value root = value({}, 0);
    reader_.skip_blanks({});
    if (!reader_.at_end()) {
      reader_.stop(reader_.place(), {}, "text after the end of the JSON value: " + reader_.here());
    }
    return root;
  }

 private:
  Value value(std::string pointer, int depth) {
    if (depth > kMaxDepth) {
      reader_.stop(reader_.place(), pointer,
                   "nested deeper than " + std::to_string(kMaxDepth) + " levels");
    }
    if (++values_ > kMaxValues) {
      reader_.stop(reader_.place(), pointer,
                   "more than " + std::to_string(kMaxValues) + " values in one file");
    }
    Value result;
    result.place = reader_.place();
    result.pointer = std::move(pointer);
    const char c = reader_.peek();
    if (c == '{') {
      object(result, depth);
    } else if (c == '[') {
      array(result, depth);
    } else if (c == '"') {
      result.kind = Kind::string;
      result.text = reader_.string(result.pointer);
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
    reader_.skip_blanks(pointer);
    if (reader_.peek() == close) {
      reader_.take();
      return false;
    }
    if (reader_.peek() != ',') {
      reader_.stop(reader_.place(), pointer,
                   std::string("expected ',' or '") + close + "', found " + reader_.here());
    }
    const Place comma = reader_.place();
    reader_.take();
    reader_.skip_blanks(pointer);
    if (reader_.peek() != close) return true;
    reader_.fault(comma, pointer, std::string("trailing comma before '") + close + "'");
    reader_.take();
    return false;
  }

  void array(Value& result, int depth) {
    result.kind = Kind::array;
    reader_.take();
    reader_.skip_blanks(result.pointer);
    if (reader_.peek() == ']') {
      reader_.take();
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
    reader_.take();
    reader_.skip_blanks(result.pointer);
    if (reader_.peek() == '}') {
      reader_.take();
      return;
    }
    do {
      const Place place = reader_.place();
      if (reader_.peek() != '"') {
        reader_.stop(place, result.pointer,
                     "expected a key in double quotes, found " + reader_.here());
      }
      std::string key = reader_.string(result.pointer);
      reader_.skip_blanks(result.pointer);
      if (reader_.peek() != ':') {
        reader_.stop(reader_.place(), result.pointer,
                     "expected ':' after the key, found " + reader_.here());
      }
      reader_.take();
      reader_.skip_blanks(result.pointer);
      std::string pointer = pointer_to(result.pointer, key);
      if (pointer.size() > kMaxPointerBytes) {
        reader_.stop(place, result.pointer,
                     "key " + in_quotes(key) + ": with the keys around it, it is longer than " +
                         std::to_string(kMaxPointerBytes) + " bytes");
      }
      Value member = value(std::move(pointer), depth + 1);
      const auto [first, fresh] = seen.try_emplace(key, place);
      if (fresh) {
        result.members.push_back({std::move(key), place, std::move(member)});
      } else {
        reader_.fault(place, member.pointer,
                      "duplicate key " + in_quotes(key) + "; the first is at " +
                          std::to_string(first->second.line) + ":" +
                          std::to_string(first->second.column));
      }
    } while (another(result.pointer, '}'));
  }

  void digits(const Value& result) {
    if (!is_digit(reader_.peek())) {
      reader_.stop(reader_.place(), result.pointer, "expected a digit, found " + reader_.here());
    }
    while (is_digit(reader_.peek())) reader_.take();
  }

  void number(Value& result) {
    const std::size_t start = reader_.offset();
    result.kind = Kind::integer;
    if (reader_.peek() == '-') reader_.take();
    if (reader_.peek() == '0' && is_digit(reader_.peek(1))) {
      reader_.stop(result.place, result.pointer, "a number must not start with a zero");
    }
    digits(result);
    if (reader_.peek() == '.') {
      result.kind = Kind::real;
      reader_.take();
      digits(result);
    }
    if (reader_.peek() == 'e' || reader_.peek() == 'E') {
      result.kind = Kind::real;
      reader_.take();
      if (reader_.peek() == '+' || reader_.peek() == '-') reader_.take();
      digits(result);
    }
    result.text = reader_.since(start);
  }

  void word(Value& result) {
    for (const std::string_view name : {"true", "false", "null"}) {
      if (!reader_.take_word(name)) continue;
      result.kind = name == "null" ? Kind::null : Kind::boolean;
      result.text = name;
      return;
    }
    reader_.stop(reader_.place(), result.pointer, "expected a value, found " + reader_.here());
  }

  Reader reader_;
  std::int64_t values_ = 0;
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
