// What a case may choose beside shape and dtype; SEMANTICS decides what each choice means.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace redux {

enum class Nan : std::uint8_t { skip, propagate };
enum class Empty : std::uint8_t { negative_infinity, zero };
enum class Index : std::uint8_t { int32, int64 };

constexpr std::string_view name_of(Nan nan) {
  return nan == Nan::skip ? "skip" : "propagate";
}
constexpr std::string_view name_of(Empty empty) {
  return empty == Empty::zero ? "0" : "-inf";
}
constexpr std::string_view name_of(Index index) {
  return index == Index::int32 ? "int32" : "int64";
}

/// An op states its defaults in one of these; a case holds the values in force.
struct Attributes {
  int axis = -1;
  Nan nan = Nan::skip;
  Empty empty = Empty::negative_infinity;
  Index index = Index::int32;

  bool operator==(const Attributes&) const = default;
};

}  // namespace redux
