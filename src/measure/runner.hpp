// One case from inputs to record.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "config/config.hpp"
#include "core/record.hpp"

namespace redux {

struct RunSettings {
  MeasureSettings measure;
  bool verify_only = false;
  /// Above 0: so many calls of each case, for a profiler, and no timing.
  std::int64_t profile_calls = 0;
  bool profile_cold = false;       ///< those calls rotate over copies
  std::string config_path;         ///< for the reproduction line, as is
  std::string repro_options = {};  ///< "--backend simt"
  /// By what factor a case is slowed down on purpose; 1 for most. Empty: none is.
  std::function<double(const std::string& id)> handicap = {};
  /// Up to so many bytes of inputs, reference and outputs are held on the host; bigger cases are
  /// verified in parts of `part_bytes`, whose inputs are generated anew each time.
  std::size_t held_bytes = std::size_t{4} << 30U;
  std::size_t part_bytes = std::size_t{512} << 20U;
};

/// Keeps the inputs and the reference of the latest problem, which its variants share.
class Runner {
 public:
  Runner(RunSettings settings, Ceilings ceilings);
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  /// Never throws for what is the case's fault: that becomes the record's status and reason.
  Record run(const Case& c, Backend& backend);
  /// As raised by a time that seemed to exceed it and proved it too low.
  [[nodiscard]] const Ceilings& ceilings() const;
  /// A case wrote memory that is not its own: of what this process does from then on, nothing is
  /// vouched for.
  [[nodiscard]] bool tainted() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace redux
