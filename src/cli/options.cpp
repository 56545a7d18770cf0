#include "cli/options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <string_view>

#include "cli/combinations.hpp"
#include "cli/declare.hpp"
#include "cli/values.hpp"
#include "config/nearest.hpp"
#include "core/status.hpp"
#include "redux_version.hpp"

namespace redux::cli {
namespace {

constexpr std::array<std::string_view, 4> kBackends{"auto", "cuda", "host", "simt"};
constexpr std::array<std::string_view, 3> kFormats{"text", "json", "markdown"};
constexpr std::array<std::string_view, 3> kColours{"auto", "always", "never"};

constexpr std::array<std::string_view, 2> kGbenchRows{"median", "repetitions"};

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
    if (option->get_group().empty()) continue;  // hidden
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
  if (given("--timeout")) options.timeout = seconds_value("--timeout", raw.timeout);
  if (given("--worker-channel")) {
    options.worker_channel =
        static_cast<int>(count_value("--worker-channel", raw.worker_channel, 3));
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
  if (app.count("--resume") > 0 && options.resume.empty()) {
    throw usage("--resume: the path is empty");
  }
  set_action(app, raw, options);
  return options;
}

const char* name_of(BackendChoice choice) {
  return kBackends.at(static_cast<std::size_t>(choice)).data();
}

}  // namespace redux::cli
