// Occupancy and waves of real kernels, against what they mean.
#include "backend/cuda/launch_facts.hpp"

#include <cmath>

#include "backend_support.hpp"
#include "core/registry.hpp"

namespace redux {
namespace {

using BackendLaunchFacts = CudaBackendTest;

TEST_F(BackendLaunchFacts, WavesAreBlocksOverThoseThatTheDeviceHoldsAtOnce) {
  const DeviceFacts& device = backend_->device();
  case_.op = Registry::instance().find_op("argmax");
  case_.variant = Registry::instance().find_variant("argmax", "block_per_row");
  ASSERT_TRUE(case_.op != nullptr && case_.variant != nullptr);
  set_shape(100'000, 256);
  const Geometry shape = geometry(*case_.variant, case_, device);
  ASSERT_NE(shape.function, nullptr);
  const LaunchFacts facts = cuda::describe_launch(shape, device);
  const double blocks = static_cast<double>(shape.grid.x) * shape.grid.y * shape.grid.z;
  const double threads = static_cast<double>(shape.block.x) * shape.block.y * shape.block.z;
  const double held = facts.occupancy.value() * device.max_threads_per_multiprocessor / threads *
                      device.multiprocessors;
  EXPECT_GT(*facts.occupancy, 0);
  EXPECT_LE(*facts.occupancy, 1);
  EXPECT_NEAR(facts.waves.value(), blocks / held, 1e-9 * blocks);
  EXPECT_GT(facts.registers.value(), 0);
}

TEST_F(BackendLaunchFacts, WithoutAKernelThereAreNone) {
  const LaunchFacts facts = cuda::describe_launch(Geometry{}, backend_->device());
  EXPECT_FALSE(facts.occupancy || facts.waves || facts.registers);
}

}  // namespace
}  // namespace redux
