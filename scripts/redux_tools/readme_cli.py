"""The command line of scripts/readme.py."""

from __future__ import annotations

import argparse
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from redux_tools.baselines import SELFTEST_NAME
from redux_tools.bootstrap import PROJECT
from redux_tools.exit_codes import ExitCode, Failure, NoBaseline
from redux_tools.readme import (
    OPS,
    RESULTS,
    SELFTEST,
    block,
    has_cuda,
    lacking,
    ops_block,
    parse_ops,
    replaced,
    results_block,
)
from redux_tools.results import read_results
from redux_tools.selftest_table import selftest_block
from redux_tools.terminal import complain, say

# Where there is one, the README has a block of it.
SELFTEST_FILE = PROJECT / "baselines" / "nvidia-h200" / SELFTEST_NAME
BASELINE = PROJECT / "baselines" / "nvidia-h200" / "seed-argmax.jsonl"
PROGRAM = PROJECT / "build" / "release" / "redux-bench"


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="readme.py",
        description="Keeps README.md's generated blocks: the measured table, from a baseline, and "
        "the list of ops and variants, from redux-bench itself.",
        epilog="exit codes: 0 done, or nothing differs; 1 --check found a difference; 2 usage or "
        "file error; 6 no baseline, or --write with a program built without CUDA.",
        allow_abbrev=False,
    )
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("--write", action="store_true", help="refresh the blocks")
    task.add_argument("--check", action="store_true", help="name the blocks that differ")
    parser.add_argument(
        "--baseline",
        metavar="FILE",
        type=Path,
        default=BASELINE,
        help="results of configs/seed-argmax.json; default: the H200's in baselines/",
    )
    parser.add_argument(
        "--binary",
        metavar="FILE",
        type=Path,
        default=Path(os.environ.get("REDUX_BENCH", PROGRAM)),
        help="the redux-bench to ask; default: $REDUX_BENCH, else build/release/redux-bench",
    )
    parser.add_argument(
        "--readme",
        metavar="FILE",
        type=Path,
        default=PROJECT / "README.md",
        help="the file to keep",
    )
    return parser


def listed_ops(program: Path) -> str:
    """What `program` prints of its ops and variants. Raises Failure where it cannot be run."""
    command = [str(program.resolve()), "--list-ops", "--format", "markdown"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except OSError as error:
        raise Failure(
            ExitCode.USAGE, f"{program}: cannot be run: {error.strerror}; build it or say --binary"
        ) from None
    except subprocess.CalledProcessError as error:
        raise Failure(ExitCode.USAGE, f"{program}: {error.stderr.strip()}") from None


def measured(baseline: Path) -> str:
    try:
        return results_block(read_results(str(baseline), whole=True))
    except FileNotFoundError:
        raise NoBaseline(f"{baseline}: there is no such baseline") from None


def differences(text: str, baseline: Path, listed: str) -> list[str]:
    """One line for each block of the README's `text` that is not what would be generated.

    A program without CUDA knows the host variants alone, so only those are looked for.
    """
    found = []
    if block(text, RESULTS) != measured(baseline):
        found.append(f"block '{RESULTS}' differs from {baseline}")
    found += lacking(block(text, OPS), listed)
    if SELFTEST_FILE.exists() and block(text, SELFTEST) != selftest_block(SELFTEST_FILE):
        found.append(f"block '{SELFTEST}' differs from {SELFTEST_FILE}")
    if has_cuda(parse_ops(listed)) and block(text, OPS) != ops_block(listed):
        found.append(f"block '{OPS}' differs from what the program lists")
    return found


def _write(path: Path, text: str, baseline: Path, listed: str) -> None:
    if not has_cuda(parse_ops(listed)):
        message = "the program was built without CUDA and does not know all variants"
        raise Failure(ExitCode.ENVIRONMENT, message)
    fresh = replaced(text, RESULTS, measured(baseline))
    fresh = replaced(fresh, OPS, ops_block(listed))
    if SELFTEST_FILE.exists():
        fresh = replaced(fresh, SELFTEST, selftest_block(SELFTEST_FILE))
    path.write_text(fresh, encoding="utf-8")
    say(f"{path}: {'unchanged' if fresh == text else 'refreshed'}")


def _run(arguments: argparse.Namespace) -> ExitCode:
    try:
        text = arguments.readme.read_text(encoding="utf-8")
    except OSError as error:
        message = f"{arguments.readme}: cannot be read: {error.strerror}"
        raise Failure(ExitCode.USAGE, message) from None
    listed = listed_ops(arguments.binary)
    if arguments.write:
        _write(arguments.readme, text, arguments.baseline, listed)
        return ExitCode.OK
    found = differences(text, arguments.baseline, listed)
    for line in found:
        complain(f"{arguments.readme}: {line}")
    if found:
        complain("refresh it with: scripts/readme.py --write")
    return ExitCode.REGRESSION if found else ExitCode.OK


def main(argv: Sequence[str] | None = None) -> int:
    """Runs readme.py; returns its exit code."""
    arguments = make_parser().parse_args(argv)
    try:
        return int(_run(arguments))
    except Failure as error:
        complain(f"error: {error}")
        return int(error.code)
