// Values of a config read as what they are meant to be; what is wrong goes to the report.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/report.hpp"

namespace redux {

/// "the string '2M'", "the number 4.5", "a list" ... for messages.
std::string found(const json::Value& value);

/// An object whose unknown keys are reported when it is made, all of them.
class Fields {
 public:
  /// `value` must outlive this. Where it is no object that is reported, and there are no fields.
  Fields(const json::Value& value, const std::vector<std::string>& allowed, Report& report);

  [[nodiscard]] const json::Value* find(std::string_view key) const;
  /// Reports a key that is not there.
  const json::Value* require(std::string_view key, Report& report) const;
  [[nodiscard]] bool is_object() const { return value_->kind == json::Kind::object; }

 private:
  const json::Value* value_;
};

/// Counts are JSON integers (1024), never 1024.0, 1e3, "1024" or true: nothing is rounded or
/// guessed. `what` names the value in messages.
std::optional<std::int64_t> read_integer(
    const json::Value& value, std::string_view what, Report& report, std::int64_t least = 0,
    std::int64_t most = std::numeric_limits<std::int64_t>::max());
/// A seed: the whole range of uint64, exactly.
std::optional<std::uint64_t> read_unsigned(const json::Value& value, std::string_view what,
                                           Report& report);
/// Any JSON number strictly between the two; read the same under every locale.
std::optional<double> read_number(const json::Value& value, std::string_view what, double above,
                                  double below, Report& report);
std::optional<std::string> read_string(const json::Value& value, std::string_view what,
                                       Report& report);
/// One of `allowed`; else the report lists them with the nearest.
std::optional<std::string> read_choice(const json::Value& value, std::string_view what,
                                       const std::vector<std::string>& allowed, Report& report);
/// The items of a list that is not empty; null, reported, for all else. `of` says what it holds.
const std::vector<json::Value>* read_list(const json::Value& value, std::string_view of,
                                          Report& report);

}  // namespace redux
