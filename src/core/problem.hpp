// A case with its memory: what a variant's run() is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/case.hpp"
#include "core/device_facts.hpp"
#include "core/dtype.hpp"

namespace redux {

/// Contiguous memory on whichever side the variant runs.
struct View {
  void* data = nullptr;
  DType dtype = DType::float32;
  std::int64_t count = 0;

  [[nodiscard]] std::size_t bytes() const {
    return static_cast<std::size_t>(count) * size_of(dtype);
  }
  template <class T>
  [[nodiscard]] T* as() const {
    return static_cast<T*>(data);
  }
};

struct Problem {
  const Case* the_case = nullptr;
  std::span<const View> inputs;   ///< in the order of Op::inputs; not to be written
  std::span<const View> outputs;  ///< in the order of Op::outputs
  void* workspace = nullptr;      ///< zero-filled once when allocated, never between calls
  std::size_t workspace_bytes = 0;
};

/// Where a call runs. For CUDA variants `stream` is a cudaStream_t; host variants ignore it.
struct Exec {
  void* stream = nullptr;
  const DeviceFacts* device = nullptr;
};

}  // namespace redux
