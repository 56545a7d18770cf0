#include "measure/runner.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>

#include "backend/host_memory.hpp"
#include "backend/ranges.hpp"
#include "core/op.hpp"
#include "core/variant.hpp"
#include "measure/ceiling.hpp"
#include "measure/held_problem.hpp"
#include "measure/measure.hpp"
#include "measure/profile.hpp"
#include "measure/repro.hpp"

namespace redux {
namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool has_outputs(const Case& c) {
  const auto specs = c.op->outputs(c);
  return std::ranges::any_of(specs, [](const TensorSpec& spec) { return spec.bytes() > 0; });
}

std::string mismatch_text(const Verification& verify, bool never_written) {
  const Mismatch& first = *verify.first;
  std::string text = "output '" + first.output + "' at " + std::to_string(first.position) +
                     " (copy " + std::to_string(first.copy) + "): got " + first.got +
                     ", expected " + first.expected;
  if (never_written) text += " (never written)";
  return text + "; " + std::to_string(verify.mismatches) + " of " + std::to_string(verify.checked) +
         " elements differ";
}

}  // namespace

struct Runner::State {
  State(RunSettings given, Ceilings known)
      : settings(std::move(given)),
        ceilings(known),
        held(settings.held_bytes, settings.part_bytes) {}

  RunSettings settings;
  Ceilings ceilings;
  HeldProblem held;

  bool tainted = false;  ///< a case wrote memory that is not its own

  bool fits(const Case& c, Backend& backend, Record& record);
  void run(const Case& c, Backend& backend, Record& record);
  void time_all(Backend& backend, Workload& work, Record& record);
  void verify(Workload& work, std::int64_t copies, Record& record);
  void verify_ways(Workload& work, Record& record);
};

/// False, with the record skipped, where the device or the host has too little memory.
bool Runner::State::fits(const Case& c, Backend& backend, Record& record) {
  held.release_unless(c);
  const auto skip = [&record](const char* where, std::size_t needed, std::size_t free) {
    fail(record, Status::skipped,
         "needs " + bytes_text(needed) + " (" + std::to_string(needed) + " bytes) of " + where +
             " memory, " + bytes_text(free) + " (" + std::to_string(free) + " bytes) is free");
    return false;
  };
  const MemoryNeed need = backend.memory_need(c);
  std::size_t host_needed = held.bytes_to_verify(c);
  if (backend.in_host_memory()) {
    host_needed += need.needed_bytes;
  } else if (need.needed_bytes > need.free_bytes) {
    return skip("device", need.needed_bytes, need.free_bytes);
  }
  const std::size_t host_free = backend.in_host_memory() ? need.free_bytes : free_host_bytes();
  return host_needed <= host_free || skip("host", host_needed, host_free);
}

void Runner::State::verify(Workload& work, std::int64_t copies, Record& record) {
  const Range range(Phase::verify, copies);
  const bool failed_before = record.verify.first.has_value();
  const bool never_written = held.compare(work, copies, record.verify);
  if (!failed_before && record.verify.first) {
    fail(record, Status::wrong, mismatch_text(record.verify, never_written));
  }
}

/// Up to the first way that is wrong: that one is named, and reproduces it.
void Runner::State::verify_ways(Workload& work, Record& record) {
  for (std::int64_t way = 0; way < work.ways() && record.status == Status::ok; ++way) {
    const std::string options = work.choose_way(way);
    work.poison_outputs();
    try {
      {
        const Range phase(Phase::warmup, 1);
        work.warm_up(Cache::warm, 1);
      }
      verify(work, 1, record);
    } catch (const KernelFault& fault) {
      fail(record, Status::wrong, fault.what());
    }
    if (record.status == Status::ok || options.empty()) continue;
    record.repro += " " + options;
    if (record.verify.first) record.reason += " (" + options + ")";
  }
}

