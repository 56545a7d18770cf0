"""The command line of scripts/report.py."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from redux_tools.comparison import Options, compare
from redux_tools.diagnosis_json import page_json
from redux_tools.exit_codes import ExitCode, Failure, NoBaseline
from redux_tools.outputs import refuse_clashes, write_text
from redux_tools.page import render_page
from redux_tools.page_data import page_data
from redux_tools.report_json import comparison_json
from redux_tools.results import ResultFile, read_results, read_whole
from redux_tools.strict_json import JsonError, loads
from redux_tools.terminal import complain, say

EPILOG = """\
exit codes: 0 written, whatever the verdict; 2 usage or file error; 5 no case in it; 6 no baseline.

examples:
  scripts/report.py results.jsonl -o report.html
  scripts/report.py out/gate/rounds/current-*.jsonl --gate out/gate/gate.json -o report.html
"""


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="report.py",
        description="Makes one page of results: what is wrong, best variants, times against sizes, "
        "speed-ups, "
        "samples, a table. It asks no network for anything.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add(
        "results", metavar="RESULTS", nargs="+", help="results; several files are rounds or configs"
    )
    add("--output", "-o", metavar="FILE", required=True, help="the page to write")
    add("--png", metavar="FOLDER", type=Path, help="write the main charts there, as PNG and SVG")
    add("--title", default="", help="default: the configs and the device")
    verdict = parser.add_mutually_exclusive_group()
    verdict.add_argument("--baseline", metavar="FILE", help="compare with it, as compare.py does")
    verdict.add_argument("--gate", metavar="FILE", help="show that verdict: a gate's gate.json")
    return parser


def _gate_verdict(path: str) -> dict[str, Any] | None:
    """The comparison in a gate's or compare.py's JSON; None where a gate did not come so far."""
    try:
        found = loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        message = f"--gate {path}: cannot be read: {error.strerror}"
        raise Failure(ExitCode.USAGE, message) from None
    except (JsonError, UnicodeDecodeError) as error:
        raise Failure(ExitCode.USAGE, f"--gate {path}: {error}") from None
    kind = found.get("type") if isinstance(found, dict) else None
    if kind not in ("gate", "comparison") or found.get("schema") != 1:
        message = f"--gate {path}: is no gate.json, nor JSON of compare.py, of schema 1"
        raise Failure(ExitCode.USAGE, message)
    comparison = found["comparison"] if kind == "gate" else found
    if comparison is not None and not isinstance(comparison, dict):
        raise Failure(ExitCode.USAGE, f"--gate {path}: its comparison is no object")
    return comparison


def _compared(path: str, results: ResultFile) -> dict[str, Any]:
    try:
        baseline = read_results(path)
    except FileNotFoundError:
        raise NoBaseline(f"{path}: there is no such baseline") from None
    return comparison_json(compare(baseline, results, Options()))


def _report(arguments: argparse.Namespace) -> None:
    inputs = [*arguments.results, arguments.baseline, arguments.gate]
    refuse_clashes([("--output", arguments.output)], [path for path in inputs if path])
    results = read_whole(arguments.results)
    data = page_data(results, arguments.title)
    data.diagnosis = page_json(results, data.metrics)
    if arguments.baseline is not None:
        data.verdict = _compared(arguments.baseline, results)
    elif arguments.gate is not None:
        data.verdict = _gate_verdict(arguments.gate)
    write_text("--output", arguments.output, render_page(data))
    say(f"wrote {arguments.output}: {len(data.cases)} cases")
    if arguments.png is not None:
        try:
            from redux_tools.page_plots import write_plots  # matplotlib takes a second to load
        except ImportError as error:
            raise Failure(ExitCode.ENVIRONMENT, f"--png: {error}; see requirements.txt") from None
        say(f"wrote {len(write_plots(data, arguments.png))} charts to {arguments.png}")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs report.py; returns its exit code."""
    arguments = make_parser().parse_args(argv)
    try:
        _report(arguments)
    except Failure as error:
        complain(f"error: {error}")
        return int(error.code)
    return int(ExitCode.OK)
