// Two steps a block of elements: a vector test whether anything there beats the best so far, and
// only then a second pass that finds the best of the block and its first position. In data without
// order the second step is rare (the number of records of n random values grows with log n), so
// that a row costs one load and one comparison an element.
#include "argminmax/simd_search.hpp"

#include <algorithm>
#include <bit>
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

/// How elements are stored, the integer of that width, and for floats the bits of +infinity, above
/// which a magnitude is a NaN.
struct Float16Format {
  using Element = std::int16_t;
  using Key = std::int16_t;
  static constexpr Key kInfinity = 0x7C00;
};
struct BFloat16Format {
  using Element = std::int16_t;
  using Key = std::int16_t;
  static constexpr Key kInfinity = 0x7F80;
};
struct Float32Format {
  using Element = float;
  using Key = std::int32_t;
  static constexpr Key kInfinity = 0x7F800000;
};
struct Float64Format {
  using Element = double;
  using Key = std::int64_t;
  static constexpr Key kInfinity = 0x7FF0000000000000;
};
struct Int32Format {
  using Element = std::int32_t;
  using Key = std::int32_t;
};
struct Int64Format {
  using Element = std::int64_t;
  using Key = std::int64_t;
};
template <class F>
concept Floating = requires {
  F::kInfinity;
};

template <class F>
REDUX_INLINE bool is_nan(typename F::Element element) {
  using Key = typename F::Key;
  if constexpr (Floating<F>) {
    constexpr Key kMagnitude = std::numeric_limits<Key>::max();
    return static_cast<Key>(std::bit_cast<Key>(element) & kMagnitude) > F::kInfinity;
  }
  return false;
}

template <class F, bool kLargest, bool kPropagate>
struct Order {
  using Element = typename F::Element;
  using Key = typename F::Key;

  /// An integer that is larger the better the element is, and equal for equals: floats go from sign
  /// and magnitude to two's complement, which makes one of -0 and +0; NaN is best or worst of all.
  REDUX_INLINE static Key key(Element element) {
    if constexpr (Floating<F>) {
      using Limits = std::numeric_limits<Key>;
      const auto bits = std::bit_cast<Key>(element);
      const auto negative = static_cast<Key>(bits >> (Limits::digits));
      const auto sign = static_cast<Key>(kLargest ? negative : ~negative);
      const auto magnitude = static_cast<Key>(bits & Limits::max());
      const auto ordered = static_cast<Key>((magnitude ^ sign) - sign);
      return magnitude > F::kInfinity ? (kPropagate ? Limits::max() : Limits::min()) : ordered;
    } else {
      return kLargest ? element : static_cast<Key>(~element);
    }
  }

  /// What the second pass compares: as key(), but bare floats where those order as well.
  using Value = std::conditional_t<std::is_floating_point_v<Element> && !kPropagate, Element, Key>;
  REDUX_INLINE static Value value(Element element) {
    if constexpr (std::is_same_v<Value, Key>) {
      return key(element);
    } else {
      return kLargest ? element : -element;  // a NaN is greater than nothing
    }
  }

  /// A value as an integer again, as maxima over lanes are only for integers made by vectors.
  REDUX_INLINE static Key rank(Value value) {
    if constexpr (std::is_same_v<Value, Key>) {
      return value;
    } else {
      return Order<F, true, false>::key(value);
    }
  }

  /// As key(a) > key(b) for a `b` that is no NaN, without making keys where the type can compare.
  REDUX_INLINE static bool beats(Element a, Element b) {
    if constexpr (std::is_floating_point_v<Element> && kPropagate) {
      return kLargest ? !(a <= b) : !(a >= b);  // true for a NaN
    } else if constexpr (std::is_floating_point_v<Element> || !Floating<F>) {
      return kLargest ? a > b : a < b;
    } else {
      return key(a) > key(b);
    }
  }
};

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
REDUX_VECTOR_CLONES void run_float16(const Job& job) {
  run_job<Float16Format>(job);
}
REDUX_VECTOR_CLONES void run_bfloat16(const Job& job) {
  run_job<BFloat16Format>(job);
}
REDUX_VECTOR_CLONES void run_float32(const Job& job) {
  run_job<Float32Format>(job);
}
REDUX_VECTOR_CLONES void run_float64(const Job& job) {
  run_job<Float64Format>(job);
}
REDUX_VECTOR_CLONES void run_int32(const Job& job) {
  run_job<Int32Format>(job);
}
REDUX_VECTOR_CLONES void run_int64(const Job& job) {
  run_job<Int64Format>(job);
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

template <class F>
bool is_nan_here(const std::byte* element) {
  return is_nan<F>(*reinterpret_cast<const typename F::Element*>(element));
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
      return is_nan_here<Float16Format>(element);
    case DType::bfloat16:
      return is_nan_here<BFloat16Format>(element);
    case DType::float32:
      return is_nan_here<Float32Format>(element);
    case DType::float64:
      return is_nan_here<Float64Format>(element);
    case DType::int32:
    case DType::int64:
      return false;
  }
  return false;
}

}  // namespace redux::argminmax
