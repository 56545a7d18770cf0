#pragma once

#include "core/problem.hpp"

namespace redux::csr_max {

/// The definition of csr_max: inputs row_ptr [nodes + 1], col_idx [edges] and features [nodes, F],
/// output [nodes, F], on the host; out[v, f] is the largest features[col_idx[e], f] over the edges
/// e in [row_ptr[v], row_ptr[v + 1]). Under `propagate` a NaN wins (PyTorch's amax); under `skip`
/// it is passed over and nothing but NaN gives -infinity (fmax). A node without edges gets what the
/// case's `empty` says; integers have their least value in place of -infinity.
void reference(const Problem& problem);

/// Bytes that any variant has to move for these inputs: the features of a node that no edge names
/// need not be read.
std::int64_t compulsory_bytes(const Problem& problem);

}  // namespace redux::csr_max
