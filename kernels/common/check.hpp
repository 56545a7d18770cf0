// CUDA errors as exceptions that say where they came from.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace redux {

class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const char* file, int line, const char* expression)
      : std::runtime_error(std::string(cudaGetErrorName(code)) + " (" + cudaGetErrorString(code) +
                           ") at " + file + ":" + std::to_string(line) + ": " + expression),
        code_(code) {}
  [[nodiscard]] cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

inline void check_cuda(cudaError_t code, const char* file, int line, const char* expression) {
  if (code == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // a launch error must not be reported a second time
  throw CudaError(code, file, line, expression);
}

}  // namespace redux

#define REDUX_CUDA_CHECK(expression) \
  ::redux::check_cuda((expression), __FILE_NAME__, __LINE__, #expression)
