#include "cli/values.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "config/nearest.hpp"
#include "core/status.hpp"

namespace redux::cli {
namespace {

Failure bad(std::string_view option, std::string_view text, const std::string& allowed) {
  return {ExitCode::usage, std::string(option) + ": '" + std::string(text) + "' is not " + allowed};
}

std::string seeds_text() {
  return "a whole number from 0 to " + std::to_string(std::numeric_limits<std::uint64_t>::max());
}

/// The whole text as a number, or not at all; independent of the locale.
template <class T>
bool parse(std::string_view text, T& value) {
  const auto done = std::from_chars(text.data(), text.data() + text.size(), value);
  return done.ec == std::errc{} && done.ptr == text.data() + text.size() && !text.empty();
}

}  // namespace

std::int64_t count_value(std::string_view option, std::string_view text, std::int64_t least) {
  std::int64_t value = 0;
  if (!parse(text, value) || value < least) {
    throw bad(option, text, "a whole number of at least " + std::to_string(least));
  }
  return value;
}

std::uint64_t seed_value(std::string_view option, std::string_view text) {
  std::uint64_t value = 0;
  if (!parse(text, value)) throw bad(option, text, seeds_text());
  return value;
}

double seconds_value(std::string_view option, std::string_view text) {
  double value = 0;
  if (!parse(text, value) || !std::isfinite(value) || value <= 0) {
    throw bad(option, text, "a number of seconds above 0, e.g. 0.5");
  }
  return value;
}

int device_value(std::string_view option, std::string_view text) {
  int value = 0;
  if (!parse(text, value) || value < 0) {
    throw bad(option, text, "a CUDA device's number: 0, 1, 2, ...");
  }
  return value;
}

int multiprocessors_value(std::string_view option, std::string_view text) {
  constexpr int kMost = 1024;
  int value = 0;
  if (!parse(text, value) || value < 1 || value > kMost) {
    throw bad(option, text, "a whole number from 1 to " + std::to_string(kMost));
  }
  return value;
}

std::string schedule_value(std::string_view option, std::string_view text) {
  constexpr std::string_view kRandom = "random:";
  std::uint64_t seed = 0;
  const bool random = text.starts_with(kRandom) && parse(text.substr(kRandom.size()), seed);
  if (!random && text != "in-order" && text != "reverse") {
    throw bad(option, text,
              "in-order, reverse or random:SEED (SEED is " + seeds_text() + ")" +
                  did_you_mean(text, {"in-order", "reverse"}));
  }
  return std::string(text);
}

Shard shard_value(std::string_view option, std::string_view text) {
  Shard shard;
  const auto slash = text.find('/');
  const bool valid = slash != std::string_view::npos && parse(text.substr(0, slash), shard.index) &&
                     parse(text.substr(slash + 1), shard.count);
  if (!valid || shard.index < 1 || shard.index > shard.count) {
    throw bad(option, text, "I/N with 1 <= I <= N, e.g. 1/4 to 4/4");
  }
  return shard;
}

Handicap handicap_value(std::string_view option, std::string_view text) {
  constexpr double kMost = 100;
  Handicap handicap;
  const auto sign = text.rfind('=');
  const bool parted = sign != std::string_view::npos && sign > 0;
  const bool valid = parted && parse(text.substr(sign + 1), handicap.factor) &&
                     handicap.factor > 1 && handicap.factor <= kMost;
  if (!valid) throw bad(option, text, "REGEX=FACTOR with a factor above 1, e.g. '/cub/=1.05'");
  handicap.match = text.substr(0, sign);
  return handicap;
}

std::size_t choice_value(std::string_view option, std::string_view text,
                         std::span<const std::string_view> allowed) {
  std::string names;
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    if (allowed[i] == text) return i;
    if (i > 0) names += i + 1 == allowed.size() ? " or " : ", ";
    names += allowed[i];
  }
  throw bad(option, text, names + did_you_mean(text, {allowed.begin(), allowed.end()}));
}

}  // namespace redux::cli
