// A CUDA thread is a fiber: a stack of its own that runs until it lets another one run.
#pragma once

#include <array>
#include <boost/context/fiber.hpp>
#include <cstddef>
#include <memory>
#include <vector>

namespace redux::simt {

/// Runs one task after another on one stack.
class Fiber {
 public:
  // Not a power of two: the tops of all stacks would share a few sets of the cache.
  static constexpr std::size_t kStackBytes = (std::size_t{64} << 10U) + (std::size_t{11} * 64);

  /// `stack`: kStackBytes that outlive it.
  explicit Fiber(std::byte* stack);
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// The next resume() starts `task(argument)`. A task that never returned is forgotten: kernels
  /// own nothing that would have to be released.
  void begin(void (*task)(void*), void* argument);
  /// From outside: lets the fiber run until it switches out or its task returns; true if it did.
  /// Throws std::length_error where the task has ended and the stack was too small for it.
  bool resume();
  /// From inside: back to whoever called resume().
  void switch_out();

  [[nodiscard]] const std::byte* stack_begin() const { return stack_; }

 private:
  void loop();

  std::byte* stack_ = nullptr;
  // Never destroyed: that would unwind a stack whose frames belong to a kernel.
  alignas(boost::context::fiber) std::array<std::byte, sizeof(boost::context::fiber)> inside_{};
  boost::context::fiber outside_;
  bool alive_ = false;  ///< inside_ is there and idle or switched out
  bool done_ = true;
  bool retired_ = false;  ///< never; but the compiler must not know that the loop has no end
  const void* outside_stack_ = nullptr;
  std::size_t outside_bytes_ = 0;
  void (*task_)(void*) = nullptr;
  void* argument_ = nullptr;
};

/// Fibers for reuse. Stacks are mapped many at a time: the system limits the number of mappings.
class FiberPool {
 public:
  FiberPool() = default;
  ~FiberPool();
  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;
  Fiber* take();
  void give(Fiber* fiber) { free_.push_back(fiber); }

 private:
  static constexpr std::size_t kSlab = 256;
  void grow();

  std::vector<std::byte*> slabs_;
  std::vector<std::unique_ptr<Fiber>> all_;
  std::vector<Fiber*> free_;
};

}  // namespace redux::simt
