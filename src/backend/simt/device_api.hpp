// What kernels call, by way of kernels/common and cuda_language.hpp: the device side of the
// executor. All of it only while a kernel runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace redux::simt {

struct Index3 {
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::uint32_t z = 0;
};

// By value and constant for a thread: reading a coordinate is no access to memory.
[[gnu::const]] Index3 thread_index();
[[gnu::const]] Index3 block_index();
[[gnu::const]] Index3 block_extent();
[[gnu::const]] Index3 grid_extent();

enum class Vote : std::uint8_t { none, count, all, any };
/// __syncthreads and its counting forms: over all threads of the block that have not ended.
int sync_block(Vote vote, int predicate);

enum class WarpOperation : std::uint8_t {
  sync,
  shuffle,  ///< argument: the source lane, or where none the own value
  ballot,
  match_any,
  match_all,
  add,
  minimum,
  maximum,
  minimum_signed,
  maximum_signed,
  bit_and,
  bit_or,
  bit_xor,
};
/// What the lanes of `mask` give each other. `value` of up to 16 bytes; `from` is this lane's
/// source for shuffle. All lanes named in the mask have to call it with the same mask.
struct LaneWord {
  std::uint64_t low;
  std::uint64_t high;
};
LaneWord warp_exchange(WarpOperation operation, std::uint32_t mask, LaneWord value, int from);
std::uint32_t active_lane();

/// The object's address in this block's shared memory; the same key is the same object.
void* shared_object(const void* key, std::size_t bytes, std::size_t alignment, const char* type);
void* dynamic_shared();

enum class Fence : std::uint8_t { block, device, system };
void fence(Fence scope);

enum class Strength : std::uint8_t { relaxed, acquire_release };
/// Reads and writes of whole words (4, 8 or 16 bytes) that never tear.
void atomic_load(const void* from, void* value, std::size_t bytes, Strength strength);
void atomic_store(void* to, const void* value, std::size_t bytes, Strength strength);
/// Replaces the word by change(old, operand) and gives the old one in `old`.
void atomic_update(void* word, void* old, std::size_t bytes,
                   void (*change)(void* word, const void* operand), const void* operand);

std::uint32_t cluster_rank();
std::uint32_t cluster_blocks();
void cluster_arrive();
void cluster_wait();
/// The same shared object in the block of that rank of this cluster.
void* shared_of_rank(const void* mine, std::uint32_t rank);

/// Raises a misaligned-access fault unless `address` is a multiple of `alignment`.
void require_alignment(const void* address, std::size_t alignment);
/// The same, and not in shared memory: for loads and stores that say `global` in their instruction.
void require_global(const void* address, std::size_t alignment);
/// A kernel's own trap: raises a fault.
[[noreturn]] void trap(const char* what);

template <class T>
T shuffle(std::uint32_t mask, T value, int from) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(LaneWord));
  LaneWord word{};
  __builtin_memcpy(&word, &value, sizeof(T));
  word = warp_exchange(WarpOperation::shuffle, mask, word, from);
  __builtin_memcpy(&value, &word, sizeof(T));
  return value;
}

template <class T>
T update(T* word, T operand, void (*change)(void*, const void*)) {
  T old;
  atomic_update(word, &old, sizeof(T), change, &operand);
  return old;
}

}  // namespace redux::simt
