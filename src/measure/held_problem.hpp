// The inputs and the reference of a problem, which the variants that solve it share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "core/record.hpp"
#include "measure/parted_reference.hpp"

namespace redux {

class HeldProblem {
 public:
  /// Up to `held_bytes` of inputs, reference and what is read back are held as a whole; a bigger
  /// problem is compared in parts of `part_bytes`, where it can be taken apart.
  HeldProblem(std::size_t held_bytes, std::size_t part_bytes)
      : held_bytes_(held_bytes), part_bytes_(part_bytes) {}

  /// Frees what is held for another problem than that of `c`.
  void release_unless(const Case& c);
  /// Host bytes that hold() and compare() of `c` still take; for after release_unless().
  [[nodiscard]] std::size_t bytes_to_verify(const Case& c) const;
  void hold(const Case& c);

  /// Of the held problem, for Backend::prepare; valid while it is held.
  [[nodiscard]] InputReader inputs() const;
  /// Bytes that its inputs are said to need, and those that suffice for them; the latter of a
  /// problem in parts is known after compare().
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  [[nodiscard]] std::int64_t least_bytes() const { return least_bytes_; }
  /// Adds what the first `copies` copies hold against the reference to `result`. True where the
  /// first mismatch is of an element that was never written.
  bool compare(Workload& work, std::int64_t copies, Verification& result);

 private:
  [[nodiscard]] std::unique_ptr<PartedReference> parts_of(const Case& c) const;
  bool compare_parts(Workload& work, std::int64_t copies, Verification& result);

  std::size_t held_bytes_;
  std::size_t part_bytes_;
  std::string problem_;  ///< what is held; empty: nothing
  std::vector<TensorSpec> outputs_;
  std::vector<HostTensor> inputs_;
  std::vector<HostTensor> expected_;
  std::vector<std::vector<double>> allowed_;  ///< differences, an output; empty where exact
  std::unique_ptr<PartedReference> parts_;    ///< in place of these three
  std::int64_t bytes_ = 0;
  std::int64_t least_bytes_ = 0;
};

}  // namespace redux
