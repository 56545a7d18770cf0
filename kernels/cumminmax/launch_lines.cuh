// The host side of a variant: which instantiation of its kernel a case needs, and starting it.
#pragma once

#include "common/launch.hpp"
#include "core/registry.hpp"
#include "cumminmax/lines.hpp"
#include "cumminmax/order.cuh"

namespace redux::cumminmax {

/// `kernel_of(Tag<Order>)` gives a kernel; this gives the one for the case, for launch facts.
template <class KernelOf>
const void* function_of(const Case& c, KernelOf kernel_of) {
  return with_order(c, [&](auto tag) { return reinterpret_cast<const void*>(kernel_of(tag)); });
}

/// Starts the case's kernel with its lines and whatever else it takes; nothing where there are no
/// elements.
template <class KernelOf, class... More>
void launch_lines(const Problem& problem, const Exec& exec, const Geometry& geometry,
                  KernelOf kernel_of, More... more) {
  if (geometry.kernels == 0) return;
  with_order(*problem.the_case, [&]<class O>(Tag<O> tag) {
    launch(kernel_of(tag), geometry, exec.stream, lines_of<typename O::Storage>(problem), more...);
  });
}

}  // namespace redux::cumminmax
