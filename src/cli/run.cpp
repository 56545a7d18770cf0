// The main mode: measure, verify, write, print.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cli/exit_code.hpp"
#include "cli/interrupt.hpp"
#include "cli/modes.hpp"
#include "cli/outputs.hpp"
#include "cli/selection.hpp"
#include "cli/session.hpp"
#include "report/progress.hpp"
#include "report/summary.hpp"
#include "report/table.hpp"
#include "report/text.hpp"

namespace redux::cli {
namespace {

std::string simt_notice(const Options& options, const Environment& environment) {
  const std::string orders = options.simt_schedule.empty()
                                 ? "in-order, reverse and random:SEED with the seed of its data"
                                 : options.simt_schedule;
  return fmt::format("nothing is timed: each case runs on the CPU ({}), twice under {}",
                     environment.gpu->name, orders);
}

/// Opens what the selected cases need. Without a CUDA device, `auto` goes on with the host variants
/// and a notice; whoever asked for CUDA or for a device by its number gets Failure(environment).
Environment open(Session& session, const Options& options, Selection& selection) {
  Opened opened = session.open();
  if (options.backend == BackendChoice::simt) {
    selection.notices.push_back(simt_notice(options, opened.environment));
  }
  const std::string& why = opened.without_cuda;
  if (!why.empty()) {
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
  return std::move(opened.environment);
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

Ceilings measure_ceilings(Session& session, const Selection& selection,
                          report::Progress& progress) {
  Ceilings ceilings;
  for (const Side side : {Side::cuda, Side::host}) {
    if (!selection.has(side)) continue;
    progress.begin(fmt::format("floors and ceilings of the {}", redux::name_of(side)));
    session.measure_ceilings(side, ceilings);
  }
  return ceilings;
}

/// What is still to be done of a config, and what an earlier run of it left.
struct Plan {
  const Config* config = nullptr;
  std::vector<const Case*> cases;
  std::vector<Record> held;
  bool ended = false;  ///< by its last line, too
};

std::vector<Plan> plans_of(const Selection& selection, const Earlier* earlier) {
  std::vector<Plan> plans;
  for (const Config& config : selection.configs) {
    Plan plan{.config = &config, .cases = {}, .held = {}, .ended = config.cases.empty()};
    if (earlier != nullptr && earlier->complete(config)) plan.ended = true;
    for (const Case& c : config.cases) {
      auto held = earlier == nullptr ? std::nullopt : earlier->find(config, c);
      if (held) {
        plan.held.push_back(std::move(*held));
      } else {
        plan.cases.push_back(&c);
      }
    }
    plans.push_back(std::move(plan));
  }
  return plans;
}

std::size_t cases_left(const std::vector<Plan>& plans) {
  std::size_t left = 0;
  for (const Plan& plan : plans) left += plan.cases.size();
  return left;
}

std::string resume_notice(const Options& options, const Earlier* earlier, std::size_t selected,
                          std::size_t left) {
  if (earlier == nullptr) {
    return fmt::format("--resume: there is no '{}' yet: all cases are run", options.resume);
  }
  return fmt::format("--resume: '{}' holds {} of the {} cases{}; {} to run", options.resume,
                     selected - left, selected,
                     earlier->torn() ? " (its last line was cut short and is left out)" : "", left);
}

/// Runs the cases of one config; false where a signal cut it short.
bool run_segment(const Plan& plan, Session& session, Ceilings& ceilings, Outputs& outputs,
                 report::Progress& progress, std::vector<Record>& records) {
  for (const Case* c : plan.cases) {
    if (Interrupt::pending() != 0) return false;
    progress.begin(c->id());
    records.push_back(session.run(*plan.config, *c, ceilings));
    outputs.add(records.back());
    progress.finish(records.back());
  }
  return true;
}

/// In the order of the selection, whenever they were measured: tables show what belongs together.
void sort_as_selected(const Selection& selection, std::vector<Record>& records) {
  std::unordered_map<std::string, std::size_t> position;
  for (const Config& config : selection.configs) {
    for (const Case& c : config.cases) position.try_emplace(c.id(), position.size());
  }
  std::ranges::sort(
      records, {}, [&position](const Record& record) { return position.at(record.the_case.id()); });
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
    summary += fmt::format("; {}{} not run", Interrupt::pending() != 0 ? "interrupted, " : "",
                           selected - records.size());
  }
  if (!options.quiet) fmt::print("{}\n", summary);
  if (options.quiet && code != ExitCode::ok) fmt::print(stderr, "redux-bench: {}\n", summary);
}

}  // namespace

ExitCode run(const Options& options) {
  // Where a pipe is closed, a write fails and is reported, and what can still be kept is.
  static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
  Selection selection = select(options);
  note_handicaps(options, selection);

  Outputs outputs(options, selection, facts_of(options));
  const auto session =
      options.isolates() ? worker_session(options, selection) : local_session(options, selection);
  outputs.set_environment(open(*session, options, selection));
  if (options.profile) selection.notices.push_back(profile_notice(options, selection));

  const Earlier* earlier = outputs.continue_earlier(selection);
  const std::vector<Plan> plans = plans_of(selection, earlier);
  const std::size_t left = cases_left(plans);
  if (!options.resume.empty()) {
    selection.notices.push_back(resume_notice(options, earlier, selection.size(), left));
  }

  const Interrupt interrupt;
  report::Progress progress(left, ::isatty(STDERR_FILENO) != 0, options.quiet);
  for (const std::string& notice : selection.notices) {
    progress.note("redux-bench: note: " + report::printable(notice));
  }
  Ceilings ceilings;
  if (options.times() && left > 0) ceilings = measure_ceilings(*session, selection, progress);

  std::vector<Record> records;
  ExitCode code = ExitCode::ok;
  std::string over;  // why not all cases could be run
  std::string lost;
  try {
    for (const Plan& plan : plans) {
      if (plan.cases.empty() && plan.ended) continue;
      const Config& config = *plan.config;
      outputs.begin_segment(config, selection.in_all_shards_of(config), ceilings);
      bool complete = false;
      try {
        complete = run_segment(plan, *session, ceilings, outputs, progress, records);
      } catch (const SessionOver& failure) {
        over = failure.what();
        code = worse(failure.code(), ExitCode::not_measured);
      }
      outputs.end_segment(complete, ceilings);
      if (!complete) break;
    }
    outputs.finish(ceilings);
  } catch (const Failure& failure) {
    if (failure.code() != ExitCode::not_measured) throw;
    lost = failure.what();  // a full disk: what was measured is still shown
  }
  progress.clear();
  if (earlier != nullptr) {
    for (const Plan& plan : plans) {
      records.insert(records.end(), plan.held.begin(), plan.held.end());
    }
    sort_as_selected(selection, records);
  }
  if (lost.empty()) outputs.write_reports(ceilings, records);

  code = worse(code, exit_code(report::counts_of(records), options.allow_skips));
  for (const std::string& message : {over, lost}) {
    if (message.empty()) continue;
    fmt::print(stderr, "redux-bench: {}\n", message);
    code = worse(code, ExitCode::not_measured);
  }
  if (records.size() < selection.size() && Interrupt::pending() != 0) {
    code = static_cast<ExitCode>(128 + Interrupt::pending());
  }
  print_end(options, records, selection.size(), code);
  return code;
}

}  // namespace redux::cli
