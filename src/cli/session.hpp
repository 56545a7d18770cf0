// Where the cases of a run are run: in this process, or in a worker that may end without us.
#pragma once

#include <memory>
#include <string>

#include "backend/environment.hpp"
#include "cli/options.hpp"
#include "cli/selection.hpp"
#include "core/record.hpp"

namespace redux::cli {

struct Opened {
  Environment environment;
  std::string without_cuda;  ///< why the selected CUDA cases cannot run; empty where they can
};

/// No further case can be run, and what() says why. Those before are as they were recorded.
class SessionOver : public Failure {
 public:
  using Failure::Failure;
};

class Session {
 public:
  Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  virtual ~Session() = default;

  /// Before anything else. Throws Failure(environment) where what --backend or --device asked for
  /// is not there.
  virtual Opened open() = 0;
  /// Into `ceilings`, as Backend::measure_ceilings.
  virtual void measure_ceilings(Side side, Ceilings& ceilings) = 0;
  /// A case of `config`; raises `ceilings` where it proved one too low. Throws SessionOver alone.
  virtual Record run(const Config& config, const Case& c, Ceilings& ceilings) = 0;
  /// What ran so far may have harmed this process, so that the next case is better run in another.
  [[nodiscard]] virtual bool spent() const { return false; }
};

/// `selection` has to outlive both.
std::unique_ptr<Session> local_session(const Options& options, const Selection& selection);
/// In a worker, and after its end in another.
std::unique_ptr<Session> worker_session(const Options& options, const Selection& selection);

/// Seconds that a case of `config` may take.
double timeout_of(const Options& options, const Config& config);

/// What a reproduction line has to say besides the case.
std::string repro_options(const Options& options);

}  // namespace redux::cli
