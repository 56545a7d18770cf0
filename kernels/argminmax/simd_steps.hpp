// Two steps a block of elements: a vector test whether anything there beats the best so far, and
// only then a second pass that finds the best of the block and its first position. In data without
// order the second step is rare (the number of records of n random values grows with log n), so
// that a row costs one load and one comparison an element.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "argminmax/simd_order.hpp"
#include "argminmax/simd_search.hpp"

// The binary is portable: functions marked so are compiled three times, and the loader picks one.
// Not under a sanitizer, whose own start-up comes after the loader's choice.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__)
#define REDUX_VECTOR_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define REDUX_VECTOR_CLONES
#endif

namespace redux::argminmax {

constexpr std::int64_t kBlockBytes = 8192;  // stays in the first-level cache for the second pass

/// Elements in flight in the second pass. Not below 32: the compiler unrolls shorter loops before
/// it could make vectors of them.
template <class O>
inline constexpr std::int64_t kLanes = std::max<std::int64_t>(32, 128 / sizeof(typename O::Key));

template <class O>
REDUX_INLINE bool any_beats(const typename O::Element* data, std::int64_t count,
                            typename O::Element best) {
  typename O::Key any = 0;
#pragma omp simd reduction(| : any)
  for (std::int64_t i = 0; i < count; ++i) {
    any = static_cast<typename O::Key>(any | (O::beats(data[i], best) ? 1 : 0));
  }
  return any != 0;
}

// NOLINTBEGIN(modernize-avoid-c-arrays): plain arrays are what the vectoriser sees through.
/// The first position of the best of data[0, count), -1 if nothing there beats `start`. No more
/// than a block, so that positions fit the narrowest key.
template <class O>
REDUX_INLINE std::int64_t find_best(const typename O::Element* data, std::int64_t count,
                                    typename O::Element start) {
  using Key = typename O::Key;
  using Value = typename O::Value;
  constexpr std::int64_t kCount = kLanes<O>;
  constexpr Key kNowhere = std::numeric_limits<Key>::max();
  const Value start_value = O::value(start);
  if (count < kCount) {
    Value best = start_value;
    std::int64_t best_at = -1;
    for (std::int64_t i = 0; i < count; ++i) {
      const Value value = O::value(data[i]);
      best_at = value > best ? i : best_at;
      best = value > best ? value : best;
    }
    return best_at;
  }
  // Arrays with fixed trip counts and one thing a loop: the compiler keeps them in vector
  // registers.
  Value lane[kCount];
  Key at[kCount];
  for (std::int64_t l = 0; l < kCount; ++l) lane[l] = start_value;
  for (std::int64_t l = 0; l < kCount; ++l) at[l] = kNowhere;
  const auto take_group = [&](std::int64_t first) __attribute__((always_inline)) {
    const typename O::Element* group = data + first;
    for (std::int64_t l = 0; l < kCount; ++l) {
      at[l] = O::value(group[l]) > lane[l] ? static_cast<Key>(first + l) : at[l];
    }
    for (std::int64_t l = 0; l < kCount; ++l) {
      const Value value = O::value(group[l]);
      lane[l] = value > lane[l] ? value : lane[l];
    }
  };
  for (std::int64_t first = 0; first + kCount <= count; first += kCount) take_group(first);
  take_group(count - kCount);  // the rest; elements met twice change nothing

  Key rank[kCount];
  for (std::int64_t l = 0; l < kCount; ++l) rank[l] = O::rank(lane[l]);
  Key best = rank[0];
  for (std::int64_t l = 0; l < kCount; ++l) best = rank[l] > best ? rank[l] : best;
  Key least = kNowhere;
  for (std::int64_t l = 0; l < kCount; ++l) {
    const Key here = rank[l] == best ? at[l] : kNowhere;
    least = here < least ? here : least;
  }
  return least == kNowhere ? -1 : least;
}
// NOLINTEND(modernize-avoid-c-arrays)

/// The first position of the best of data[0, count) if that beats `start`, else -1.
template <class F, class O>
REDUX_INLINE std::int64_t search(const typename O::Element* data, std::int64_t count,
                                 typename O::Element start) {
  constexpr std::int64_t kBlock = kBlockBytes / sizeof(start);
  // A first block nearly always beats one element: no test.
  std::int64_t best_at = find_best<O>(data, std::min(kBlock, count), start);
  auto best = best_at < 0 ? start : data[best_at];
  for (std::int64_t begin = kBlock; begin < count; begin += kBlock) {
    if (is_nan<F>(best)) break;  // a propagated one: the first, and nothing beats it
    const std::int64_t size = std::min(kBlock, count - begin);
    if (!any_beats<O>(data + begin, size, best)) continue;
    best_at = begin + find_best<O>(data + begin, size, best);
    best = data[best_at];
  }
  return best_at;
}

/// What one call of a cloned function does.
struct Job {
  const std::byte* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t* indices = nullptr;
  Rule rule;
  const std::byte* start = nullptr;  ///< one row only: the element to beat, else -1 is written
};

template <class F, bool kLargest, bool kPropagate>
REDUX_INLINE void run_under(const Job& job) {
  using Element = typename F::Element;
  using O = Order<F, kLargest, kPropagate>;
  const auto* data = reinterpret_cast<const Element*>(job.data);
  if (job.start != nullptr) {
    *job.indices = search<F, O>(data, job.cols, *reinterpret_cast<const Element*>(job.start));
    return;
  }
  for (std::int64_t row = 0; row < job.rows; ++row, data += job.cols) {
    // A NaN in front wins under either policy, and no search may start from one.
    const bool decided = is_nan<F>(data[0]) || job.cols == 1;
    job.indices[row] =
        decided ? 0 : std::max(std::int64_t{0}, search<F, O>(data, job.cols, data[0]));
  }
}

template <class F>
REDUX_INLINE void run_job(const Job& job) {
  const Rule rule = job.rule;
  if (rule.largest) {
    // Without NaN the policies are one; compiling it once halves the integers' code.
    if (Floating<F> && rule.propagate) return run_under<F, true, Floating<F>>(job);
    return run_under<F, true, false>(job);
  }
  if (Floating<F> && rule.propagate) return run_under<F, false, Floating<F>>(job);
  return run_under<F, false, false>(job);
}

// A function a dtype, since clones cannot be templates.
void run_float16(const Job& job);
void run_bfloat16(const Job& job);
void run_float32(const Job& job);
void run_float64(const Job& job);
void run_int32(const Job& job);
void run_int64(const Job& job);

}  // namespace redux::argminmax
