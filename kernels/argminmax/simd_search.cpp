// Two steps a block of elements: a vector maximum without indices, and only where that beats the
// best so far a second pass for the first element that holds it. In data without order the second
// step is rare (the number of records of n random values grows with log n), so that a row costs one
// load and one maximum an element.
#include "argminmax/simd_search.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/op.hpp"
#include "core/shape.hpp"

// The binary is portable: functions marked so are compiled three times, and the loader picks one.
// Not under a sanitizer, whose own start-up comes after the loader's choice.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(__SANITIZE_ADDRESS__)
#define REDUX_VECTOR_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define REDUX_VECTOR_CLONES
#endif
#define REDUX_INLINE [[gnu::always_inline]] inline

namespace redux::argminmax {
namespace {

// Each Order turns elements into values of which the largest wins. NaN in 16-bit types becomes the
// least or the greatest key, so that it needs no further care; in wider floats it is looked for.

template <class T, bool kLargest, bool kPropagate>
struct Order {
  using Value = T;
  static constexpr bool kSeeksNan = std::is_floating_point_v<T> && kPropagate;
  REDUX_INLINE static T value(T element) { return element; }
  REDUX_INLINE static bool is_nan(T element) { return element != element; }  // NOLINT
  // Written so that a NaN on the left never wins: one maximum or minimum instruction.
  REDUX_INLINE static T better(T challenger, T best) {
    if constexpr (kLargest) return challenger > best ? challenger : best;
    return challenger < best ? challenger : best;
  }
  REDUX_INLINE static bool beats(T challenger, T best) {
    return kLargest ? challenger > best : challenger < best;
  }
};

/// Sign and magnitude to two's complement: exact order for every float of 16 bits, with -0 equal
/// to +0. `kInfinity` is the magnitude above which a pattern is a NaN.
template <std::int16_t kInfinity, bool kLargest, bool kPropagate>
struct SixteenBitOrder {
  using Value = std::int16_t;
  static constexpr bool kSeeksNan = false;
  REDUX_INLINE static Value value(std::int16_t bits) {
    constexpr auto kNanKey =
        kPropagate ? std::numeric_limits<Value>::max() : std::numeric_limits<Value>::min();
    const auto sign = static_cast<Value>(kLargest ? bits >> 15 : ~(bits >> 15));
    const auto magnitude = static_cast<Value>(bits & 0x7FFF);
    const auto key = static_cast<Value>((magnitude ^ sign) - sign);
    return magnitude > kInfinity ? kNanKey : key;
  }
  REDUX_INLINE static bool is_nan(std::int16_t bits) { return (bits & 0x7FFF) > kInfinity; }
  REDUX_INLINE static Value better(Value challenger, Value best) {
    return challenger > best ? challenger : best;
  }
  REDUX_INLINE static bool beats(Value challenger, Value best) { return challenger > best; }
};

constexpr std::size_t kBlockBytes = 8192;  // stays in the first-level cache for the second step
constexpr std::size_t kGroupBytes = 128;   // maxima in flight, as one would wait for its last

/// An integer as wide as T, so that flags fill vectors as the elements do.
template <class T>
using FlagFor = std::conditional_t<sizeof(T) == 2, std::int16_t,
                                   std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>;

template <class T>
inline constexpr std::int64_t kGroup = kGroupBytes / sizeof(T);

/// True where the second step ends.
template <class O, class T>
REDUX_INLINE bool is_hit(T element, typename O::Value best, bool nan) {
  if constexpr (O::kSeeksNan) {
    if (nan) return O::is_nan(element);
  }
  return O::value(element) == best;
}

/// The first hit in data[0, count), which has one.
template <class O, class T>
REDUX_INLINE std::int64_t locate(const T* data, std::int64_t count, typename O::Value best,
                                 bool nan) {
  constexpr std::int64_t kLanes = kGroup<T>;
  std::int64_t at = 0;
  for (; at + kLanes <= count; at += kLanes) {
    FlagFor<T> any = 0;
#pragma omp simd reduction(| : any)
    for (std::int64_t i = 0; i < kLanes; ++i) {
      any = static_cast<FlagFor<T>>(any | (is_hit<O>(data[at + i], best, nan) ? 1 : 0));
    }
    if (any != 0) break;
  }
  while (!is_hit<O>(data[at], best, nan)) ++at;
  return at;
}

template <class Value>
struct BlockBest {
  Value best;
  bool nan;
};

/// The best of `start` and data[0, count), and whether a NaN is there (only where O seeks them).
template <class O, class T>
REDUX_INLINE BlockBest<typename O::Value> best_of(const T* data, std::int64_t count,
                                                  typename O::Value start) {
  using Value = typename O::Value;
  constexpr std::int64_t kLanes = kGroup<T>;
  if (count < kLanes) {
    BlockBest<Value> result{start, false};
    for (std::int64_t i = 0; i < count; ++i) {
      if constexpr (O::kSeeksNan) result.nan = result.nan || O::is_nan(data[i]);
      result.best = O::better(O::value(data[i]), result.best);
    }
    return result;
  }
  // Arrays with fixed trip counts: the compiler keeps them in vector registers.
  Value lane[kLanes];      // NOLINT(modernize-avoid-c-arrays)
  FlagFor<T> nan[kLanes];  // NOLINT(modernize-avoid-c-arrays)
  for (std::int64_t l = 0; l < kLanes; ++l) lane[l] = start;
  for (std::int64_t l = 0; l < kLanes; ++l) nan[l] = 0;
  const auto take_group = [&](const T* group) __attribute__((always_inline)) {
    for (std::int64_t l = 0; l < kLanes; ++l) lane[l] = O::better(O::value(group[l]), lane[l]);
    if constexpr (O::kSeeksNan) {
      for (std::int64_t l = 0; l < kLanes; ++l) nan[l] |= O::is_nan(group[l]) ? 1 : 0;
    }
  };
  for (std::int64_t i = 0; i + kLanes <= count; i += kLanes) take_group(data + i);
  take_group(data + count - kLanes);  // the rest, some of it again, which changes no maximum
  for (std::int64_t width = kLanes / 2; width > 0; width /= 2) {
    for (std::int64_t l = 0; l < width; ++l) lane[l] = O::better(lane[l], lane[l + width]);
    if constexpr (O::kSeeksNan) {
      for (std::int64_t l = 0; l < width; ++l) nan[l] |= nan[l + width];
    }
  }
  return {lane[0], nan[0] != 0};
}

/// The first index of the best of data[0, count) if that beats `start`, else -1.
template <class O, class T>
REDUX_INLINE std::int64_t search(const T* data, std::int64_t count, T start) {
  constexpr std::int64_t kBlock = kBlockBytes / sizeof(T);
  typename O::Value best = O::value(start);
  std::int64_t best_at = -1;
  for (std::int64_t begin = 0; begin < count; begin += kBlock) {
    const T* block = data + begin;
    const std::int64_t size = std::min(kBlock, count - begin);
    const auto found = best_of<O>(block, size, best);
    if (O::kSeeksNan && found.nan) return begin + locate<O>(block, size, best, true);
    if (O::beats(found.best, best)) {
      best = found.best;
      best_at = begin + locate<O>(block, size, best, false);
    }
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

template <class O, class T>
REDUX_INLINE void run_under(const Job& job) {
  const auto* data = reinterpret_cast<const T*>(job.data);
  if (job.start != nullptr) {
    *job.indices = search<O>(data, job.cols, *reinterpret_cast<const T*>(job.start));
    return;
  }
  for (std::int64_t row = 0; row < job.rows; ++row, data += job.cols) {
    // A NaN in front wins under either policy, and no search may start from one.
    job.indices[row] =
        O::is_nan(data[0]) ? 0 : std::max(std::int64_t{0}, search<O>(data, job.cols, data[0]));
  }
}

template <class T, template <bool, bool> class OrderOf>
REDUX_INLINE void run_job(const Job& job) {
  if (job.rule.largest) {
    return job.rule.propagate ? run_under<OrderOf<true, true>, T>(job)
                              : run_under<OrderOf<true, false>, T>(job);
  }
  return job.rule.propagate ? run_under<OrderOf<false, true>, T>(job)
                            : run_under<OrderOf<false, false>, T>(job);
}

template <bool kLargest, bool kPropagate>
using Float16Order = SixteenBitOrder<0x7C00, kLargest, kPropagate>;
template <bool kLargest, bool kPropagate>
using BFloat16Order = SixteenBitOrder<0x7F80, kLargest, kPropagate>;
template <bool kLargest, bool kPropagate>
using Float32Order = Order<float, kLargest, kPropagate>;
template <bool kLargest, bool kPropagate>
using Float64Order = Order<double, kLargest, kPropagate>;
template <bool kLargest, bool kPropagate>
using Int32Order = Order<std::int32_t, kLargest, kPropagate>;
template <bool kLargest, bool kPropagate>
using Int64Order = Order<std::int64_t, kLargest, kPropagate>;

// A function a dtype, since clones cannot be templates.
REDUX_VECTOR_CLONES void run_float16(const Job& job) {
  run_job<std::int16_t, Float16Order>(job);
}
REDUX_VECTOR_CLONES void run_bfloat16(const Job& job) {
  run_job<std::int16_t, BFloat16Order>(job);
}
REDUX_VECTOR_CLONES void run_float32(const Job& job) {
  run_job<float, Float32Order>(job);
}
REDUX_VECTOR_CLONES void run_float64(const Job& job) {
  run_job<double, Float64Order>(job);
}
REDUX_VECTOR_CLONES void run_int32(const Job& job) {
  run_job<std::int32_t, Int32Order>(job);
}
REDUX_VECTOR_CLONES void run_int64(const Job& job) {
  run_job<std::int64_t, Int64Order>(job);
}

void run(DType dtype, const Job& job) {
  switch (dtype) {
    case DType::float16:
      return run_float16(job);
    case DType::bfloat16:
      return run_bfloat16(job);
    case DType::float32:
      return run_float32(job);
    case DType::float64:
      return run_float64(job);
    case DType::int32:
      return run_int32(job);
    case DType::int64:
      return run_int64(job);
  }
}

}  // namespace

HostRows host_rows(const Problem& problem) {
  const Case& c = *problem.the_case;
  const AxisView view = view_along(c.shape.dims, -1);
  return {
      .dtype = c.dtype,
      .input = problem.inputs[0].as<const std::byte>(),
      .indices = problem.outputs[0].as<std::int64_t>(),
      .rows = view.outer,
      .cols = view.length,
      .rule = {.largest = c.op->name == "argmax", .propagate = c.attributes.nan == Nan::propagate}};
}

void search_rows(const HostRows& rows, std::int64_t first, std::int64_t last) {
  run(rows.dtype, {.data = rows.element(first, 0),
                   .rows = last - first,
                   .cols = rows.cols,
                   .indices = rows.indices + first,
                   .rule = rows.rule});
}

std::int64_t search_segment(const HostRows& rows, std::int64_t row, std::int64_t incumbent,
                            std::int64_t begin, std::int64_t end) {
  std::int64_t at = -1;
  run(rows.dtype, {.data = rows.element(row, begin),
                   .rows = 1,
                   .cols = end - begin,
                   .indices = &at,
                   .rule = rows.rule,
                   .start = rows.element(row, incumbent)});
  return at < 0 ? -1 : begin + at;
}

bool is_nan_at(const HostRows& rows, std::int64_t row, std::int64_t col) {
  const std::byte* element = rows.element(row, col);
  switch (rows.dtype) {
    case DType::float16:
      return Float16Order<true, true>::is_nan(*reinterpret_cast<const std::int16_t*>(element));
    case DType::bfloat16:
      return BFloat16Order<true, true>::is_nan(*reinterpret_cast<const std::int16_t*>(element));
    case DType::float32:
      return Float32Order<true, true>::is_nan(*reinterpret_cast<const float*>(element));
    case DType::float64:
      return Float64Order<true, true>::is_nan(*reinterpret_cast<const double*>(element));
    case DType::int32:
    case DType::int64:
      return false;
  }
  return false;
}

}  // namespace redux::argminmax
