// Outputs against the reference: exactly, or within a bound that the op states.
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
/// compared; with Match::ieee any NaN equals any NaN and -0 equals +0. With Match::bounded, for
/// floats only, elements that are not equal in that sense may differ by `allowed`, one number an
/// element: a NaN or an infinity in one of the two is then a difference. Where `allowed` is
/// infinite, anything that was written is accepted.
void compare_output(const TensorSpec& spec, std::span<const std::byte> got,
                    std::span<const std::byte> expected, std::int64_t copy, Verification& result,
                    std::span<const double> allowed = {});

/// What compare_output takes as `allowed`, from the op and a problem with the reference's outputs;
/// empty for an output that is not bounded.
std::vector<double> allowed_differences(const Problem& reference, std::size_t output);

/// The element as a person would write it: shortest round-trip for floats, "NaN", "-inf".
std::string element_text(DType dtype, const std::byte* element);

/// The byte that outputs are filled with before a run: no index or plausible value repeats it.
inline constexpr unsigned char kPoisonByte = 0xCB;
/// True if every byte of the element is poison: it was probably never written.
bool is_poison(std::span<const std::byte> element);

}  // namespace redux
