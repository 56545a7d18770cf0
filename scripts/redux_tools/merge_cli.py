"""The command line of scripts/merge.py."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.outputs import refuse_clashes, write_text
from redux_tools.results import ResultFile, read_results
from redux_tools.shards import Shard, faults_of, shard_of
from redux_tools.terminal import complain, say

EPILOG = """\
exit codes: 0 written; 2 usage or file error, or a shard that is missing, there twice, not run to
its end, or of another config, device or binary than the others.

example, on each of four machines of one kind and then on any:
  redux-bench --config configs/quick.json --shard $I/4 --output part-$I.jsonl
  scripts/merge.py part-*.jsonl --output results.jsonl
"""


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="merge.py",
        description="Puts the results of redux-bench --shard 1/N to N/N into one file, once it has "
        "checked that together they are all of one run.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("shards", metavar="SHARD", nargs="+", help="the results of one shard")
    parser.add_argument("--output", "-o", metavar="FILE", required=True, help="what to write")
    return parser


def _read(path: str) -> ResultFile:
    try:
        return read_results(path)
    except FileNotFoundError:
        raise Failure(ExitCode.USAGE, f"{path}: there is no such results file") from None


def _checked(paths: Sequence[str]) -> list[Shard]:
    """In the order of their numbers. Raises Failure with all that is wrong."""
    found = [shard_of(_read(path)) for path in paths]
    faults = [shard for shard in found if isinstance(shard, str)]
    shards = [shard for shard in found if isinstance(shard, Shard)]
    faults = faults or faults_of(shards)
    if faults:
        raise Failure(ExitCode.USAGE, "\nerror: ".join(faults))
    return sorted(shards, key=lambda shard: shard.index)


def _merge(arguments: argparse.Namespace) -> None:
    refuse_clashes([("--output", arguments.output)], arguments.shards)
    shards = _checked(arguments.shards)
    # As they are: each keeps its header, with its machine, its floors and its ceilings.
    texts = [Path(shard.path).read_text(encoding="utf-8-sig") for shard in shards]
    write_text("--output", arguments.output, "".join(text.rstrip("\n") + "\n" for text in texts))
    cases = sum(shard.file.case_count for shard in shards)
    say(f"wrote {arguments.output}: {cases} cases of {len(shards)} shards")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs merge.py; returns its exit code."""
    arguments = make_parser().parse_args(argv)
    try:
        _merge(arguments)
    except Failure as error:
        complain(f"error: {error}")
        return int(error.code)
    return int(ExitCode.OK)
