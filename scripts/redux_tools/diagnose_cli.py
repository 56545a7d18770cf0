"""The command line of scripts/diagnose.py."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from redux_tools.compare_options import parse_metric
from redux_tools.diagnosis import diagnose
from redux_tools.diagnosis_json import render_json
from redux_tools.diagnosis_limits import FailOn, judge, parse_fail_on
from redux_tools.diagnosis_tables import print_diagnosis, render_markdown
from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.outputs import refuse_clashes, write_text
from redux_tools.results import read_whole
from redux_tools.terminal import complain
from redux_tools.thresholds import compile_regex

EPILOG = """\
exit codes: 0 diagnosed; 2 usage or file error; 5 no case, or a --fail-on that nothing can be held
against; 6 results of several devices. With --fail-on also: 1 over a limit, 3 wrong results, 4 not
everything was measured. When several hold: 2, 3, 4, 6, 5, 1.

examples:
  scripts/diagnose.py baselines/nvidia-h200/seed-argmax.jsonl
  scripts/diagnose.py results.jsonl --filter /auto/ --fail-on cliff=4,regret=5%,idle
"""


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="diagnose.py",
        description="Says why cases are slow: what holds each down, how time follows size, where "
        "variants change places, and how well auto picks.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add(
        "results", metavar="RESULTS", nargs="+", help="results; several files are rounds or configs"
    )
    add(
        "--filter",
        metavar="REGEX",
        help="diagnose only the cases whose id matches, beside the others",
    )
    add(
        "--metric",
        metavar="MODE/CACHE",
        help="this timing; default: graph/cold, or the first that there is",
    )
    add(
        "--fail-on",
        metavar="LIST",
        help="exit 1 for what is over a limit: cliff=RATIO, regret=SHARE, idle, joined by commas",
    )
    add("--json", metavar="FILE", help="write all of it as JSON")
    add("--markdown", metavar="FILE", help="write it as Markdown")
    add("--color", choices=("auto", "always", "never"), default="auto")
    return parser


def _run(arguments: argparse.Namespace) -> ExitCode:
    given = arguments.fail_on
    fail_on = FailOn() if given is None else parse_fail_on(given)
    pattern = arguments.filter
    chosen = None if pattern is None else compile_regex("--filter", pattern)
    metric = None if arguments.metric is None else parse_metric(arguments.metric)
    outputs = [("--json", arguments.json), ("--markdown", arguments.markdown)]
    refuse_clashes(outputs, arguments.results)
    found = diagnose(read_whole(arguments.results), chosen, metric, fail_on.limits)
    judgement = judge(found, fail_on)
    print_diagnosis(found, judgement, arguments.color)
    if arguments.json is not None:
        write_text("--json", arguments.json, render_json(found, fail_on, judgement))
    if arguments.markdown is not None:
        write_text("--markdown", arguments.markdown, render_markdown(found, judgement))
    return judgement.code


def main(argv: Sequence[str] | None = None) -> int:
    """Runs diagnose.py; returns its exit code."""
    arguments = make_parser().parse_args(argv)
    try:
        return int(_run(arguments))
    except Failure as error:
        complain(f"error: {error}")
        return int(error.code)
