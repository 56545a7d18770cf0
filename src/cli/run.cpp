// The main mode: measure, verify, write, print.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.hpp"
#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/modes.hpp"
#include "cli/outputs.hpp"
#include "cli/selection.hpp"
#include "measure/runner.hpp"
#include "report/progress.hpp"
#include "report/summary.hpp"
#include "report/table.hpp"
#include "report/text.hpp"

namespace redux::cli {
namespace {

struct Backends {
  std::unique_ptr<Backend> host;
  std::unique_ptr<Backend> cuda;  ///< or what stands in for it

  [[nodiscard]] Backend& of(Side side) const { return side == Side::host ? *host : *cuda; }
};

std::string simt_notice(const Options& options, const DeviceFacts& device) {
  const std::string orders = options.simt_schedule.empty()
                                 ? "in-order, reverse and random:SEED with the seed of its data"
                                 : options.simt_schedule;
  return fmt::format("nothing is timed: each case runs on the CPU ({}), twice under {}",
                     device.name, orders);
}

/// Opens what the selected cases need. Without a CUDA device, `auto` goes on with the host variants
/// and a notice; whoever asked for CUDA or for a device by its number gets Failure(environment).
Backends open_backends(const Options& options, Selection& selection) {
  Backends backends;
  if (options.backend == BackendChoice::simt) {
    backends.cuda = simt_backend(options);
    selection.notices.push_back(simt_notice(options, backends.cuda->device()));
    return backends;
  }
  const bool asked = options.backend == BackendChoice::cuda || options.device;
  if (options.backend != BackendChoice::host && (asked || selection.has(Side::cuda))) {
    std::string why;
    backends.cuda = make_cuda_backend(options.device.value_or(0), why);
    if (backends.cuda == nullptr) {
      if (asked) throw Failure(ExitCode::environment, why);
      const std::size_t before = selection.size();
      drop_side(selection, Side::cuda);
      if (selection.size() == 0) {
        throw Failure(ExitCode::environment,
                      fmt::format("{}; all {} selected cases are of CUDA variants", why, before));
      }
      selection.notices.push_back(
          fmt::format("{}; running the {} cases of host variants, not the {} of CUDA variants", why,
                      selection.size(), before - selection.size()));
    }
  }
  if (selection.has(Side::host)) backends.host = make_host_backend();
  return backends;
}

/// What a reproduction line has to say besides the case.
std::string repro_options(const Options& options) {
  if (options.profile) {
    return fmt::format("--profile {}{}", *options.profile,
                       options.profile_cold ? " --profile-cold" : "");
  }
  if (options.backend != BackendChoice::simt) return {};
  std::string text = "--backend simt --verify-only";
  if (options.simt_multiprocessors) {
    text += fmt::format(" --simt-multiprocessors {}", *options.simt_multiprocessors);
  }
  return text;
}

std::string profile_notice(const Options& options, const Selection& selection) {
  std::string text =
      fmt::format("--profile: a case is warmed up, called {} and verified; nothing is timed",
                  *options.profile == 1 ? "once" : fmt::format("{} times", *options.profile));
  if (selection.has(Side::host)) {
    text += "; host variants mark their ranges, but have no kernels for a profiler to capture";
  }
  return text;
}

/// A simulated device has no driver and no clocks.
Environment environment_of(const Options& options, const Backends& backends) {
  const DeviceFacts* device = backends.cuda == nullptr ? nullptr : &backends.cuda->device();
  if (options.backend != BackendChoice::simt) return read_environment(device);
  Environment environment = read_environment(nullptr);
  environment.gpu = *device;
  return environment;
}

report::RunFacts facts_of(const Options& options) {
  report::RunFacts facts;
  facts.run_id = report::new_run_id();
  facts.started = report::utc_now();
  facts.argv = options.argv;
  facts.verify_only = !options.times();
  facts.profile = options.profile;
  facts.backend = name_of(options.backend);
  facts.filter = options.filter.value_or("");
  facts.exclude = options.exclude.value_or("");
  facts.shard = options.shard_text;
  for (const Handicap& handicap : options.handicaps) {
    facts.handicaps.emplace_back(handicap.match, handicap.factor);
  }
  return facts;
}

Ceilings measure_ceilings(const Backends& backends, report::Progress& progress) {
  Ceilings ceilings;
  for (Backend* backend : {backends.cuda.get(), backends.host.get()}) {
    if (backend == nullptr) continue;
    progress.begin(fmt::format("floors and ceilings of the {}", redux::name_of(backend->side())));
    backend->measure_ceilings(ceilings);
  }
  return ceilings;
}

/// Runs the cases of one config; false where a signal cut it short.
bool run_segment(const Config& config, const Options& options,
                 const std::function<double(const std::string&)>& handicap,
                 const Backends& backends, Ceilings& ceilings, Outputs& outputs,
                 report::Progress& progress, std::vector<Record>& records) {
  Runner runner({.measure = config.measure,
                 .verify_only = options.verify_only,
                 .profile_calls = options.profile.value_or(0),
                 .profile_cold = options.profile_cold,
                 .config_path = config.path,
                 .repro_options = repro_options(options),
                 .handicap = handicap},
                ceilings);
  for (const Case& c : config.cases) {
    if (Interrupt::pending() != 0) return false;
    progress.begin(c.id());
    records.push_back(runner.run(c, backends.of(c.variant->side)));
    ceilings = runner.ceilings();
    outputs.add(records.back());
    progress.finish(records.back());
  }
  return true;
}

bool use_colour(const Options& options) {
  if (options.colour != Colour::automatic) return options.colour == Colour::always;
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return false;
  return ::isatty(STDOUT_FILENO) != 0;
}

void print_tables(const Options& options, const std::vector<Record>& records) {
  const bool colour = use_colour(options);
  const std::size_t width = report::terminal_width(STDOUT_FILENO);
  for (const report::Table& table : report::result_tables(records, !options.times())) {
    fmt::print("{}\n", report::terminal_text(table, width, colour));
  }
  if (options.verbose && options.times()) {
    fmt::print("{}\n", report::terminal_text(report::detail_table(records), width, colour));
  }
  if (const std::string marks = report::legend(records); options.times() && !marks.empty()) {
    fmt::print("{}\n", marks);
  }
}

void print_end(const Options& options, const std::vector<Record>& records, std::size_t selected,
               ExitCode code) {
  if (!options.quiet) print_tables(options, records);
  // Tables first, wherever both streams go.
  std::fflush(stdout);
  fmt::print(stderr, "{}", report::fault_lines(records, options.verbose));
  std::string summary = report::summary_line(report::counts_of(records), !options.times());
  if (records.size() < selected) {
    summary += fmt::format("; interrupted, {} not run", selected - records.size());
  }
  if (!options.quiet) fmt::print("{}\n", summary);
  if (options.quiet && code != ExitCode::ok) fmt::print(stderr, "redux-bench: {}\n", summary);
}

}  // namespace

std::unique_ptr<Backend> simt_backend(const Options& options) {
  SimtSettings settings;
  settings.multiprocessors = options.simt_multiprocessors.value_or(settings.multiprocessors);
  settings.schedule = options.simt_schedule;
  return make_simt_backend(settings);
}

ExitCode run(const Options& options) {
  Selection selection = select(options);
  const auto handicap = handicap_of(options, selection);
  if (handicap) {
    selection.notices.emplace_back(
        "--handicap: cases are slowed down on purpose, no baseline can "
        "be made of these results");
  }

  Outputs outputs(options, selection, facts_of(options));
  const Backends backends = open_backends(options, selection);
  outputs.set_environment(environment_of(options, backends));
  if (options.profile) selection.notices.push_back(profile_notice(options, selection));

  const Interrupt interrupt;
  report::Progress progress(selection.size(), ::isatty(STDERR_FILENO) != 0, options.quiet);
  for (const std::string& notice : selection.notices) {
    progress.note("redux-bench: note: " + report::printable(notice));
  }
  Ceilings ceilings;
  if (options.times()) ceilings = measure_ceilings(backends, progress);

  std::vector<Record> records;
  std::string lost;
  try {
    for (const Config& config : selection.configs) {
      if (config.cases.empty()) continue;
      outputs.begin_segment(config, ceilings);
      const bool complete =
          run_segment(config, options, handicap, backends, ceilings, outputs, progress, records);
      outputs.end_segment(complete, ceilings);
      if (!complete) break;
    }
    outputs.finish(ceilings);
  } catch (const Failure& failure) {
    if (failure.code() != ExitCode::not_measured) throw;
    lost = failure.what();  // a full disk: what was measured is still shown
  }
  progress.clear();
  if (lost.empty()) outputs.write_reports(ceilings, records);

  ExitCode code = exit_code(report::counts_of(records), options.allow_skips);
  if (!lost.empty()) {
    fmt::print(stderr, "redux-bench: {}\n", lost);
    code = worse(code, ExitCode::not_measured);
  }
  if (records.size() < selection.size() && Interrupt::pending() != 0) {
    code = static_cast<ExitCode>(128 + Interrupt::pending());
  }
  print_end(options, records, selection.size(), code);
  return code;
}

}  // namespace redux::cli
