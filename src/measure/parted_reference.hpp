// The reference of a case that is too big to hold in host memory as a whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "core/case.hpp"
#include "core/op.hpp"

namespace redux {

/// Computes what is expected part by part, from inputs that are generated again for each: whole
/// lines along the axis, or stretches of one line, which begin with the element that the stretch
/// before came to (Op::continues). Host memory holds one part.
class PartedReference {
 public:
  /// Null where the case cannot be taken apart so that the inputs and outputs of a part are at most
  /// `part_bytes`: it is over a graph, its data come from a file, or a line is longer and the op
  /// cannot continue it.
  static std::unique_ptr<PartedReference> of(const Case& c, std::size_t part_bytes);

  /// Elements of an output from number `first` on.
  struct Piece {
    std::size_t output = 0;
    std::int64_t first = 0;
    std::span<const std::byte> expected;
    std::span<const double> allowed;  ///< differences; empty where it is compared exactly
  };
  /// Calls use(piece) until every element of every output was met once, in order.
  void for_each(const std::function<void(const Piece&)>& use);

  /// As Op::least_bytes for the whole case; known once for_each() has run.
  [[nodiscard]] std::int64_t least_bytes() const { return least_bytes_; }
  /// Inputs for a backend, generated piece by piece.
  [[nodiscard]] InputReader inputs() const;
  /// Bytes of host memory that for_each() and its caller take.
  [[nodiscard]] std::size_t host_bytes() const;

 private:
  /// Lines next to each other: `outer` blocks of `length` positions of `inner` elements.
  struct Part {
    std::int64_t outer = 0;  ///< the first block
    std::int64_t blocks = 1;
    std::int64_t begin = 0;  ///< the first position
    std::int64_t length = 0;
    bool last = true;  ///< that it ends where its lines end
  };

  PartedReference(const Case& c, std::size_t part_bytes);
  void compute(const Part& part, const std::function<void(const Piece&)>& use);
  void carry_on(const Part& part, const View& view);
  [[nodiscard]] bool scans(std::size_t output) const;

  Case case_;
  AxisView view_;
  std::vector<TensorSpec> outputs_;
  std::size_t indices_ = 0;         ///< which of the outputs; their number where there is none
  std::size_t position_bytes_ = 0;  ///< of all that one element of the input brings with it
  std::int64_t blocks_a_part_ = 0;  ///< 0: a block is more than a part
  std::int64_t positions_a_part_ = 0;
  std::int64_t least_bytes_ = 0;
  std::vector<std::byte> input_;
  std::vector<std::vector<std::byte>> expected_;
  std::vector<std::byte> carried_;             ///< elements, one for each of `inner` lines
  std::vector<std::int64_t> carried_indices_;  ///< of the same
};

}  // namespace redux
