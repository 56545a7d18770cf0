#include "data/npy_header.hpp"

#include <charconv>
#include <stdexcept>

#include "core/shape.hpp"

namespace redux::data {
namespace {

constexpr std::size_t kLongestString = 64;  // of a key or a dtype

/// A recursive-descent reader over the text; every failure names the byte.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  NpyDict dict() {
    NpyDict result;
    bool descr = false;
    bool order = false;
    bool shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = string();
      expect(':');
      if (key == "descr") {
        once(descr, key);
        result.descr = dtype();
      } else if (key == "fortran_order") {
        once(order, key);
        result.fortran_order = boolean();
      } else if (key == "shape") {
        once(shape, key);
        result.shape = tuple();
      } else {
        fail("unknown key '" + key + "'; allowed are descr, fortran_order and shape");
      }
      if (accept('}')) break;
      expect(',');
    }
    skip_blanks();
    if (at_ != text_.size()) fail("text after the closing '}'");
    if (!descr || !order || !shape) {
      fail(std::string("key '") +
           (!descr   ? "descr"
            : !order ? "fortran_order"
                     : "shape") +
           "' is missing");
    }
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::invalid_argument("header byte " + std::to_string(at_) + ": " + what);
  }

  static bool is_blank(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  [[nodiscard]] std::string here() const {
    if (at_ >= text_.size()) return "the end";
    const char c = text_[at_];
    if (c >= ' ' && c <= '~') return std::string("'") + c + "'";
    return "byte value " + std::to_string(static_cast<unsigned char>(c));
  }

  bool accept(char wanted) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) fail(std::string("expected '") + wanted + "', found " + here());
  }

  void once(bool& seen, const std::string& key) const {
    if (seen) fail("key '" + key + "' appears twice");
    seen = true;
  }

  std::string string() {
    skip_blanks();
    const char quote = at_ < text_.size() ? text_[at_] : '\0';
    if (quote != '\'' && quote != '"') fail("expected a quoted string, found " + here());
    const std::size_t begin = at_ + 1;
    const std::size_t end = text_.find(quote, begin);
    if (end == std::string_view::npos) fail("a string without its closing quote");
    const std::string_view inside = text_.substr(begin, end - begin);
    if (inside.find('\\') != std::string_view::npos) fail("a string with a backslash");
    at_ = end + 1;
    // It stands in messages, and must not steer a terminal from there.
    for (const char c : inside) {
      if (c < ' ' || c > '~') {
        fail("a string with byte value " + std::to_string(static_cast<unsigned char>(c)));
      }
    }
    if (inside.size() > kLongestString) {
      fail("a string of " + std::to_string(inside.size()) + " characters; at most " +
           std::to_string(kLongestString) + " are allowed");
    }
    return std::string(inside);
  }

  std::string dtype() {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '[') {
      fail("a structured dtype; only plain element types are allowed");
    }
    return string();
  }

  bool boolean() {
    skip_blanks();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_, word.size()) != word) continue;
      at_ += word.size();
      return value;
    }
    fail("expected True or False, found " + here());
  }

  std::int64_t extent() {
    skip_blanks();
    std::int64_t value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error == std::errc::result_out_of_range) fail("an extent that exceeds 2^63 - 1");
    if (error != std::errc{}) fail("expected an extent, found " + here());
    if (value < 0) fail("a negative extent, " + std::to_string(value));
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  std::vector<std::int64_t> tuple() {
    std::vector<std::int64_t> extents;
    expect('(');
    if (accept(')')) return extents;
    for (;;) {
      if (extents.size() == kMostExtents) {
        fail("a shape of more than " + std::to_string(kMostExtents) + " extents");
      }
      extents.push_back(extent());
      if (accept(')')) {
        if (extents.size() == 1) fail("(n) is no tuple; one extent is written (n,)");
        return extents;
      }
      expect(',');
      if (accept(')')) return extents;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

NpyDict parse_npy_dict(std::string_view text) {
  return Reader(text).dict();
}

}  // namespace redux::data
