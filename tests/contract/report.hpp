// How inputs and answers of argmax and argmin are written down by hand.
#pragma once

#include <cmath>

#include "contract/contract.hpp"
#include "contract/encode.hpp"

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
  return decode(report.dtype, report.input, flat);
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

/// The only output of argmax and argmin.
inline Outputs answers_of(const Report& report) {
  return {encode_exactly(report.expected)};
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
