#include "config/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "config/nearest.hpp"

namespace redux {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

/// True where `value` is written as an integer; else that is reported.
bool is_whole(const json::Value& value, std::string_view what, Report& report) {
  if (value.kind == json::Kind::integer) return true;
  report.fault(value, fmt::format("{} must be a JSON integer such as 1024 (no fraction, exponent, "
                                  "quotes or suffix), found {}",
                                  what, found(value)));
  return false;
}

/// A number as it is written; of a very long one the beginning.
std::string cut(const std::string& number) {
  constexpr std::size_t kLongest = 40;
  return number.size() <= kLongest ? number : number.substr(0, kLongest) + "...";
}

template <class T>
std::from_chars_result parse_whole(const json::Value& value, T& parsed) {
  const std::string& text = value.text;
  return std::from_chars(text.data(), text.data() + text.size(), parsed);
}

void out_of_range(const json::Value& value, std::string_view what, bool too_small,
                  const std::string& limit, Report& report) {
  report.fault(value,
               fmt::format("{} {} is too {}; at {} {}", what, cut(value.text),
                           too_small ? "small" : "large", too_small ? "least" : "most", limit));
}

}  // namespace

std::string found(const json::Value& value) {
  switch (value.kind) {
    case json::Kind::null:
    case json::Kind::boolean:
      return value.text;
    case json::Kind::integer:
    case json::Kind::real:
      return "the number " + cut(value.text);
    case json::Kind::string:
      return "the string " + in_quotes(value.text);
    case json::Kind::array:
      return value.items.empty() ? "an empty list" : "a list";
    case json::Kind::object:
      return "an object";
  }
  return {};
}

Fields::Fields(const json::Value& value, const std::vector<std::string>& allowed, Report& report)
    : value_(&value) {
  if (!is_object()) {
    report.fault(value, fmt::format("must be an object with the keys {}, found {}", listed(allowed),
                                    found(value)));
  }
  for (const json::Member& member : value.members) {
    if (contains(allowed, member.key)) continue;
    report.fault(member.place, value.pointer,
                 fmt::format("unknown key {}{} (allowed: {})", in_quotes(member.key),
                             did_you_mean(member.key, allowed), listed(allowed)));
  }
}

const json::Value* Fields::find(std::string_view key) const {
  const auto member = std::ranges::find(value_->members, key, &json::Member::key);
  return member == value_->members.end() ? nullptr : &member->value;
}

const json::Value* Fields::require(std::string_view key, Report& report) const {
  const json::Value* value = find(key);
  if (value == nullptr && is_object()) {
    report.fault(*value_, fmt::format("the key '{}' is missing", key));
  }
  return value;
}

std::optional<std::int64_t> read_integer(const json::Value& value, std::string_view what,
                                         Report& report, std::int64_t least, std::int64_t most) {
  if (!is_whole(value, what, report)) return std::nullopt;
  std::int64_t number = 0;
  const bool overflow = parse_whole(value, number).ec != std::errc{};
  const bool negative = value.text.starts_with('-');
  const bool too_small = overflow ? negative : number < least;
  const bool too_large = overflow ? !negative : number > most;
  if (too_small || too_large) {
    out_of_range(value, what, too_small, std::to_string(too_small ? least : most), report);
    return std::nullopt;
  }
  return number;
}

std::optional<std::uint64_t> read_unsigned(const json::Value& value, std::string_view what,
                                           Report& report) {
  if (!is_whole(value, what, report)) return std::nullopt;
  if (value.text == "-0") return 0;
  std::uint64_t number = 0;
  if (parse_whole(value, number).ec == std::errc{}) return number;
  const bool negative = value.text.starts_with('-');
  const auto most = std::to_string(std::numeric_limits<std::uint64_t>::max());
  out_of_range(value, what, negative, negative ? "0" : most, report);
  return std::nullopt;
}

std::optional<double> read_number(const json::Value& value, std::string_view what, double above,
                                  double below, Report& report) {
  if (value.kind == json::Kind::integer || value.kind == json::Kind::real) {
    double number = 0;
    const char* end = value.text.data() + value.text.size();
    const auto result = std::from_chars(value.text.data(), end, number);
    if (result.ec == std::errc{} && number > above && number < below) return number;
  }
  report.fault(value, fmt::format("{} must be a number above {} and below {}, found {}", what,
                                  above, below, found(value)));
  return std::nullopt;
}

std::optional<std::string> read_string(const json::Value& value, std::string_view what,
                                       Report& report) {
  if (value.kind == json::Kind::string) return value.text;
  report.fault(value, fmt::format("{} must be a string, found {}", what, found(value)));
  return std::nullopt;
}

std::optional<std::string> read_choice(const json::Value& value, std::string_view what,
                                       const std::vector<std::string>& allowed, Report& report) {
  if (value.kind == json::Kind::string && contains(allowed, value.text)) return value.text;
  const bool is_name = value.kind == json::Kind::string;
  report.fault(value,
               fmt::format("unknown {} {}{} (allowed: {})", what,
                           is_name ? in_quotes(value.text) : found(value),
                           is_name ? did_you_mean(value.text, allowed) : "", listed(allowed)));
  return std::nullopt;
}

const std::vector<json::Value>* read_list(const json::Value& value, std::string_view of,
                                          Report& report) {
  if (value.kind == json::Kind::array && !value.items.empty()) return &value.items;
  report.fault(value, fmt::format("must be a list of {}, not empty, found {}", of, found(value)));
  return nullptr;
}

}  // namespace redux
