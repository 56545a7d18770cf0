// Variants whose kernels belong to a library (CUB): nvcc compiles them, the SIMT executor cannot. A
// variant's file defines its functions only for nvcc and takes these in their place, so that it is
// listed, and refused with the reason, everywhere.
#pragma once

#ifdef REDUX_SIMT

#include <stdexcept>
#include <string>

#include "core/variant.hpp"

namespace redux::library_on_a_gpu_only {

inline std::string unsupported(const Case& /*c*/, const DeviceFacts& /*device*/) {
  return "the kernels are a library's, compiled by nvcc alone: they run on a GPU only";
}
inline std::size_t scratch_bytes(const Case& /*c*/, const DeviceFacts& /*device*/) {
  return 0;
}
inline Geometry geometry_of(const Case& /*c*/, const DeviceFacts& /*device*/) {
  return {.grid = {0, 0, 0}, .block = {0, 0, 0}, .kernels = 0};
}
inline void run(const Problem& /*problem*/, const Exec& /*exec*/) {
  throw std::logic_error("a library's kernel was run in the SIMT executor");
}

}  // namespace redux::library_on_a_gpu_only

#endif
