// How inputs and answers of argmax and argmin are written down by hand.
#pragma once

#include <cmath>
#include <cstring>
#include <span>

#include "contract/contract.hpp"
#include "core/half.hpp"

namespace redux::contract {

struct Report {
  std::string id;
  std::string op;
  DType dtype = DType::float32;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  Nan nan = Nan::skip;
  Bytes input;
  std::vector<std::int64_t> expected;
  int calls = 1;
};

inline double element_at(const Report& report, std::int64_t flat) {
  const std::byte* raw =
      report.input.data() + (static_cast<std::size_t>(flat) * size_of(report.dtype));
  if (report.dtype == DType::float16) {
    Float16 half;
    std::memcpy(&half, raw, sizeof(half));
    return to_float(half);
  }
  if (report.dtype == DType::bfloat16) {
    BFloat16 half;
    std::memcpy(&half, raw, sizeof(half));
    return to_float(half);
  }
  if (report.dtype == DType::float32) {
    float value = 0;
    std::memcpy(&value, raw, sizeof(value));
    return value;
  }
  double value = 0;
  std::memcpy(&value, raw, sizeof(value));
  return value;
}

/// The report as a case. Its data kind says whether there are NaN or infinities in it, which some
/// libraries' variants ask about.
inline Case case_of(const Report& report) {
  bool special = false;
  for (std::int64_t i = 0; is_floating(report.dtype) && i < report.rows * report.cols; ++i) {
    special = special || !std::isfinite(element_at(report, i));
  }
  return make_case(report.op, report.dtype, {report.rows, report.cols},
                   special ? "specials" : "random", report.nan);
}

template <class T>
void append(Bytes& bytes, T value) {
  const auto* raw = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), raw, raw + sizeof(T));
}

/// The values as the dtype holds them: floats rounded, whole numbers exact.
inline Bytes encode(DType dtype, const std::vector<double>& values) {
  Bytes bytes;
  for (const double value : values) {
    switch (dtype) {
      case DType::float16:
        append(bytes, to_float16(static_cast<float>(value)));
        break;
      case DType::bfloat16:
        append(bytes, to_bfloat16(static_cast<float>(value)));
        break;
      case DType::float32:
        append(bytes, static_cast<float>(value));
        break;
      case DType::float64:
        append(bytes, value);
        break;
      case DType::int32:
        append(bytes, static_cast<std::int32_t>(value));
        break;
      case DType::int64:
        append(bytes, static_cast<std::int64_t>(value));
        break;
    }
  }
  return bytes;
}

template <class T>
Bytes encode_exactly(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

/// One row's answers in the order argmax propagate, argmin propagate, argmax skip, argmin skip.
struct Answers {
  std::vector<std::int64_t> max_propagate;
  std::vector<std::int64_t> min_propagate;
  std::vector<std::int64_t> max_skip;
  std::vector<std::int64_t> min_skip;
};

class Reports {
 public:
  [[nodiscard]] const std::vector<Report>& list() const { return list_; }

  /// All four answers on one input.
  void add(const std::string& id, DType dtype, std::int64_t rows, const Bytes& input,
           const Answers& answers, int calls = 1) {
    const auto cols = static_cast<std::int64_t>(input.size() / size_of(dtype)) / rows;
    const auto one = [&](const char* op, Nan nan, const std::vector<std::int64_t>& expected) {
      if (!expected.empty()) {
        list_.push_back({id, op, dtype, rows, cols, nan, input, expected, calls});
      }
    };
    one("argmax", Nan::propagate, answers.max_propagate);
    one("argmin", Nan::propagate, answers.min_propagate);
    one("argmax", Nan::skip, answers.max_skip);
    one("argmin", Nan::skip, answers.min_skip);
  }

  /// An input without NaN: the policies agree. An empty list leaves that op out.
  void add_plain(const std::string& id, DType dtype, std::int64_t rows, const Bytes& input,
                 const std::vector<std::int64_t>& largest,
                 const std::vector<std::int64_t>& smallest, int calls = 1) {
    add(id, dtype, rows, input, {largest, smallest, largest, smallest}, calls);
  }

 private:
  std::vector<Report> list_;
};

}  // namespace redux::contract
