#include "cumminmax/stretch.hpp"

#include <cmath>
#include <type_traits>

#include "core/half.hpp"

namespace redux::cumminmax {
namespace {

inline float wide(Float16 value) {
  return to_float(value);
}
inline float wide(BFloat16 value) {
  return to_float(value);
}
template <class T>
T wide(T value) {
  return value;
}

/// Whether a later element replaces an earlier one: on ties too; a NaN always does, and nothing but
/// a NaN replaces a NaN.
template <bool Largest, class T>
bool replaces(T later, T earlier) {
  const auto a = wide(later);
  const auto b = wide(earlier);
  const bool beats = Largest ? a >= b : a <= b;
  if constexpr (std::is_integral_v<decltype(a)>) return beats;
  return beats || std::isnan(a);
}

/// A line that lies in one piece: best so far in registers.
template <bool Largest, class T>
void scan_row(const T* input, T* values, std::int64_t* indices, std::int64_t begin,
              std::int64_t end) {
  T best = input[begin];
  std::int64_t index = begin;
  for (std::int64_t i = begin; i < end; ++i) {
    const bool takes_over = replaces<Largest>(input[i], best);
    best = takes_over ? input[i] : best;
    index = takes_over ? i : index;
    values[i] = best;
    indices[i] = index;
  }
}

/// Many lines abreast: each position takes the one before it, so memory is read in order.
template <bool Largest, class T>
void scan_abreast(const T* input, T* values, std::int64_t* indices, std::int64_t begin,
                  std::int64_t end, std::int64_t inner) {
  for (std::int64_t i = begin; i < end; ++i) {
    const T* now = input + (i * inner);
    T* out = values + (i * inner);
    std::int64_t* at = indices + (i * inner);
    for (std::int64_t j = 0; j < inner; ++j) {
      const bool takes_over = i == begin || replaces<Largest>(now[j], out[j - inner]);
      out[j] = takes_over ? now[j] : out[j - inner];
      at[j] = takes_over ? i : at[j - inner];
    }
  }
}

template <bool Largest, class T>
void scan(const Lines<T>& lines, const Stretch& stretch) {
  const std::int64_t first = stretch.outer * lines.length * lines.inner;
  if (lines.inner == 1) {
    scan_row<Largest>(lines.input + first, lines.values + first, lines.indices + first,
                      stretch.begin, stretch.end);
  } else {
    scan_abreast<Largest>(lines.input + first, lines.values + first, lines.indices + first,
                          stretch.begin, stretch.end, lines.inner);
  }
}

/// Until an element of the stretch has taken over: from there on its own scan holds.
template <bool Largest, class T>
void fold(const Lines<T>& lines, const Stretch& stretch) {
  const std::int64_t first = stretch.outer * lines.length * lines.inner;
  for (std::int64_t j = 0; j < lines.inner; ++j) {
    const std::int64_t before = first + ((stretch.begin - 1) * lines.inner) + j;
    for (std::int64_t i = stretch.begin; i < stretch.end; ++i) {
      const std::int64_t at = first + (i * lines.inner) + j;
      if (replaces<Largest>(lines.values[at], lines.values[before])) break;
      lines.values[at] = lines.values[before];
      lines.indices[at] = lines.indices[before];
    }
  }
}

template <class Use>
void with_dtype(const Problem& problem, Use use) {
  switch (problem.the_case->dtype) {
    case DType::float16:
      return use(lines_of<Float16>(problem));
    case DType::bfloat16:
      return use(lines_of<BFloat16>(problem));
    case DType::float32:
      return use(lines_of<float>(problem));
    case DType::float64:
      return use(lines_of<double>(problem));
    case DType::int32:
      return use(lines_of<std::int32_t>(problem));
    case DType::int64:
      return use(lines_of<std::int64_t>(problem));
  }
}

bool is_cummax(const Problem& problem) {
  return problem.the_case->op->name == "cummax";
}

}  // namespace

void scan_stretch(const Problem& problem, const Stretch& stretch) {
  with_dtype(problem, [&](const auto& lines) {
    is_cummax(problem) ? scan<true>(lines, stretch) : scan<false>(lines, stretch);
  });
}

void fold_into(const Problem& problem, const Stretch& stretch) {
  with_dtype(problem, [&](const auto& lines) {
    is_cummax(problem) ? fold<true>(lines, stretch) : fold<false>(lines, stretch);
  });
}

}  // namespace redux::cumminmax
