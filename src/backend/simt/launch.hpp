// Starting a kernel on the SIMT executor: what kernels/common/launch.hpp is there.
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include "backend/simt/schedule.hpp"
#include "core/variant.hpp"

namespace redux::simt {

/// What the launches of this process run under until it is set again.
struct Setting {
  Schedule schedule;
  DeviceFacts device = simulated_device();
};
void set(const Setting& setting);

/// Runs every thread of the grid to its end. `body(arguments)` is the kernel. Throws Fault.
void run_grid(const Geometry& geometry, const void* function, void (*body)(const void*),
              const void* arguments, std::size_t argument_bytes);

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), const Geometry& geometry, void* /*stream*/,
            Arguments&&... arguments) {
  struct Call {
    void (*kernel)(Parameters...);
    std::tuple<Parameters...> arguments;
  };
  const Call call{kernel, {static_cast<Parameters>(arguments)...}};
  run_grid(
      geometry, reinterpret_cast<const void*>(kernel),
      [](const void* opaque) {
        const auto& made = *static_cast<const Call*>(opaque);
        std::apply(made.kernel, made.arguments);
      },
      &call, sizeof(call));
}

/// Fills a buffer, as the host's memset between kernels does.
void memset_async(void* memory, int byte, std::size_t bytes, void* stream);

}  // namespace redux::simt
