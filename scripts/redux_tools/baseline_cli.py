"""The command line of scripts/baseline.py."""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Sequence
from pathlib import Path

from redux_tools.baselines import accept, baseline_files, refresh_spread
from redux_tools.bootstrap import PROJECT
from redux_tools.environment import device_of
from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.results import ResultFile, Segment, merged, read_results
from redux_tools.tables import Column, console_for, terminal_table
from redux_tools.terminal import complain, say

SHOWN = tuple(
    Column(name, fold=True)
    for name in ("device", "config", "cases", "spread: median, most", "started", "git", "file")
)


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="baseline.py",
        description="Keeps the results that later runs are compared with. Nothing is ever stored "
        "or replaced without being asked to.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--root",
        metavar="FOLDER",
        type=Path,
        default=PROJECT / "baselines",
        help="where baselines are; default: the project's baselines/",
    )
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="accept|show|refresh-spread"
    )
    accepting = commands.add_parser(
        "accept", help="store RESULTS as the baseline of their device; several files are rounds"
    )
    accepting.add_argument("--to", metavar="FILE", type=Path, help="store them there instead")
    refreshing = commands.add_parser(
        "refresh-spread",
        help="keep the stored times, and put the spread between the rounds of RESULTS beside them",
    )
    for command in (accepting, refreshing):
        command.add_argument("results", metavar="RESULTS", nargs="+")
        command.add_argument(
            "--allow-different-device",
            action="store_true",
            help="also where the stored file is of another device",
        )
    commands.add_parser("show", help="list the baselines that there are")
    return parser


def _read(paths: Sequence[str]) -> ResultFile:
    files = []
    for path in paths:
        try:
            files.append(read_results(path, whole=True))
        except FileNotFoundError:
            raise Failure(ExitCode.USAGE, f"{path}: there is no such results file") from None
    return files[0] if len(files) == 1 else merged(", ".join(paths), files)


def _accept(arguments: argparse.Namespace) -> None:
    results = _read(arguments.results)
    for segment in results.segments:
        tool = segment.header.get("tool")
        if isinstance(tool, dict) and "dirty" in str(tool.get("git")):
            complain(f"warning: built from uncommitted sources ({tool['git']})")
            break
    any_device = arguments.allow_different_device
    for stored in accept(results, arguments.root, arguments.to, any_device):
        verb = "replaced" if stored.replaced else "wrote"
        say(f"{verb} {stored.path}: {stored.cases} cases of {stored.config}, {stored.device}")
        if stored.lost_spread:
            complain(
                f"warning: {stored.path} had the spread between sessions and has it no more, "
                "since three rounds are the least; measure some for refresh-spread"
            )


def _refresh_spread(arguments: argparse.Namespace) -> None:
    results = _read(arguments.results)
    for done in refresh_spread(results, arguments.root, arguments.allow_different_device):
        say(f"{done.path}: spread of {done.timings} timings refreshed, {done.kept} kept")


def _spread(segment: Segment) -> str:
    """The middle and the largest spread between sessions."""
    found = [
        timing.spread_log
        for case in segment.cases.values()
        for timing in case.timings.values()
        if timing.spread_log is not None
    ]
    return f"{statistics.median(found):.2%}, {max(found):.2%}" if found else "none"


def _show(root: Path) -> None:
    rows = []
    files = list(baseline_files(root))
    if not files:
        raise Failure(ExitCode.ENVIRONMENT, f"{root}: there is no baseline")
    for path in files:
        results = _read([str(path)])
        for segment in results.segments:
            backends = {case.backend for case in segment.cases.values()}
            tool = segment.header.get("tool")
            rows.append(
                (
                    device_of(segment, "cuda" if "cuda" in backends else "host"),
                    segment.config_name,
                    str(len(segment.cases)),
                    _spread(segment),
                    str(segment.header.get("started", "unknown")),
                    str(tool.get("git", "unknown") if isinstance(tool, dict) else "unknown"),
                    str(path),
                )
            )
    console_for().print(terminal_table(SHOWN, rows))


def main(argv: Sequence[str] | None = None) -> int:
    """Runs baseline.py; returns its exit code."""
    arguments = make_parser().parse_args(argv)
    try:
        if arguments.command == "accept":
            _accept(arguments)
        elif arguments.command == "refresh-spread":
            _refresh_spread(arguments)
        else:
            _show(arguments.root)
    except Failure as error:
        complain(f"error: {error}")
        return int(error.code)
    return int(ExitCode.OK)
