// Words that blocks pass to each other through global memory while they run.
#pragma once

#include <cstdint>

namespace redux {

/// Two 64-bit halves that are written and read as one.
struct alignas(16) Word128 {
  std::uint64_t low;
  std::uint64_t high;
};

#ifdef REDUX_SIMT

template <class Word>
void publish(Word* slot, Word word) {
  simt::atomic_store(slot, &word, sizeof(Word), simt::Strength::relaxed);
}
template <class Word>
Word observe(const Word* slot) {
  Word word;
  simt::atomic_load(slot, &word, sizeof(Word), simt::Strength::relaxed);
  return word;
}
template <class Word>
void publish_release(Word* slot, Word word) {
  simt::atomic_store(slot, &word, sizeof(Word), simt::Strength::acquire_release);
}
template <class Word>
Word observe_acquire(const Word* slot) {
  Word word;
  simt::atomic_load(slot, &word, sizeof(Word), simt::Strength::acquire_release);
  return word;
}

#else

/// Relaxed at device scope and never torn: a word that carries its own validity needs no fence.
__device__ inline void publish(std::uint64_t* slot, std::uint64_t word) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(slot), "l"(word) : "memory");
}

__device__ inline std::uint64_t observe(const std::uint64_t* slot) {
  std::uint64_t word;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word) : "l"(slot) : "memory");
  return word;
}

__device__ inline void publish(std::uint32_t* slot, std::uint32_t word) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(slot), "r"(word) : "memory");
}

__device__ inline std::uint32_t observe(const std::uint32_t* slot) {
  std::uint32_t word;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(slot) : "memory");
  return word;
}

/// The same for 16 bytes (sm_70 and later, PTX ISA 8.3).
__device__ inline void publish(Word128* slot, Word128 word) {
  asm volatile(
      "{ .reg .b128 t; mov.b128 t, {%1, %2}; st.relaxed.gpu.global.b128 [%0], t; }" ::"l"(slot),
      "l"(word.low), "l"(word.high)
      : "memory");
}

__device__ inline Word128 observe(const Word128* slot) {
  Word128 word;
  asm volatile("{ .reg .b128 t; ld.relaxed.gpu.global.b128 t, [%2]; mov.b128 {%0, %1}, t; }"
               : "=l"(word.low), "=l"(word.high)
               : "l"(slot)
               : "memory");
  return word;
}

/// A flag for other data: what this thread wrote before is visible to whoever acquires the word.
__device__ inline void publish_release(std::uint32_t* flag, std::uint32_t word) {
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(word) : "memory");
}

__device__ inline std::uint32_t observe_acquire(const std::uint32_t* flag) {
  std::uint32_t word;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(word) : "l"(flag) : "memory");
  return word;
}

#endif

/// Orders this thread's earlier writes before its later ones, for the whole device.
__device__ inline void fence_device() {
  __threadfence();
}

/// Adds one and returns what was there.
__device__ inline std::uint32_t atomic_increment(std::uint32_t* counter) {
  return atomicAdd(counter, 1U);
}

/// Raises the word to `value` where it is less, as unsigned numbers.
__device__ inline void atomic_raise(std::uint32_t* word, std::uint32_t value) {
  atomicMax(word, value);
}
__device__ inline void atomic_raise(std::uint64_t* word, std::uint64_t value) {
  static_assert(sizeof(unsigned long long) == sizeof(std::uint64_t));
  atomicMax(reinterpret_cast<unsigned long long*>(word), static_cast<unsigned long long>(value));
}

/// Counts from 0 to `last` and then from 0 again; returns what was there.
__device__ inline std::uint32_t atomic_count_to(std::uint32_t* counter, std::uint32_t last) {
  return atomicInc(counter, last);
}

}  // namespace redux
