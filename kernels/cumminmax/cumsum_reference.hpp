#pragma once

#include <cstddef>
#include <span>

#include "core/problem.hpp"

namespace redux::cumminmax {

/// The definition of cumsum, on the host. Integers wrap. Floats are summed in float64 with the
/// rounding errors carried along (Neumaier), and rounded once to the dtype.
void cumsum_reference(const Problem& problem);

/// How far a float's running sum may be from the reference, whatever the order in which a variant
/// adds. Of n additions each of which rounds to nearest, without overflow, the sum of x is off by
/// at most n u sum|x|, u being half the distance from 1 to the next value (Rump, "Error estimation
/// of floating-point summation and dot product", BIT 2012; the classical gamma_n sum|x| without its
/// condition that n u < 1). Added are only the elements that are not zero; one more u is for the
/// reference's own rounding and one for computing the bound. Zero up to the second such element;
/// infinite where an overflow is possible, since whether there is one then depends on the order.
///
/// The bound is of the worst case, so it says little of the last elements of long float32 lines: at
/// 2^20 random elements 6% of sum|x|. What it cannot see, the integers' sums do, which the same
/// kernels compute and which are compared bit for bit.
void cumsum_allowed_differences(const Problem& problem, std::size_t output,
                                std::span<double> allowed);

}  // namespace redux::cumminmax
