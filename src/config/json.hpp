// Strict JSON (RFC 8259) with // and /* */ comments, as a tree in which every value knows its
// place. A reader of its own because a message needs line and column of values that are well-formed
// but wrong, counts must be seen as they were written, and a duplicate key must not win silently;
// common libraries give none of the three.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace redux::json {

/// Both from 1; columns count characters, not bytes.
struct Place {
  std::int64_t line = 1;
  std::int64_t column = 1;
};

struct Fault {
  Place place;
  std::string pointer;  ///< RFC 6901; empty for the whole text
  std::string message;
};

/// A number is an integer if it is written as one: without fraction and exponent.
enum class Kind : std::uint8_t { null, boolean, integer, real, string, array, object };

struct Member;

struct Value {
  Kind kind = Kind::null;
  Place place;
  std::string pointer;
  std::string text;  ///< a string's characters in UTF-8; any other scalar as written
  std::vector<Value> items;
  std::vector<Member> members;  ///< in the order of the text; of duplicate keys the first
};

struct Member {
  std::string key;
  Place place;  ///< of the key
  Value value;
};

/// Deeper nesting is refused, so that no text can exhaust the stack.
inline constexpr int kMaxDepth = 32;
/// More values, or a longer pointer to one, are refused, so that no text can exhaust the memory:
/// each value holds its pointer, and one long key above many values would be held by all of them.
inline constexpr std::int64_t kMaxValues = 1'000'000;
inline constexpr std::size_t kMaxPointerBytes = 256;

/// Adds what is wrong to `faults`. Duplicate keys and trailing commas are reported and passed over;
/// nothing is returned where the text cannot be understood further. A UTF-8 byte-order mark is
/// skipped; UTF-16 and UTF-32 are refused by name, invalid UTF-8 with its place.
std::optional<Value> parse(std::string_view text, std::vector<Fault>& faults);

/// Appends the character in UTF-8; `code` is at most U+10FFFF.
void append_utf8(std::string& text, std::uint32_t code);

/// The byte-order mark skipped; nothing, with a fault, where the text is not valid UTF-8.
std::optional<std::string_view> checked_utf8(std::string_view text, std::vector<Fault>& faults);

}  // namespace redux::json
