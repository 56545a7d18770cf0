#pragma once

#include "core/problem.hpp"

namespace redux::argminmax {

/// The definition of argmax and argmin: inputs [rows, cols], outputs int64 [rows], on the host.
/// Under `skip` it is what one thread does that starts with element 0 and replaces it only by a
/// strictly better one (ONNX Runtime's CUDA provider, pull request 31694); under `propagate` the
/// first NaN wins, for argmin too (NumPy, PyTorch).
void reference(const Problem& problem);

/// Bytes that suffice once the outputs are right: nothing behind a NaN that wins needs reading,
/// nor does the only column.
std::int64_t least_bytes(const Problem& problem);

}  // namespace redux::argminmax
