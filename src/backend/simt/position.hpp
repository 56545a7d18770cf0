// Lines of source for reports.
#pragma once

#include <string>
#include <vector>

namespace redux::simt {

/// A frame pointer: [0] is the caller's, [1] the address that the callee returns to.
using Frame = const void* const*;

/// Return addresses from `frame` outwards while frames stay within the stack [begin, end).
std::vector<const void*> call_stack(Frame frame, const void* begin, const void* end);

/// "block_per_row.cu:46" for each address, with the chain of inlined and outer lines where there is
/// one ("warp.cuh:18, called at candidate.cuh:57"). Runs addr2line (binutils); where that is
/// missing, the executable's name and an offset.
std::vector<std::string> lines_of(const std::vector<const void*>& addresses);

/// The lines of a whole call stack, innermost first, without those of the executor itself.
std::string text_of_stack(const std::vector<const void*>& stack);

}  // namespace redux::simt
