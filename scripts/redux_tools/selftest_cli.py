"""The command line of `scripts/gate.py selftest`, and its table."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from redux_tools.comparison import Options
from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.gate_bench import Interrupted, ProcessRunner, interruptible
from redux_tools.gate_cli import add_bench_options, bench_of, check_rounds, new_folder
from redux_tools.gate_progress import Budget, Progress, parse_duration
from redux_tools.outputs import write_text
from redux_tools.selftest import METHODS, SelfTest, Settings, Summary, write_summary
from redux_tools.selftest_table import COLUMNS, table_rows
from redux_tools.tables import console_for, markdown_table, terminal_table
from redux_tools.terminal import complain, say
from redux_tools.thresholds import Thresholds, parse_threshold

EPILOG = """\
A slow-down of exactly the threshold is found about every other time, whatever the gate, so the
default threshold here is 3%: what is found at 5% then says how sharp the gate is.

exit codes: 0 done, whatever was found; 1 false alarms above --most-false-alarms; 2, 4, 5, 6 as of
gate.py; 130 and 143 interrupted.
"""


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="gate.py selftest",
        description="Runs the gate where nothing has changed and where cases are slowed down by a "
        "known share, and says how often it is wrong, beside a median ratio and a pooled U test.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_bench_options(parser)
    add = parser.add_argument
    add("--filter", metavar="REGEX", help="only the cases whose id matches")
    add("--output", "-o", metavar="FOLDER", required=True, help="a new folder for all of it")
    add("--gates", metavar="N", type=int, default=10, help="with nothing changed; default 10")
    add("--planted-gates", metavar="N", type=int, default=5, help="with slow-downs; default 5")
    add("--baseline-rounds", metavar="N", type=int, default=5, help="default 5")
    add("--shares", metavar="LIST", default="3%,5%,10%", help="slow-downs; default 3%%,5%%,10%%")
    add("--portion", metavar="SHARE", default="7%", help="of the cases, for each; default 7%%")
    add("--threshold", metavar="SHARE", default="3%", help="of the gate; default 3%%")
    add("--draw", metavar="S", type=int, default=1, help="seed of which cases are slowed down")
    add("--budget", metavar="TIME", help="9m: no gate is begun that it seems too short for")
    add(
        "--most-false-alarms",
        metavar="SHARE",
        help="of the timings that nothing was done to; more is exit 1",
    )
    return parser


def _settings(arguments: argparse.Namespace) -> Settings:
    check_rounds(arguments)
    for name in ("gates", "planted_gates"):
        if getattr(arguments, name) < 0:
            option = f"--{name.replace('_', '-')}"
            raise Failure(ExitCode.USAGE, f"{option}: a count cannot be negative")
    if arguments.baseline_rounds < 3:
        raise Failure(ExitCode.USAGE, "--baseline-rounds: three are the least for a spread")
    threshold = parse_threshold("--threshold", arguments.threshold)
    shares = tuple(parse_threshold("--shares", text) for text in arguments.shares.split(","))
    return Settings(
        bench=bench_of(arguments, arguments.binary, arguments.config),
        folder=new_folder("--output", arguments.output),
        rounds=arguments.rounds,
        baseline_rounds=arguments.baseline_rounds,
        gates=arguments.gates,
        planted_gates=arguments.planted_gates,
        shares=shares,
        portion=parse_threshold("--portion", arguments.portion),
        seed=arguments.draw,
        options=Options(thresholds=Thresholds(fixed=threshold)),
        threshold=threshold,
    )


def _finish(summary: Summary, settings: Settings, color: str) -> None:
    rows = table_rows(summary)
    write_text("", settings.folder / "selftest.md", markdown_table(COLUMNS, rows))
    console_for(color).print(terminal_table(COLUMNS, rows))
    a_gate = summary.seconds / summary.gates if summary.gates else 0.0
    say(
        f"{summary.gates} gates at a threshold of {settings.threshold:.0%}, {a_gate:.0f} s each; "
        f"{summary.inconclusive} inconclusive timings; the control was flagged in "
        f"{summary.controls_flagged} gates; everything is in {settings.folder}"
    )


def _seconds(arguments: argparse.Namespace) -> float | None:
    return None if arguments.budget is None else parse_duration("--budget", arguments.budget)


def _run(arguments: argparse.Namespace) -> int:
    settings = _settings(arguments)
    most = arguments.most_false_alarms
    allowed = None if most is None else parse_threshold("--most-false-alarms", most)
    seconds = _seconds(arguments)
    settings.folder.mkdir(parents=True, exist_ok=True)
    budget = Budget(seconds)
    progress = Progress(budget)
    runner = ProcessRunner(settings.folder / "log.txt", progress.tick)
    test = SelfTest(settings, runner, progress, budget)
    stopped: Interrupted | None = None
    path = Path(settings.folder) / "selftest.jsonl"
    with path.open("w", encoding="utf-8") as out:
        try:
            with interruptible():
                test.go(out)
        except Interrupted as interrupted:
            stopped = interrupted
        finally:
            progress.done()
            write_summary(test.summary, out)
    _finish(test.summary, settings, arguments.color)
    if stopped is not None:
        return 128 + stopped.number
    tally = test.summary.unchanged
    rate = tally.flagged[METHODS[0]] / tally.total if tally.total else 0.0
    return int(ExitCode.REGRESSION if allowed is not None and rate > allowed else ExitCode.OK)


def main(argv: Sequence[str]) -> int:
    arguments = make_parser().parse_args(argv)
    try:
        return _run(arguments)
    except Failure as error:
        complain(f"error: {error}")
        return int(error.code)
