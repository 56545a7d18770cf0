// What the host variants share: the running maximum of a row of features, in a form that compilers
// make vector instructions of.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "csr_max/csr.hpp"

namespace redux::csr_max {

/// How a maximum is held while rows are folded in. Floats and integers are held as they are.
template <class S, bool Propagate>
struct Held {
  using Type = S;
  static constexpr Type least() {
    using Limits = std::numeric_limits<S>;
    return Limits::has_infinity ? -Limits::infinity() : Limits::min();
  }
  /// A NaN that does not win is the least there is, so that none is ever held.
  static Type of(S value) {
    if constexpr (std::is_floating_point_v<S> && !Propagate) {
      return std::isnan(value) ? least() : value;
    } else {
      return value;
    }
  }
  static S result(Type held) { return held; }
  static Type fold(Type held, Type value) {
    if constexpr (std::is_floating_point_v<S> && Propagate) {
      // Both comparisons always, so that there is no branch. A NaN that is held stays.
      const int wins = static_cast<int>(value > held) | static_cast<int>(std::isnan(value));
      return wins != 0 ? value : held;
    } else {
      return value > held ? value : held;
    }
  }
};

/// 16-bit floats as integers in the same order (-0 below +0); a NaN is at one of the ends.
template <class S, bool Propagate, std::uint16_t kInfinity>
struct HeldHalf {
  using Type = std::int16_t;
  static constexpr Type kNan = Propagate ? 0x7FFF : -0x8000;
  static constexpr Type least() { return static_cast<Type>(~kInfinity); }
  static Type of(S value) {
    const auto bits = static_cast<Type>(value.bits);
    const auto magnitude = static_cast<Type>(bits & 0x7FFF);
    const auto ordered = static_cast<Type>(bits < 0 ? ~magnitude : bits);
    return magnitude > static_cast<Type>(kInfinity) ? kNan : ordered;
  }
  static S result(Type held) {
    return {static_cast<std::uint16_t>(held < 0 ? ~held | 0x8000 : held)};
  }
  static Type fold(Type held, Type value) { return std::max(held, value); }
};
template <bool Propagate>
struct Held<Float16, Propagate> : HeldHalf<Float16, Propagate, 0x7C00> {};
template <bool Propagate>
struct Held<BFloat16, Propagate> : HeldHalf<BFloat16, Propagate, 0x7F80> {};

/// Maxima over edges of one node, feature by feature.
template <class T>
class RowMaximum {
 public:
  using S = typename T::Storage;
  using H = Held<S, T::kPropagate>;
  using Graph = Csr<S, typename T::Index>;

  explicit RowMaximum(const Graph& graph)
      : graph_(&graph), held_(static_cast<std::size_t>(graph.width)) {}

  void clear() { std::fill(held_.begin(), held_.end(), H::least()); }

  /// Edges [begin, end).
  void fold(std::int64_t begin, std::int64_t end) {
    constexpr std::int64_t kAhead = 8;  // edges, whose rows are asked for early
    for (std::int64_t e = begin; e < end; ++e) {
      if (e + kAhead < end) ask_for(row_of(e + kAhead));
      fold_row(row_of(e));
    }
  }
  void fold(const RowMaximum& other) {
    for (std::size_t f = 0; f < held_.size(); ++f) held_[f] = H::fold(held_[f], other.held_[f]);
  }

  void write(std::int64_t node) const {
    S* out = graph_->out + (node * graph_->width);
    for (std::size_t f = 0; f < held_.size(); ++f) out[f] = H::result(held_[f]);
  }

  /// Nodes [begin, end), those without edges too.
  void reduce_nodes(std::int64_t begin, std::int64_t end) {
    for (std::int64_t node = begin; node < end; ++node) {
      const std::int64_t first = graph_->row_ptr[node];
      const std::int64_t last = graph_->row_ptr[node + 1];
      if (first == last && graph_->zero_empty != 0) {
        std::fill_n(graph_->out + (node * graph_->width), graph_->width, S{});
        continue;
      }
      clear();
      fold(first, last);
      write(node);
    }
  }

 private:
  /// All lines of a row; of a long one the beginning.
  void ask_for(const S* row) const {
    constexpr std::int64_t kLine = 64 / static_cast<std::int64_t>(sizeof(S));
    const std::int64_t most = std::min(graph_->width, 16 * kLine);
    for (std::int64_t f = 0; f < most; f += kLine) __builtin_prefetch(row + f);
  }

  void fold_row(const S* __restrict row) {
    const std::int64_t width = graph_->width;
    typename H::Type* __restrict held = held_.data();
    for (std::int64_t f = 0; f < width; ++f) held[f] = H::fold(held[f], H::of(row[f]));
  }

  [[nodiscard]] const S* row_of(std::int64_t e) const {
    return graph_->features + (graph_->col_idx[e] * graph_->width);
  }

  const Graph* graph_;
  std::vector<typename H::Type> held_;
};

}  // namespace redux::csr_max
