"""The command line of scripts/gate.py."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from redux_tools.baselines import slug
from redux_tools.bootstrap import PROJECT
from redux_tools.compare_options import add_comparison_options, comparison_options
from redux_tools.exit_codes import ExitCode, Failure, NoBaseline
from redux_tools.gate_bench import Bench, Interrupted, ProcessRunner, interruptible
from redux_tools.gate_confirm import FALSE_DISCOVERY_RATE
from redux_tools.gate_progress import Budget, Progress, duration, parse_duration
from redux_tools.gate_report import write_artefacts
from redux_tools.gate_run import PROCESSES_A_BLOCK, Gate, Plan
from redux_tools.report_github import commands_stopped, render_github
from redux_tools.report_terminal import print_comparison
from redux_tools.results import ResultFile, merged, read_results
from redux_tools.stats import blocks_needed
from redux_tools.terminal import complain, say

EPILOG = """\
exit codes: 0 no regression, 1 regression, 2 usage or file error, 3 wrong result, 4 not measured,
5 nothing comparable, 6 no baseline or another device, 7 inconclusive under --strict, 130 and 143
interrupted. When several hold: 2, 3, 4, 6, 5, 1, 7.

gate.py selftest --help: how often the gate is wrong, measured.

examples:
  scripts/gate.py --config configs/seed-argmax.json -o out/gate
  scripts/gate.py --config configs/quick.json --base-binary base/redux-bench --budget 5m -o out/g
