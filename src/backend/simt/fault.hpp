// What the SIMT executor reports instead of surviving: faults of a kernel, never of its result.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

namespace redux::simt {

enum class FaultKind : std::uint8_t {
  launch,             ///< a geometry that a GPU would refuse
  out_of_bounds,      ///< outside every buffer, shared object and parameter
  read_only,          ///< a write to an input
  misaligned,         ///< a vector access that is not aligned to its size
  uninitialised,      ///< a read of shared or global memory that nobody wrote
  data_race,          ///< two accesses, one a write, with nothing that orders them
  divergent_barrier,  ///< lanes of one warp at different barriers
  lane_mask,          ///< a warp operation whose mask and lanes do not fit
  cluster,            ///< another block's shared memory before it started or after it ended
  deadlock,           ///< every live thread waits
  hang,               ///< threads run on without ever getting anywhere
};

/// "data-race": what messages start with, in brackets.
std::string_view name_of(FaultKind kind);

/// Thrown by launch() on the caller's stack. what() says which access or operation of which thread
/// at which line, and the schedule that shows it.
class Fault : public std::runtime_error {
 public:
  Fault(FaultKind kind, const std::string& message)
      : std::runtime_error("[" + std::string(name_of(kind)) + "] " + message), kind_(kind) {}
  [[nodiscard]] FaultKind kind() const { return kind_; }

 private:
  FaultKind kind_;
};

}  // namespace redux::simt
