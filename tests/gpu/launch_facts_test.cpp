// Occupancy and waves of real kernels, against what they mean.
#include "backend/cuda/launch_facts.hpp"

#include <cmath>
#include <stdexcept>

#include "backend/cuda/launched.hpp"
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

TEST_F(BackendLaunchFacts, KernelsOfALibraryAreKnownFromACapturedCall) {
  case_.op = Registry::instance().find_op("argmax");
  case_.variant = Registry::instance().find_variant("argmax", "cub");
  ASSERT_TRUE(case_.op != nullptr && case_.variant != nullptr);
  set_shape(1, 1 << 20);
  const auto work = prepare(false);
  work->warm_up(Cache::warm, 1);
  const LaunchFacts facts = work->launch_facts().value();
  EXPECT_GT(facts.geometry.kernels, 0);
  EXPECT_GT(facts.geometry.grid.x, 1);
  EXPECT_GE(facts.geometry.block.x, 32);
  EXPECT_GT(facts.registers.value_or(0), 0);
  EXPECT_GT(facts.occupancy.value_or(0), 0);
  EXPECT_GT(facts.waves.value_or(0), 0);
}

// Nodes made up: a main kernel of 6 blocks of 64 threads, and a small one that follows it.
struct Launched : testing::Test {
  static inline const int kMain = 0;
  static inline const int kSmall = 0;
  cuda::Nodes found{
      .kernels = {{&kSmall, {1, 1, 1}, {32, 1, 1}, 0}, {&kMain, {2, 3, 1}, {64, 1, 1}, 512}}};
  Geometry declared{.grid = {2, 3, 1},
                    .block = {64, 1, 1},
                    .shared_bytes = 512,
                    .kernels = 2,
                    .function = &kMain};
};

TEST_F(Launched, WhatIsDeclaredAndLaunchedIsTaken) {
  const Geometry launched = cuda::as_launched("v", declared, found);
  EXPECT_EQ(launched.grid, declared.grid);
  EXPECT_EQ(launched.function, &kMain);
  EXPECT_EQ(launched.kernels, 2);
}

TEST_F(Launched, OfALibraryTheKernelOfTheMostThreadsIsTaken) {
  Geometry by_library;
  by_library.kernels = Geometry::kCounted;
  const Geometry launched = cuda::as_launched("v", by_library, found);
  EXPECT_EQ(launched.function, &kMain);
  EXPECT_EQ(launched.grid, (Extent3{2, 3, 1}));
  EXPECT_EQ(launched.block, (Extent3{64, 1, 1}));
  EXPECT_EQ(launched.shared_bytes, 512);
  EXPECT_EQ(launched.kernels, 2);
}

TEST_F(Launched, AGridABlockOrSharedMemoryThatIsNotLaunchedIsRefused) {
  for (const int part : {0, 1, 2}) {
    Geometry other = declared;
    if (part == 0) other.grid.y = 4;
    if (part == 1) other.block.x = 32;
    if (part == 2) other.shared_bytes = 0;
    EXPECT_THROW(cuda::as_launched("v", other, found), std::logic_error) << part;
  }
  declared.grid.y = 4;
  try {
    cuda::as_launched("v", declared, found);
    FAIL();
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(),
                 "variant 'v' declares 2x4x1 blocks of 64x1x1 threads with 512 bytes, but launches "
                 "1x1x1 blocks of 32x1x1 threads with 0 bytes, 2x3x1 blocks of 64x1x1 threads with "
                 "512 bytes");
  }
}

}  // namespace
}  // namespace redux
