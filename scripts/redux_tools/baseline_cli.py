"""The command line of scripts/baseline.py."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from redux_tools.baselines import accept, baseline_files
from redux_tools.bootstrap import PROJECT
from redux_tools.environment import device_of
from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.results import ResultFile, read_results
from redux_tools.tables import Column, console_for, terminal_table

SHOWN = tuple(
    Column(name, fold=True) for name in ("device", "config", "cases", "started", "git", "file")
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
    commands = parser.add_subparsers(dest="command", required=True, metavar="accept|show")
    accepting = commands.add_parser("accept", help="store RESULTS as the baseline of its device")
    accepting.add_argument("results", metavar="RESULTS")
    commands.add_parser("show", help="list the baselines that there are")
    return parser


def _read(path: str) -> ResultFile:
    try:
        return read_results(path, whole=True)
    except FileNotFoundError:
        raise Failure(ExitCode.USAGE, f"{path}: there is no such results file") from None


def _accept(path: str, root: Path) -> None:
    results = _read(path)
    for segment in results.segments:
        tool = segment.header.get("tool")
        if isinstance(tool, dict) and "dirty" in str(tool.get("git")):
            print(f"warning: built from uncommitted sources ({tool['git']})", file=sys.stderr)
            break
    for stored in accept(results, root):
        verb = "replaced" if stored.replaced else "wrote"
        print(f"{verb} {stored.path}: {stored.cases} cases of {stored.config}, {stored.device}")


def _show(root: Path) -> None:
    rows = []
    files = list(baseline_files(root))
    if not files:
        raise Failure(ExitCode.ENVIRONMENT, f"{root}: there is no baseline")
    for path in files:
        results = _read(str(path))
        for segment in results.segments:
            backends = {case.backend for case in segment.cases.values()}
            tool = segment.header.get("tool")
            rows.append(
                (
                    device_of(segment, "cuda" if "cuda" in backends else "host"),
                    segment.config_name,
                    str(len(segment.cases)),
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
            _accept(arguments.results, arguments.root)
        else:
            _show(arguments.root)
    except Failure as error:
        print(f"error: {error}", file=sys.stderr)
        return int(error.code)
    return int(ExitCode.OK)