/// Outputs are poisoned before each timing and verified after it, so none is vouched for by
/// another.
void Runner::State::time_all(Backend& backend, Workload& work, Record& record) {
  const Side side = backend.side();
  const auto modes = side == Side::host ? std::vector<Mode>{Mode::stream} : settings.measure.modes;
  for (const Cache cache : settings.measure.caches) {
    for (const Mode mode : modes) {
      record.timings.push_back(measure(work, mode, cache, settings.measure, steady_seconds));
      const Timing& timing = record.timings.back();
      verify(work, cache == Cache::warm ? 1 : work.called_copies(), record);
      if (timing.samples_us.empty()) {
        fail(record, Status::invalid_timing,
             "none of " + std::to_string(timing.invalid_samples) + " samples (" +
                 std::string(name_of(mode)) + ", " + std::string(name_of(cache)) +
                 ") was a positive, finite time");
      }
      if (record.status != Status::ok) return;
    }
  }
}

void Runner::State::run(const Case& c, Backend& backend, Record& record) {
  if (c.variant->side != backend.side()) {
    fail(record, Status::unsupported,
         "the variant runs on the " + std::string(name_of(c.variant->side)) + " side, not on the " +
             std::string(name_of(backend.side())) + " side");
    return;
  }
  if (const std::string why = why_unsupported(*c.variant, c, backend.device()); !why.empty()) {
    fail(record, Status::unsupported, why);
    return;
  }
  record.bytes = c.op->bytes_moved(c);
  if (c.op->gathered_bytes != nullptr) record.gathered_bytes = c.op->gathered_bytes(c);
  if (!has_outputs(c)) {
    record.reason = "nothing to do: the outputs are empty";
    return;
  }
  record.workspace_bytes = workspace_bytes(*c.variant, c, backend.device());
  if (!fits(c, backend, record)) return;
  held.hold(c);
  record.bytes = held.bytes();

  const auto& caches = settings.measure.caches;
  const bool profiles = settings.profile_calls > 0;
  const bool cold = profiles ? settings.profile_cold
                             : !settings.verify_only && std::find(caches.begin(), caches.end(),
                                                                  Cache::cold) != caches.end();
  const RangeName name(c.id());
  std::optional<Range> range(std::in_place, name, record.bytes);
  const auto work = backend.prepare(c, held.inputs(), cold);
  if (profiles) {
    const ProfiledCalls plan{settings.profile_calls, settings.profile_cold, record.bytes};
    verify(*work, make_profiled_calls(*work, plan, name, range), record);
  } else if (settings.verify_only) {
    verify_ways(*work, record);
  } else {
    const double factor = settings.handicap ? settings.handicap(c.id()) : 1;
    if (factor > 1) work->handicap(factor);
    time_all(backend, *work, record);
  }
  record.launch = work->launch_facts();
  if (const std::string damage = work->damage(); !damage.empty()) {
    fail(record, Status::wrong, "memory that is not its own was written: " + damage);
    tainted = true;
    record.status = Status::wrong;  // also where the times were invalid
  }
}

Runner::Runner(RunSettings settings, Ceilings ceilings)
    : state_(std::make_unique<State>(std::move(settings), ceilings)) {}

Runner::~Runner() = default;

Record Runner::run(const Case& c, Backend& backend) {
  Record record;
  record.the_case = c;
  const RunSettings& settings = state_->settings;
  record.repro = reproduction_line(c, settings.config_path, settings.repro_options);
  try {
    state_->run(c, backend, record);
    // The ceilings are measured again only after the case's memory is free.
    relate_to_ceiling(backend, state_->ceilings, state_->held.least_bytes(), record);
  } catch (const OutOfMemory& error) {
    fail(record, Status::skipped, error.what());
    record.status = Status::skipped;
  } catch (const std::bad_alloc&) {
    fail(record, Status::skipped, "the host has too little memory for it");
    record.status = Status::skipped;
  } catch (const std::exception& error) {
    fail(record, Status::error, error.what());
    record.status = Status::error;
  }
  return record;
}

const Ceilings& Runner::ceilings() const {
  return state_->ceilings;
}

bool Runner::tainted() const {
  return state_->tainted;
}

}  // namespace redux
