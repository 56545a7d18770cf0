#include "cli/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>

#include "cli/combinations.hpp"
#include "cli/values.hpp"
#include "config/nearest.hpp"
#include "core/status.hpp"
#include "redux_version.hpp"

namespace redux::cli {
namespace {

constexpr std::array<std::string_view, 4> kBackends{"auto", "cuda", "host", "simt"};
constexpr std::array<std::string_view, 3> kFormats{"text", "json", "markdown"};
constexpr std::array<std::string_view, 3> kColours{"auto", "always", "never"};

/// In the documentation of the formats, but not in this version.
constexpr std::array<std::string_view, 2> kLater{"--resume", "--timeout"};
constexpr std::array<std::string_view, 2> kGbenchRows{"median", "repetitions"};

constexpr const char* kExamples =
    "Examples:\n"
    "  redux-bench --config configs/quick.json -o results.jsonl\n"
    "      measure the sweep, print its tables and keep every sample\n"
    "  redux-bench -c configs/quick.json -k '^argmax/.*/float16/' --verify-only\n"
    "      check the float16 cases of argmax against the reference, timing nothing\n\n"
    "Exit codes: 0 all measured and verified; 2 usage, config or file error; 3 wrong result;\n"
    "4 not fully measured; 5 nothing selected or measured; 6 no such device; 130, 143 interrupted.";

/// Values as text: they are checked here, with messages of our own.
struct Raw {
  std::string backend = "auto";
  std::string device;
  std::string simt_schedule;
  std::string simt_multiprocessors;
  std::string format;
  std::string shard;
  std::string seed;
  std::string min_samples;
  std::string max_samples;
  std::string max_seconds;
  std::string gbench_rows;
  std::string profile;
  std::vector<std::string> handicaps;
  std::string colour = "auto";
  std::string filter;
  std::string exclude;
  bool list = false;
  bool list_ops = false;
  bool dry_run = false;
  bool env = false;
  bool help = false;
  bool version = false;
};

void declare(CLI::App& app, Options& options, Raw& raw) {
  app.set_help_flag();  // --help is an option like the others, so that it stands in its group
  app.allow_extras();
  app.footer(kExamples);
  app.get_formatter()->column_width(31);

  const char* selection = "Selection";
  app.add_option("-c,--config", options.configs, "A sweep config; repeatable")
      ->type_name("FILE")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group(selection);
  app.add_option("-k,--filter", raw.filter, "Only cases whose id matches")
      ->type_name("REGEX")
      ->group(selection);
  app.add_option("--exclude", raw.exclude, "No cases whose id matches")
      ->type_name("REGEX")
      ->group(selection);
  app.add_option("--backend", raw.backend,
                 "auto (default): CUDA variants where there is a\n"
                 "device, and host variants; cuda, host: those alone;\n"
                 "simt: CUDA variants on the CPU, with --verify-only")
      ->type_name("auto|cuda|host|simt")
      ->group(selection);
  app.add_option("--device", raw.device, "CUDA device, counted from 0 (default 0)")
      ->type_name("N")
      ->group(selection);
  app.add_option("--shard", raw.shard,
                 "Every N-th selected case from the I-th on; 1/4 to\n"
                 "4/4 are four parts without overlap")
      ->type_name("I/N")
      ->group(selection);

  const char* running = "Running";
  app.add_flag("--verify-only", options.verify_only, "Run each case once, verify, time nothing")
      ->group(running);
  app.add_option("--profile", raw.profile,
                 "For a profiler: N calls (default 1) a case, in NVTX\n"
                 "ranges, between cudaProfilerStart and -Stop; warmed\n"
                 "up and verified, not timed")
      ->type_name("[N]")
      ->expected(0, 1)
      ->group(running);
  app.add_flag("--profile-cold", options.profile_cold,
               "With --profile: the calls rotate over copies")
      ->group(running);
  app.add_option("--simt-schedule", raw.simt_schedule,
                 "in-order, reverse or random:SEED: the one order of\n"
                 "blocks and threads to run (default: all three)")
      ->type_name("ORDER")
      ->group(running);
  app.add_option("--simt-multiprocessors", raw.simt_multiprocessors,
                 "Of the simulated device (default 132)")
      ->type_name("N")
      ->group(running);
  app.add_option("--seed", raw.seed, "Seed of the data, in place of the config's")
      ->type_name("S")
      ->group(running);
  app.add_option("--min-samples", raw.min_samples, "In place of the config's")
      ->type_name("N")
      ->group(running);
  app.add_option("--max-samples", raw.max_samples, "In place of the config's")
      ->type_name("N")
      ->group(running);
  app.add_option("--max-seconds", raw.max_seconds, "A timing of a case, in place of the config's")
      ->type_name("S")
      ->group(running);
  app.add_flag("--allow-skips", options.allow_skips,
               "Cases too big for the memory do not fail the run")
      ->group(running);

  app.add_option("--handicap", raw.handicaps,
                 "Slow the matching cases down by that factor: for\n"
                 "tests of a gate; no baseline is made of it")
      ->type_name("REGEX=FACTOR")
      ->expected(1)
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->group(running);

  const char* output = "Output";
  app.add_option("-o,--output", options.output, "Results as JSON Lines, every sample in them")
      ->type_name("FILE")
      ->group(output);
  app.add_option("--csv", options.csv, "One row a case and timing")
      ->type_name("FILE")
      ->group(output);
  app.add_option("--markdown", options.markdown, "The tables as Markdown")
      ->type_name("FILE")
      ->group(output);
  app.add_option("--gbench", options.gbench, "JSON as google/benchmark writes it")
      ->type_name("FILE")
      ->group(output);
  app.add_option("--gbench-rows", raw.gbench_rows,
                 "Its rows for a timing: the median (default), or\n"
                 "every sample as a repetition and their aggregates")
      ->type_name("median|repetitions")
      ->group(output);
  app.add_option("--color", raw.colour, "auto: on a terminal, unless NO_COLOR is set")
      ->type_name("auto|always|never")
      ->group(output);
  app.add_flag("--quiet", options.quiet, "No tables and no progress; errors are still printed")
      ->group(output);
  app.add_flag("--verbose", options.verbose, "Also every timing with its launch facts")
      ->group(output);

  const char* information = "Information";
  app.add_flag("--list", raw.list, "Ids of the selected cases")->group(information);
  app.add_flag("--list-ops", raw.list_ops, "Ops and variants, each with a line")
      ->group(information);
  app.add_flag("--dry-run", raw.dry_run, "Selected cases with estimates of memory and time")
      ->group(information);
  app.add_flag("--env", raw.env, "What the results would say of this machine")->group(information);
  app.add_option("--format", raw.format, "Of the lists and the dry run (default text)")
      ->type_name("text|json|markdown")
      ->group(information);
  app.add_flag("--version", raw.version, "Print the version")->group(information);
  app.add_flag("-h,--help", raw.help, "Print this")->group(information);
}

Failure usage(const std::string& message) {
  return {ExitCode::usage, message};
}

/// CLI11 would take "--quiet=7" for --quiet.
void refuse_flag_values(const CLI::App& app, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const auto equals = word.find('=');
    if (!word.starts_with("--") || equals == std::string::npos) continue;
    const std::string name = word.substr(0, equals);
    const CLI::Option* option = app.get_option_no_throw(name);
    if (option == nullptr) continue;
    if (option->get_expected_max() > 0) {
      // Nor is "--profile=" the --profile without a value.
      const bool empty = equals + 1 == word.size();
      if (empty && option->get_expected_min() == 0) throw usage(name + ": '' is no value for it");
      continue;
    }
    throw usage(name + " takes no value, but was given '" + word.substr(equals + 1) + "'");
  }
}

std::vector<std::string> long_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// The message for the first argument that no option took.
Failure unknown(const CLI::App& app, const std::vector<std::string>& rest) {
  const std::string word = rest.front().substr(0, rest.front().find('='));
  if (!word.starts_with('-')) {
    return usage("unexpected argument '" + word + "'; a sweep is given as --config " + word);
  }
  if (std::ranges::find(kLater, word) != kLater.end()) {
    return usage(word + " is not in this version of redux-bench");
  }
  const std::string hint = did_you_mean(word, long_names(app));
  return usage("unknown option '" + word + "'" +
               (hint.empty() ? "; --help lists all options" : hint));
}

void convert(const CLI::App& app, const Raw& raw, Options& options) {
  const auto given = [&app](const std::string& name) { return app.count(name) > 0; };
  options.backend = static_cast<BackendChoice>(choice_value("--backend", raw.backend, kBackends));
  options.colour = static_cast<Colour>(choice_value("--color", raw.colour, kColours));
  if (given("--format")) {
    options.format = static_cast<Format>(choice_value("--format", raw.format, kFormats));
  }
  if (given("--filter")) options.filter = raw.filter;
  if (given("--exclude")) options.exclude = raw.exclude;
  if (given("--device")) options.device = device_value("--device", raw.device);
  if (given("--simt-schedule")) {
    options.simt_schedule = schedule_value("--simt-schedule", raw.simt_schedule);
  }
  if (given("--simt-multiprocessors")) {
    options.simt_multiprocessors =
        multiprocessors_value("--simt-multiprocessors", raw.simt_multiprocessors);
  }
  if (given("--profile")) {
    options.profile = raw.profile.empty() ? 1 : count_value("--profile", raw.profile, 1);
  }
  if (given("--shard")) options.shard = shard_value("--shard", raw.shard);
  options.shard_text = raw.shard;
  if (given("--seed")) options.seed = seed_value("--seed", raw.seed);
  if (given("--min-samples")) {
    options.min_samples = count_value("--min-samples", raw.min_samples, 1);
  }
  if (given("--max-samples")) {
    options.max_samples = count_value("--max-samples", raw.max_samples, 1);
  }
  for (const std::string& text : raw.handicaps) {
    options.handicaps.push_back(handicap_value("--handicap", text));
  }
  if (given("--gbench-rows")) {
    options.gbench_rows =
        static_cast<GbenchRows>(choice_value("--gbench-rows", raw.gbench_rows, kGbenchRows));
  }
  if (given("--max-seconds")) {
    options.max_seconds = seconds_value("--max-seconds", raw.max_seconds);
  }
}

void set_action(const CLI::App& app, const Raw& raw, Options& options) {
  std::string chosen;
  const auto choose = [&](bool given, const char* name, Action action) {
    if (!given) return;
    if (!chosen.empty()) throw usage(chosen + " and " + name + " exclude each other");
    chosen = name;
    options.action = action;
  };
  choose(raw.list, "--list", Action::list);
  choose(raw.list_ops, "--list-ops", Action::list_ops);
  choose(raw.dry_run, "--dry-run", Action::dry_run);
  choose(raw.env, "--env", Action::env);

  check_combinations(options, chosen, [&app](const char* name) { return app.count(name) > 0; });
}

}  // namespace

Options parse_options(std::vector<std::string> argv) {
  CLI::App app{"Sweeps, verifies exactly and times reductions on GPUs and CPUs.", "redux-bench"};
  Options options;
  Raw raw;
  declare(app, options, raw);
  std::vector<std::string> words(argv.begin() + (argv.empty() ? 0 : 1), argv.end());
  options.argv = std::move(argv);
  refuse_flag_values(app, words);
  std::ranges::reverse(words);  // as CLI11 takes a vector
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    throw usage(error.what());
  }
  if (const auto rest = app.remaining(); !rest.empty()) throw unknown(app, rest);
  if (raw.help) {
    options.action = Action::help;
    options.text = app.help();
    return options;
  }
  if (raw.version) {
    options.action = Action::version;
    options.text = std::string("redux-bench ") + REDUX_VERSION + " (" + REDUX_GIT + ")\n";
    return options;
  }
  convert(app, raw, options);
  set_action(app, raw, options);
  return options;
}

const char* name_of(BackendChoice choice) {
  return kBackends.at(static_cast<std::size_t>(choice)).data();
}

}  // namespace redux::cli
