// Option values from text; each throws Failure(usage) naming the option and what is allowed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cli/options.hpp"

namespace redux::cli {

/// A whole number from `least` on, in decimal.
std::int64_t count_value(std::string_view option, std::string_view text, std::int64_t least);
std::uint64_t seed_value(std::string_view option, std::string_view text);
/// Finite and above zero.
double seconds_value(std::string_view option, std::string_view text);
int device_value(std::string_view option, std::string_view text);
/// From 1 to 1024.
int multiprocessors_value(std::string_view option, std::string_view text);
/// "in-order", "reverse" or "random:SEED".
std::string schedule_value(std::string_view option, std::string_view text);
/// "I/N" with 1 <= I <= N.
Shard shard_value(std::string_view option, std::string_view text);
/// "REGEX=FACTOR", parted by the last '='; the factor above 1 and at most 100.
Handicap handicap_value(std::string_view option, std::string_view text);
/// The position of `text` in `allowed`.
std::size_t choice_value(std::string_view option, std::string_view text,
                         std::span<const std::string_view> allowed);

}  // namespace redux::cli
