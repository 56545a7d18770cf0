"""The command line of scripts/compare.py."""

from __future__ import annotations

import argparse
import gc
from collections.abc import Sequence

from redux_tools.compare_options import add_comparison_options, comparison_options
from redux_tools.comparison import Comparison, compare
from redux_tools.exit_codes import ExitCode, Failure, NoBaseline
from redux_tools.outputs import refuse_clashes, write_text
from redux_tools.report_github import commands_stopped, render_github
from redux_tools.report_json import render_json
from redux_tools.report_junit import render_junit
from redux_tools.report_markdown import render_markdown
from redux_tools.report_terminal import print_comparison
from redux_tools.results import ResultFile, read_results
from redux_tools.rounds import gather
from redux_tools.terminal import complain

EPILOG = """\
exit codes: 0 no regression, 1 regression, 2 usage or file error, 3 wrong result, 4 missing or not
measured, 5 nothing comparable, 6 no baseline or another device, 7 inconclusive under --strict.
When several hold: 2, 3, 4, 6, 5, 1, 7.

examples:
  scripts/compare.py baselines/nvidia-h200/seed-argmax.jsonl out.jsonl
  scripts/compare.py before.jsonl after.jsonl --metric graph/cold --threshold 3% --markdown diff.md
"""


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="compare.py",
        description="Compares two result files case by case and flags what became slower.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("baseline", metavar="BASELINE", help="results to compare with, of one or several rounds")
    add("current", metavar="CURRENT", help="results to judge")
    add_comparison_options(parser)
    add(
        "--allow-different-device",
        action="store_true",
        help="compare with another device's times; shown, and not a gate",
    )
    add("--allow-missing-baseline", action="store_true", help="no baseline: a notice and exit 0")
    add("--markdown", metavar="FILE", help="write the report there as well")
    add("--junit", metavar="FILE", help="write it as JUnit XML")
    add("--json", metavar="FILE", help="write all of it as JSON")
    add("--github", action="store_true", help="print annotations for GitHub Actions")
    add("--color", choices=("auto", "always", "never"), default="auto")
    return parser


def _read_current(path: str) -> ResultFile:
    try:
        current = read_results(path)
    except FileNotFoundError:
        raise Failure(ExitCode.USAGE, f"{path}: there is no such results file") from None
    if not current.segments:
        raise Failure(ExitCode.USAGE, f"{path}: is empty; a results file starts with a 'run' line")
    return current


def _read_baseline(path: str) -> ResultFile:
    try:
        return read_results(path)
    except FileNotFoundError:
        raise NoBaseline(f"{path}: there is no such baseline") from None


def _without_baseline(current: ResultFile) -> ExitCode:
    """A run that nothing can be compared with still has to be right and measured."""
    statuses = {case.status for case in gather(current).values()}
    if "wrong" in statuses:
        return ExitCode.WRONG_RESULT
    if statuses & {"error", "timeout", "invalid_timing"}:
        return ExitCode.NOT_MEASURED
    return ExitCode.OK


def _write(arguments: argparse.Namespace, result: Comparison) -> None:
    for option, path, render in (
        ("--markdown", arguments.markdown, render_markdown),
        ("--junit", arguments.junit, render_junit),
        ("--json", arguments.json, render_json),
    ):
        if path is not None:
            write_text(option, path, render(result))


def _report(result: Comparison, arguments: argparse.Namespace) -> ExitCode:
    if arguments.github:
        with commands_stopped():
            print_comparison(result, arguments.color)
        print(render_github(result), end="")
    else:
        print_comparison(result, arguments.color)
    _write(arguments, result)
    return result.exit_code


def _nothing_compared(
    error: NoBaseline, current: ResultFile, arguments: argparse.Namespace
) -> Comparison:
    """Says so, under --allow-missing-baseline."""
    result = Comparison(arguments.baseline, current.path, gate=False)
    code = _without_baseline(current)
    result.codes.add(code)
    result.notices.append(f"{error}: nothing was compared (exit {int(code)})")
    return result


def main(argv: Sequence[str] | None = None) -> int:
    """Runs compare.py; returns its exit code."""
    arguments = make_parser().parse_args(argv)
    # The collector would walk all the cases again and again, and find nothing to free.
    gc.disable()
    try:
        options = comparison_options(arguments, arguments.allow_different_device)
        files = [(f"--{name}", getattr(arguments, name)) for name in ("markdown", "junit", "json")]
        refuse_clashes(files, (arguments.baseline, arguments.current))
        current = _read_current(arguments.current)
        try:
            result = compare(_read_baseline(arguments.baseline), current, options)
        except NoBaseline as error:
            if not arguments.allow_missing_baseline:
                raise
            result = _nothing_compared(error, current, arguments)
        return int(_report(result, arguments))
    except Failure as error:
        complain(f"error: {error}")
        return int(error.code)
    finally:
        gc.enable()
