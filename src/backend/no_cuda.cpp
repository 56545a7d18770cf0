// What a build without CUDA says when it is asked for a CUDA device.
#ifndef REDUX_HAVE_CUDA

#include "backend/backend.hpp"

namespace redux {

std::unique_ptr<Backend> make_cuda_backend(int /*ordinal*/, std::string& why) {
  why = "this build has no CUDA: configure with REDUX_CUDA=ON where nvcc is installed";
  return nullptr;
}

}  // namespace redux

#endif