"""
DEFAULT_BINARY = PROJECT / "build" / "release" / "redux-bench"


def add_bench_options(parser: argparse.ArgumentParser) -> None:
    """What to run: shared with the self-test."""
    add = parser.add_argument
    add(
        "--config",
        "-c",
        metavar="FILE",
        action="append",
        required=True,
        help="a sweep config; repeatable",
    )
    add(
        "--binary",
        metavar="FILE",
        default=os.environ.get("REDUX_BENCH", str(DEFAULT_BINARY)),
        help="the redux-bench to judge; default: $REDUX_BENCH, else build/release/redux-bench",
    )
    add("--backend", choices=("auto", "cuda", "host"), default="auto", help="as of redux-bench")
    add("--seed", metavar="S", help="as of redux-bench")
    add("--max-seconds", metavar="S", help="as of redux-bench: the most a timing takes")
    add("--rounds", metavar="N", type=int, default=3, help="processes to screen by; default 3")
    add("--color", choices=("auto", "always", "never"), default="auto")


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gate.py",
        description="Measures a build, compares it with the baseline, measures what looks slower "
        "again beside the build that it comes from, and judges.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_bench_options(parser)
    add = parser.add_argument
    add("--base-binary", metavar="FILE", help="the build to confirm against; without: screen alone")
    add(
        "--base-config",
        metavar="FILE",
        action="append",
        default=[],
        help="the configs of the base binary, where it does not know all of the others; repeatable",
    )
    add(
        "--baseline",
        metavar="FILE",
        action="append",
        default=[],
        help="stored results; repeatable; default: that of device and config in baselines/, and "
        "where there is none, rounds of the base binary",
    )
    add("--output", "-o", metavar="FOLDER", required=True, help="a new folder for all of it")
    add("--budget", metavar="TIME", help="90s, 5m: what it is too short for is inconclusive")
    add_comparison_options(parser)
    add("--allow-missing-baseline", action="store_true", help="no baseline: a notice and exit 0")
    add("--github", action="store_true", help="print annotations for GitHub Actions")
    add("--quiet", action="store_true", help="no progress")
    add("--dry-run", action="store_true", help="print the plan, measure nothing")
    return parser


def bench_of(arguments: argparse.Namespace, binary: str, configs: Sequence[str]) -> Bench:
    words = [word for config in configs for word in ("--config", config)]
    words += ["--backend", arguments.backend]
    for option in ("seed", "max_seconds"):
        value = getattr(arguments, option)
        if value is not None:
            words += [f"--{option.replace('_', '-')}", value]
    # A name without a folder would be looked for on the PATH.
    return Bench(str(Path(binary).absolute()), tuple(words), arguments.filter)


def check_rounds(arguments: argparse.Namespace) -> None:
    if arguments.rounds < 1:
        raise Failure(ExitCode.USAGE, f"--rounds {arguments.rounds}: at least one is needed")


def asked(bench: Bench, *words: str) -> Any:
    """What the program says of itself, as JSON. Raises Failure with its own words and code."""
    command = [*bench.command(), *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    except OSError as error:
        message = f"{bench.binary}: cannot be run: {error.strerror}; build it or say --binary"
        raise Failure(ExitCode.USAGE, message) from None
    if done.returncode != 0:
        code = ExitCode.USAGE
        if done.returncode in (ExitCode.NOTHING_COMPARABLE, ExitCode.ENVIRONMENT):
            code = ExitCode(done.returncode)
        raise Failure(code, done.stderr.strip() or f"{bench.binary}: exit {done.returncode}")
    return json.loads(done.stdout)


def _stored(names: Sequence[str], device: str) -> list[Path]:
    return [PROJECT / "baselines" / slug(device) / f"{name}.jsonl" for name in names]


def _read_all(paths: Sequence[Path]) -> ResultFile:
    files = []
    for path in paths:
        try:
            files.append(read_results(str(path)))
        except FileNotFoundError:
            raise NoBaseline(f"{path}: there is no such baseline") from None
    return merged(", ".join(str(path) for path in paths), files)


def _device(environment: Any, cases: Any) -> str:
    """Where the selected cases run: the GPU if any does and there is one, else the CPU."""
    gpu = environment.get("gpu")
    cuda = any(case.get("backend") == "cuda" for case in cases)
    return str(gpu["name"] if gpu and cuda else environment.get("cpu", ""))


def find_baselines(arguments: argparse.Namespace, cases: Any, environment: Any) -> list[Path]:
    """The stored files to compare with; empty where the base binary is to be measured."""
    if arguments.baseline:
        return [Path(path) for path in arguments.baseline]
    names = list(dict.fromkeys(str(case["config"]) for case in cases))
    paths = _stored(names, _device(environment, cases))
    missing = [path for path in paths if not path.exists()]
    if not missing:
        return paths
    if arguments.base_binary is not None or arguments.allow_missing_baseline:
        return []
    raise NoBaseline(f"{missing[0]}: there is no such baseline, and no --base-binary to measure")


def _plan_lines(plan: Plan, cases: int, stored: Sequence[Path], budget: str | None) -> list[str]:
    lines = [f"{cases} cases", f"rounds: {plan.rounds} of {shlex.join(plan.new.command())}"]
    if stored:
        lines.append("baseline: " + ", ".join(str(path) for path in stored))
    elif plan.base is not None:
        lines.append(f"baseline: none is stored; {plan.rounds} rounds of the base binary, in turn")
    else:
        lines.append("baseline: none")
    if plan.base is None:
        lines.append("confirmation: none, there is no base binary; the screen alone decides")
    else:
        few, many = (blocks_needed(k, FALSE_DISCOVERY_RATE) for k in (1, max(cases, 1)))
        lines.append(
            f"confirmation: of the candidates, {few} to {many} blocks of {PROCESSES_A_BLOCK} "
            f"processes (base, new, base as control, and back), with {plan.base.binary}"
        )
    lines.append(f"budget: {budget or 'none'}")
    lines.append(f"everything goes to {plan.folder}")
    return lines


def _check_base(base: Bench) -> None:
    """Raises Failure where it cannot be run, before minutes are spent on the other one."""
    try:
        asked(base, "--list", "--format", "json")
    except Failure as error:
        # That it knows none of the cases is no fault: then all of them are new.
        if error.code is not ExitCode.NOTHING_COMPARABLE:
            raise


def new_folder(option: str, path: str) -> Path:
    folder = Path(path)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Failure(ExitCode.USAGE, f"{option} {path}: is there already; give a new folder")
    return folder


def _gate(arguments: argparse.Namespace) -> int:
    check_rounds(arguments)
    if arguments.base_config and arguments.base_binary is None:
        raise Failure(ExitCode.USAGE, "--base-config has no meaning without --base-binary")
    options = comparison_options(arguments)
    seconds = None if arguments.budget is None else parse_duration("--budget", arguments.budget)
    folder = new_folder("--output", arguments.output)
    new = bench_of(arguments, arguments.binary, arguments.config)
    base = None
    if arguments.base_binary is not None:
        configs = arguments.base_config or arguments.config
        base = bench_of(arguments, arguments.base_binary, configs)
    cases = asked(new, "--list", "--format", "json")
    if base is not None:
        _check_base(base)
    environment = asked(new, "--env")["env"]
    stored = find_baselines(arguments, cases, environment)
    baseline = _read_all(stored) if stored else None
    plan = Plan(new, base, folder, arguments.rounds, options, lambda _: baseline)
    lines = _plan_lines(plan, len(cases), stored, arguments.budget)
    if arguments.dry_run:
        say("\n".join(lines))
        return int(ExitCode.OK)
    if baseline is None and base is None:
        say("note: there is no baseline: nothing is compared")
        return int(ExitCode.OK)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "plan.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return _measure(plan, arguments, Budget(seconds))


def _measure(plan: Plan, arguments: argparse.Namespace, budget: Budget) -> int:
    progress = Progress(budget, quiet=arguments.quiet)
    gate = Gate(plan, ProcessRunner(plan.folder / "log.txt", progress.tick), budget, progress)
    stopped: Interrupted | None = None
    try:
        with interruptible():
            gate.go()
    except Interrupted as interrupted:
        stopped = interrupted
    finally:
        progress.done()
        write_artefacts(gate.run, budget.gone(), stopped is not None)
    if stopped is not None:
        complain(f"interrupted by {stopped}; what was measured is in {plan.folder}")
        return 128 + stopped.number
    result = gate.run.result
    assert result is not None
    if arguments.github:
        with commands_stopped():
            print_comparison(result, arguments.color)
        print(render_github(result), end="")
    else:
        print_comparison(result, arguments.color)
    say(f"\n{duration(budget.gone())} taken; everything is in {plan.folder}")
    return int(result.exit_code)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs gate.py; returns its exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    if words[:1] == ["selftest"]:
        from redux_tools.selftest_cli import main as selftest

        return selftest(words[1:])
    arguments = make_parser().parse_args(words)
    try:
        return _gate(arguments)
    except Failure as error:
        complain(f"error: {error}")
        return int(error.code)
