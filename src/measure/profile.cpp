#include "measure/profile.hpp"

#include <algorithm>

namespace redux {
namespace {

/// What a profiler is to capture, while it lives.
class Capture {
 public:
  explicit Capture(Workload& work) : work_(work) { work_.start_capture(); }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;
  ~Capture() { work_.stop_capture(); }

 private:
  Workload& work_;
};

}  // namespace

std::int64_t make_profiled_calls(Workload& work, const ProfiledCalls& plan, const RangeName& name,
                                 std::optional<Range>& range) {
  const Cache cache = plan.cold ? Cache::cold : Cache::warm;
  {
    // A whole rotation when cold: the first copy is out of the cache when it is called again.
    const std::int64_t calls = plan.cold ? work.copies() : 1;
    const Range phase(Phase::warmup, calls);
    work.warm_up(cache, calls);
  }
  work.poison_outputs();
  range.reset();
  {
    const Capture capture(work);
    const Range again(name, plan.bytes);
    const Range phase(Phase::timed, plan.calls);
    work.warm_up(cache, plan.calls);
  }
  range.emplace(name, plan.bytes);
  return plan.cold ? std::min(plan.calls, work.copies()) : 1;
}

}  // namespace redux
