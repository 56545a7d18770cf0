"""The command line of scripts/profile.py."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.gate_bench import Bench, Interrupted, interruptible
from redux_tools.gate_cli import asked
from redux_tools.gate_progress import parse_duration
from redux_tools.outputs import refuse_clashes, write_text
from redux_tools.profile_command import Plan, find_tool, read_command, tool_command
from redux_tools.profile_faults import no_kernels
from redux_tools.profile_kernels import kernels_of
from redux_tools.profile_report import Profile, print_profile, render_json, render_markdown
from redux_tools.profile_run import footprint_warnings, read_report, run_profile
from redux_tools.terminal import complain, say

EPILOG = """\
exit codes: 0 every selected case has its kernels; 2 usage or file error; 4 timed out, or no kernel
of a case in the report; 5 no case selected; 6 no such tool, no permission for counters, a tool
that does not know the GPU. Where redux-bench itself fails, its own exit code.

examples:
  scripts/profile.py --tool ncu --config configs/seed-argmax.json \\
    --filter '^argmax/(auto|cub|thread_per_row)/float32/1x129280$'
  scripts/profile.py --tool nsys --config configs/quick.json --filter /cub/ --launches 20 --cold
  scripts/profile.py --tool ncu --import out/profile/cases-0123abcd.ncu-rep
