#include "cli/declare.hpp"

#include <CLI/CLI.hpp>

namespace redux::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  redux-bench --config configs/quick.json -o results.jsonl\n"
    "      measure the sweep, print its tables and keep every sample\n"
    "  redux-bench -c configs/quick.json -k '^argmax/.*/float16/' --verify-only\n"
    "      check the float16 cases of argmax against the reference, timing nothing\n\n"
    "Exit codes: 0 all measured and verified; 2 usage, config or file error; 3 wrong result;\n"
    "4 not fully measured; 5 nothing selected or measured; 6 no such device; 130, 143 interrupted.";

}  // namespace

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
  app.add_option("--timeout", raw.timeout,
                 "A case that takes longer is killed and recorded as\n"
                 "timeout (default: 300 and what it may measure)")
      ->type_name("S")
      ->group(running);
  app.add_flag("--no-isolation", options.no_isolation,
               "Cases run in this process, as with --profile, for a\n"
               "debugger: a crash or a hang then ends the run")
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
  app.add_option("--resume", options.resume,
                 "Continue those results: run what they lack, on the\n"
                 "same machine, with the same config and binary")
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
  // Not for users: how a worker process is told what it is.
  app.add_option("--worker-channel", raw.worker_channel)->group("");
}

}  // namespace redux::cli
