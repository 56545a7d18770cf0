#include "backend/simt/fiber.hpp"

#include <sys/mman.h>

#include <boost/context/preallocated.hpp>
#include <cstring>
#include <new>
#include <stdexcept>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace redux::simt {
namespace {

struct KeepStack {
  void deallocate(boost::context::stack_context& /*stack*/) {}
};

// The address sanitizer has to know which stack is in use.
#if defined(__SANITIZE_ADDRESS__)
void leave_for(const void* stack, std::size_t bytes, void** kept) {
  __sanitizer_start_switch_fiber(kept, stack, bytes);
}
void arrived(void* kept, const void** from, std::size_t* from_bytes) {
  __sanitizer_finish_switch_fiber(kept, from, from_bytes);
}
#else
void leave_for(const void* /*stack*/, std::size_t /*bytes*/, void** /*kept*/) {}
void arrived(void* /*kept*/, const void** /*from*/, std::size_t* /*from_bytes*/) {}
#endif

constexpr std::uint64_t kCanary = 0xC0FFEE0DDF00DBADU;

}  // namespace

Fiber::Fiber(std::byte* stack) : stack_(stack) {
  std::memcpy(stack_, &kCanary, sizeof(kCanary));
}

void Fiber::loop() {
  arrived(nullptr, &outside_stack_, &outside_bytes_);
  while (!retired_) {
    task_(argument_);
    done_ = true;
    switch_out();
  }
}

void Fiber::begin(void (*task)(void*), void* argument) {
  task_ = task;
  argument_ = argument;
  if (alive_ && done_) {
    done_ = false;
    return;
  }
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(stack_, kStackBytes);  // of a task that never returned
#endif
  using boost::context::fiber;
  boost::context::stack_context context;
  context.sp = stack_ + kStackBytes;
  context.size = kStackBytes;
  const boost::context::preallocated whole(context.sp, context.size, context);
  new (inside_.data()) fiber(std::allocator_arg, whole, KeepStack{}, [this](fiber&& caller) {
    outside_ = std::move(caller);
    loop();
    return fiber{};
  });
  alive_ = true;
  done_ = false;
}

bool Fiber::resume() {
  auto& inside = *std::launder(reinterpret_cast<boost::context::fiber*>(inside_.data()));
  void* kept = nullptr;
  leave_for(stack_, kStackBytes, &kept);
  inside = std::move(inside).resume();
  arrived(kept, nullptr, nullptr);
  if (!done_) return false;
  std::uint64_t canary = 0;
  std::memcpy(&canary, stack_, sizeof(canary));
  if (canary != kCanary) throw std::length_error("a thread's stack of 64 KiB overflowed");
  return true;
}

void Fiber::switch_out() {
  void* kept = nullptr;
  leave_for(outside_stack_, outside_bytes_, &kept);
  outside_ = std::move(outside_).resume();
  arrived(kept, &outside_stack_, &outside_bytes_);
}

FiberPool::~FiberPool() {
  all_.clear();
  for (std::byte* slab : slabs_) {
#if defined(__SANITIZE_ADDRESS__)
    __asan_unpoison_memory_region(slab, kSlab * Fiber::kStackBytes);
#endif
    ::munmap(slab, kSlab * Fiber::kStackBytes);
  }
}

void FiberPool::grow() {
  void* memory = ::mmap(nullptr, kSlab * Fiber::kStackBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  slabs_.push_back(static_cast<std::byte*>(memory));
  for (std::size_t i = 0; i < kSlab; ++i) {
    all_.push_back(std::make_unique<Fiber>(slabs_.back() + (i * Fiber::kStackBytes)));
    free_.push_back(all_.back().get());
  }
}

Fiber* FiberPool::take() {
  if (free_.empty()) grow();
  Fiber* fiber = free_.back();
  free_.pop_back();
  return fiber;
}

}  // namespace redux::simt
