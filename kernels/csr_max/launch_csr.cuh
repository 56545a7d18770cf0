// The host side of a variant: which instantiation of its kernel a case needs, and starting it.
#pragma once

#include "common/launch.hpp"
#include "core/registry.hpp"
#include "csr_max/row_part.cuh"
#include "csr_max/tiling.hpp"

namespace redux::csr_max {

/// `kernel_of(Types)` gives a kernel; this gives the one for the case, for launch facts.
template <class KernelOf>
const void* function_of(const Case& c, KernelOf kernel_of) {
  return with_types(c, [&](auto types) { return reinterpret_cast<const void*>(kernel_of(types)); });
}

/// Starts the case's kernel with its graph and whatever else it takes; nothing where there is no
/// output.
template <class KernelOf, class... More>
void launch_csr(const Problem& problem, const Exec& exec, const Geometry& geometry,
                KernelOf kernel_of, More... more) {
  if (geometry.kernels == 0) return;
  with_types(*problem.the_case, [&]<class T>(T types) {
    launch(kernel_of(types), geometry, exec.stream,
           csr_of<typename T::Storage, typename T::Index>(problem), more...);
  });
}

/// How rows can be read and written if table and output start at these addresses.
inline Reads reads_of(const Case& c, const void* features, const void* out) {
  const std::uint64_t places = reinterpret_cast<std::uintptr_t>(features) |
                               reinterpret_cast<std::uintptr_t>(out) |
                               static_cast<std::uint64_t>(row_bytes_of(c));
  if (places % kLaneBytes == 0) return Reads::vector;
  return places % 4 == 0 ? Reads::word : Reads::half;
}
/// The same where both are aligned.
inline Reads reads_of(const Case& c) {
  return reads_of(c, nullptr, nullptr);
}
inline Reads reads_of(const Problem& problem) {
  return reads_of(*problem.the_case, problem.inputs[2].data, problem.outputs[0].data);
}

template <Reads R>
struct Reading {};

/// Calls `make(Reading<...>{})`. Only 16-bit elements need half.
template <class T, class Make>
auto with_reads(Reads reads, Make make) {
  if (reads == Reads::vector) return make(Reading<Reads::vector>{});
  if constexpr (sizeof(typename T::Storage) == 2) {
    if (reads == Reads::half) return make(Reading<Reads::half>{});
  }
  return make(Reading<Reads::word>{});
}

}  // namespace redux::csr_max
