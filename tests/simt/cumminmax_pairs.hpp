// The laws of the operator that scans cummax and cummin, in a kernel.
#pragma once

#include <cstdint>

#include "core/case.hpp"

namespace simt_pairs {

/// What does not hold, as bits.
enum Broken : std::uint32_t {
  kMergeIdempotent = 1,
  kMergeCommutative = 2,
  kMergeAssociative = 4,
  kMergeIdentity = 8,   ///< "none" on either side changes nothing
  kFollowIsMerge = 16,  ///< of an earlier and a later element
  kFollowAssociative = 32,
  kFollowIdentity = 64,  ///< an element follows "none"; follow_any() ignores it
};

inline constexpr int kIndices = 3;

/// Every letter at every index, and "none".
constexpr int elements_of(int letters) {
  return (letters * kIndices) + 1;
}

/// For all triples of elements_of(count) elements, in the case's dtype and op, which laws are
/// broken: `broken` has a word for each. `letters` and `broken` are buffers of the executor.
void break_laws(const redux::Case& c, const void* letters, int count, std::uint32_t* broken);

}  // namespace simt_pairs
