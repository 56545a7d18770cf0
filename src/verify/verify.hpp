// Outputs against the reference, exactly.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/op.hpp"
#include "core/record.hpp"

namespace redux {

/// Compares one output; adds to `result.checked` and `result.mismatches`, and sets `result.first`
/// if it is not set. `got` and `expected` hold spec.count() elements. With Match::bits memory is
/// compared; with Match::ieee any NaN equals any NaN and -0 equals +0.
void compare_output(const TensorSpec& spec, std::span<const std::byte> got,
                    std::span<const std::byte> expected, std::int64_t copy, Verification& result);

/// The element as a person would write it: shortest round-trip for floats, "NaN", "-inf".
std::string element_text(DType dtype, const std::byte* element);

/// The byte that outputs are filled with before a run: no index or plausible value repeats it.
inline constexpr unsigned char kPoisonByte = 0xCB;
/// True if every byte of the element is poison: it was probably never written.
bool is_poison(std::span<const std::byte> element);

}  // namespace redux
