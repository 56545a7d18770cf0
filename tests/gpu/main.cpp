// Without a device nothing here can run: said in one line and by exit code 77, which ctest counts
// as skipped.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdio>

#include "gpu/device_ground.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  int devices = 0;
  const cudaError_t code = cudaGetDeviceCount(&devices);
  if (code != cudaSuccess || devices == 0) {
    std::printf("no CUDA device (%s): the GPU tests were not run\n",
                code == cudaSuccess ? "none is visible" : cudaGetErrorString(code));
    return 77;
  }
  const int result = RUN_ALL_TESTS();
  for (const auto& [family, tally] : redux::contract::device_tallies()) {
    std::printf("variants of %s on the device:\n", family.c_str());
    tally.print();
  }
  return result;
}
