#include "cli/combinations.hpp"

#include "core/status.hpp"

namespace redux::cli {
namespace {

Failure usage(const std::string& message) {
  return {ExitCode::usage, message};
}

using Given = std::function<bool(const char*)>;

void refuse(const Given& given, const char* option, const std::string& with) {
  if (given(option)) throw usage(std::string(option) + " has no meaning " + with);
}

void check_backend(const Options& options, const std::string& mode, const Given& given) {
  const bool simt = options.backend == BackendChoice::simt;
  if (simt || options.backend == BackendChoice::host) {
    refuse(given, "--device", std::string("with --backend ") + name_of(options.backend));
  }
  if (!simt) {
    refuse(given, "--simt-schedule", "without --backend simt");
    refuse(given, "--simt-multiprocessors", "without --backend simt");
    return;
  }
  refuse(given, "--profile", "with --backend simt, where no profiler sees a kernel");
  if (options.action == Action::run && !options.verify_only) {
    throw usage(
        "--backend simt measures nothing: the SIMT executor runs kernels on the CPU to verify "
        "them; its times would mean nothing: add --verify-only");
  }
  if (options.action != Action::run) refuse(given, "--simt-schedule", "with " + mode);
  if (options.action == Action::list || options.action == Action::list_ops) {
    refuse(given, "--simt-multiprocessors", "with " + mode);
  }
}

}  // namespace

void check_combinations(const Options& options, const std::string& mode, const Given& given) {
  const bool needs_config = options.action == Action::run || options.action == Action::list ||
                            options.action == Action::dry_run;
  if (needs_config && options.configs.empty()) {
    throw usage((mode.empty() ? "nothing to do" : mode) +
                ": give a sweep with --config FILE (configs/ has some; --help explains)");
  }
  if (options.action != Action::run) {
    for (const char* option :
         {"--output", "--resume", "--csv", "--markdown", "--gbench", "--handicap", "--verify-only",
          "--allow-skips", "--profile", "--profile-cold", "--timeout", "--no-isolation"}) {
      refuse(given, option, "with " + mode);
    }
  }
  if (options.action == Action::run || options.action == Action::env) {
    refuse(given, "--format", "without --list, --list-ops or --dry-run");
  }
  if (options.verify_only) {
    refuse(given, "--handicap", "with --verify-only, which times nothing");
    refuse(given, "--gbench", "with --verify-only, which times nothing");
  }
  if (options.profile) {
    for (const char* option : {"--verify-only", "--resume", "--handicap", "--gbench",
                               "--min-samples", "--max-samples", "--max-seconds"}) {
      refuse(given, option, "with --profile, which verifies and times nothing");
    }
  } else {
    refuse(given, "--profile-cold", "without --profile");
  }
  if (!options.isolates()) {
    refuse(given, "--timeout",
           std::string("with ") + (options.profile ? "--profile" : "--no-isolation") +
               ": cases then run in this process, which cannot end one");
  }
  if (options.gbench.empty()) refuse(given, "--gbench-rows", "without --gbench");
  check_backend(options, mode, given);
  if (options.min_samples && options.max_samples && *options.min_samples > *options.max_samples) {
    throw usage("--min-samples " + std::to_string(*options.min_samples) +
                " is above --max-samples " + std::to_string(*options.max_samples));
  }
  if (options.quiet && options.verbose) throw usage("--quiet and --verbose exclude each other");
}

}  // namespace redux::cli