"""


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="profile.py",
        description="Runs cases under a profiler and prints what each of their kernels did.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--tool", choices=("ncu", "nsys"), default="ncu", help="default ncu; nsys: times alone")
    add("--tool-path", metavar="FILE", help="where the tool is, if it is not on the PATH")
    add(
        "--binary", metavar="FILE", default="build/release/redux-bench", help="default: %(default)s"
    )
    add("--config", "-c", metavar="FILE", action="append", default=[], help="repeatable")
    add("--filter", "-k", metavar="REGEX", help="as of redux-bench")
    add("--exclude", metavar="REGEX", help="as of redux-bench")
    add("--device", metavar="N", help="as of redux-bench")
    add("--seed", metavar="S", help="as of redux-bench")
    add("--launches", metavar="N", type=int, default=1, help="calls of a case; default 1")
    add("--cold", action="store_true", help="they rotate over copies of the data (--profile-cold)")
    add("--clock-control", choices=("none", "base"), default="none", help="of ncu; default none")
    add(
        "--cache-control",
        choices=("all", "none"),
        default="all",
        help="of ncu; default all: caches are empty at each launch",
    )
    add("--replay-mode", choices=("kernel", "application"), default="kernel", help="of ncu")
    add(
        "--section",
        metavar="NAME",
        action="append",
        default=[],
        help="of ncu, in the report besides those that are read; repeatable",
    )
    add("--timeout", metavar="TIME", default="10m", help="90s, 5m; default %(default)s")
    add("--output", "-o", metavar="FOLDER", default="out/profile", help="default: %(default)s")
    add("--json", metavar="FILE", help="write all of it as JSON")
    add("--markdown", metavar="FILE", help="write the table as Markdown")
    add("--print-command", action="store_true", help="print what would be run, and run nothing")
    add(
        "--import",
        metavar="REPORT",
        dest="report",
        help="read a report, or a .csv or .sqlite that was exported of one; run nothing",
    )
    add("--color", choices=("auto", "always", "never"), default="auto")
    return parser


def _bench(arguments: argparse.Namespace) -> Bench:
    words = [word for config in arguments.config for word in ("--config", config)]
    words += ["--backend", "cuda"]  # there is nothing to capture of host variants
    for option in ("exclude", "device", "seed"):
        value = getattr(arguments, option)
        if value is not None:
            words += [f"--{option}", value]
    return Bench(str(Path(arguments.binary).absolute()), tuple(words), arguments.filter)


def _plan(arguments: argparse.Namespace, bench: Bench, program: str, ids: Sequence[str]) -> Plan:
    return Plan(
        tool=arguments.tool,
        program=program,
        binary=bench.binary,
        words=tuple(bench.command()[1:]),
        ids=tuple(ids),
        folder=Path(arguments.output),
        launches=arguments.launches,
        cold=arguments.cold,
        clock_control=arguments.clock_control,
        cache_control=arguments.cache_control,
        replay_mode=arguments.replay_mode,
        sections=tuple(arguments.section),
    )


def _check(arguments: argparse.Namespace) -> None:
    if arguments.report is not None:
        if arguments.config or arguments.filter or arguments.print_command:
            raise Failure(
                ExitCode.USAGE,
                "--import runs nothing: no --config, --filter, --print-command with it",
            )
        if not Path(arguments.report).is_file():
            raise Failure(ExitCode.USAGE, f"--import {arguments.report}: there is no such file")
    elif not arguments.config:
        raise Failure(ExitCode.USAGE, "give a sweep with --config FILE, or a report with --import")
    if arguments.launches < 1:
        raise Failure(ExitCode.USAGE, f"--launches {arguments.launches}: at least one is needed")
    outputs = [("--json", arguments.json), ("--markdown", arguments.markdown)]
    inputs = [*arguments.config, *([arguments.report] if arguments.report else [])]
    refuse_clashes(outputs, inputs)


def _print_command(arguments: argparse.Namespace, bench: Bench) -> None:
    """Neither the tool nor a GPU has to be here for it; without the program no range is named."""
    ids: list[str] = []
    if Path(bench.binary).exists():
        ids = [case["id"] for case in asked(bench, "--list", "--format", "json")]
    program = arguments.tool_path or arguments.tool
    plan = _plan(arguments, replace(bench, binary=arguments.binary), program, ids)
    say(f"mkdir -p {shlex.quote(str(plan.folder))}")
    say(shlex.join(tool_command(plan)))
    say(shlex.join(read_command(plan.tool, program, plan.report)))


def _imported(arguments: argparse.Namespace) -> Profile:
    report = Path(arguments.report)
    tool = "nsys" if report.suffix in (".sqlite", ".nsys-rep") else "ncu"
    exported = report.suffix in (".csv", ".sqlite")
    program = "" if exported else find_tool(tool, arguments.tool_path)
    profile = Profile(tool, "", read_command(tool, program or tool, report), report, {})
    profile.kernels = kernels_of(read_report(tool, program, report, ()))
    if not profile.kernels:
        raise no_kernels(tool)
    return profile


def _profiled(arguments: argparse.Namespace, bench: Bench) -> Profile:
    seconds = parse_duration("--timeout", arguments.timeout)
    listed = asked(bench, "--dry-run", "--format", "json")["cases"]
    program = find_tool(arguments.tool, arguments.tool_path)
    warnings = footprint_warnings(listed) if arguments.tool == "ncu" else []
    for warning in warnings:
        complain(f"warning: {warning}")
    plan = _plan(arguments, bench, program, [case["id"] for case in listed])
    profile = run_profile(plan, seconds)
    profile.warnings += warnings
    return profile


def _profile(arguments: argparse.Namespace) -> int:
    _check(arguments)
    bench = _bench(arguments)
    if arguments.print_command:
        _print_command(arguments, bench)
        return int(ExitCode.OK)
    profile = _imported(arguments) if arguments.report else _profiled(arguments, bench)
    print_profile(profile, arguments.color)
    for option, path, render in (
        ("--json", arguments.json, render_json),
        ("--markdown", arguments.markdown, render_markdown),
    ):
        if path is not None:
            write_text(option, path, render(profile))
    for _, message in profile.faults:
        complain(f"error: {message}")
    return int(profile.exit_code)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs profile.py; returns its exit code."""
    arguments = make_parser().parse_args(argv)
    try:
        with interruptible():
            return _profile(arguments)
    except Failure as error:
        complain(f"error: {error}")
        return int(error.code)
    except Interrupted as interrupted:
        complain("interrupted; what was recorded before is kept")
        return 128 + interrupted.number
