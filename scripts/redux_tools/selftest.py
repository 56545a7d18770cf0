"""How often the gate is wrong, on real measurements: with nothing changed (A/A), and with cases
slowed down by a known share (redux-bench --handicap).
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from redux_tools import rivals
from redux_tools.baselines import accept
from redux_tools.comparison import Comparison, Options
from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.gate_bench import USABLE, Bench, Runner, exact_filter
from redux_tools.gate_confirm import FALSE_DISCOVERY_RATE, Key
from redux_tools.gate_progress import Budget, Progress
from redux_tools.gate_run import PROCESSES_A_BLOCK, Gate, GateRun, Plan
from redux_tools.results import ResultFile, merged, read_results
from redux_tools.stats import blocks_needed
from redux_tools.verdict import Row, Verdict

OURS = "gate"
METHODS = (OURS, *rivals.RIVALS)
# Cases from here on are what the stated power is about: below, the floor of 0.15 us is more than
# the planted share.
LONG_US = 5.0


@dataclass(frozen=True)
class Settings:
    bench: Bench
    folder: Path
    rounds: int
    baseline_rounds: int
    gates: int  # with nothing changed
    planted_gates: int
    shares: tuple[float, ...]  # planted slow-downs: 0.05 is 5%
    portion: float  # of the cases that each share is planted in
    seed: int
    options: Options
    threshold: float


@dataclass
class Tally:
    """Counts of timings (case and metric) by method."""

    total: int = 0
    flagged: dict[str, int] = field(default_factory=lambda: dict.fromkeys(METHODS, 0))

    def add(self, is_flagged: dict[str, bool]) -> None:
        self.total += 1
        for method, value in is_flagged.items():
            self.flagged[method] += value


@dataclass
class Summary:
    """`planted` by (share, at least LONG_US); `unchanged`: timings that nothing was done to."""

    gates: int = 0
    unchanged: Tally = field(default_factory=Tally)
    planted: dict[tuple[float, bool], Tally] = field(default_factory=dict)
    inconclusive: int = 0
    controls_flagged: int = 0
    seconds: float = 0.0


class SelfTest:
    """Runs the gates one after the other and writes a line each as soon as it is known."""

    def __init__(
        self, settings: Settings, runner: Runner, progress: Progress, budget: Budget
    ) -> None:
        self._settings = settings
        self._budget = budget
        self._runner = runner
        self._progress = progress
        self._round_seconds = 0.0
        self._start_seconds = 0.0
        self.summary = Summary()

    def go(self, out: TextIO) -> None:
        """The two kinds of gates take turns. One that the budget seems too short for is left out.

        Raises Failure where measuring fails, Interrupted on a signal.
        """
        settings = self._settings
        baseline, ids = self._baseline(out)
        rng = random.Random(settings.seed)
        if ids and self._budget.seconds is not None:
            self._time_a_start(ids[0])
        longest = {False: 0.0, True: 0.0}
        for index in range(1, settings.gates + settings.planted_gates + 1):
            is_planted = self._is_planted(index)
            planted = self._draw(ids, rng) if is_planted else {}
            expected = self._expected(len(planted), len(ids))
            if not self._budget.allows(max(longest[is_planted], expected)):
                continue
            before = self._budget.gone()
            self._one(index, planted, baseline, out)
            longest[is_planted] = max(longest[is_planted], self._budget.gone() - before)

    def _expected(self, planted: int, cases: int) -> float:
        """Seconds of a gate that confirms as many cases, before one like it has been run."""
        seconds = self._settings.rounds * self._round_seconds
        if planted:
            blocks = blocks_needed(planted, FALSE_DISCOVERY_RATE)
            measuring = self._round_seconds * planted / cases
            seconds += blocks * PROCESSES_A_BLOCK * (self._start_seconds + measuring)
        return seconds

    def _time_a_start(self, case_id: str) -> None:
        """What a process with one case takes, most of which is its start."""
        path = self._settings.folder / "baseline-rounds" / "one-case.jsonl"
        self._start_seconds = self._runner.run(self._settings.bench, path, [case_id], None).seconds

    def _is_planted(self, index: int) -> bool:
        """Spread evenly over all, so that a budget that ends early has some of each."""
        settings = self._settings
        total = settings.gates + settings.planted_gates
        before = (index - 1) * settings.planted_gates // total
        return index * settings.planted_gates // total > before

    def _baseline(self, out: TextIO) -> tuple[ResultFile, list[str]]:
        """Stored as any baseline is, so that its spread is what a gate in use would have."""
        settings = self._settings
        sessions = []
        for index in range(1, settings.baseline_rounds + 1):
            self._progress.step(f"baseline, round {index} of {settings.baseline_rounds}")
            path = settings.folder / "baseline-rounds" / f"round-{index}.jsonl"
            outcome = self._runner.run(settings.bench, path, None, None)
            if outcome.code not in USABLE:
                message = f"{settings.bench.binary}: exit {outcome.code}: {outcome.said}"
                raise Failure(ExitCode.NOT_MEASURED, message)
            self._round_seconds = max(self._round_seconds, outcome.seconds)
            sessions.append(read_results(str(path), whole=True))
        stored = accept(merged("the self-test's baseline", sessions), settings.folder / "baseline")
        files = [read_results(str(each.path), whole=True) for each in stored]
        baseline = merged(", ".join(str(each.path) for each in stored), files)
        said = baseline.segments[0].header
        header = {key: said.get(key) for key in ("schema", "started", "tool", "env", "measure")}
        _write(out, {"type": "selftest", **header, **self._said(baseline)})
        ids = [
            case.id for s in baseline.segments for case in s.cases.values() if case.status == "ok"
        ]
        return baseline, ids

    def _said(self, baseline: ResultFile) -> dict[str, Any]:
        settings = self._settings
        return {
            "configs": [segment.config_name for segment in baseline.segments],
            "rounds": settings.rounds,
            "baseline_rounds": settings.baseline_rounds,
            "gates": settings.gates,
            "planted_gates": settings.planted_gates,
            "shares": list(settings.shares),
            "threshold": settings.threshold,
            "seed": settings.seed,
        }

    def _draw(self, ids: Sequence[str], rng: random.Random) -> dict[str, float]:
        """The slow-down of each case drawn; shares go to different cases."""
        settings = self._settings
        each = max(1, round(settings.portion * len(ids)))
        drawn = rng.sample(list(ids), min(len(ids), each * len(settings.shares)))
        return {
            case_id: settings.shares[place % len(settings.shares)]
            for place, case_id in enumerate(drawn)
        }

    def _one(
        self, index: int, planted: dict[str, float], baseline: ResultFile, out: TextIO
    ) -> None:
        settings = self._settings
        by_share: dict[float, list[str]] = {}
        for case_id, share in planted.items():
            by_share.setdefault(share, []).append(case_id)
        rules = [f"{exact_filter(sorted(ids))}={1 + share:g}" for share, ids in by_share.items()]
        folder = settings.folder / f"gate-{index:02}"
        new = settings.bench.handicapped(rules) if rules else settings.bench
        plan = Plan(
            new, settings.bench, folder, settings.rounds, settings.options, lambda _: baseline
        )
        budget = Budget(None)
        gate = Gate(plan, self._runner, budget, self._progress)
        result = gate.go()
        rounds = [
            read_results(str(path), whole=True)
            for path in sorted((folder / "rounds").glob("current-*.jsonl"))
        ]
        others = rivals.verdicts(baseline, merged("rounds", rounds), settings.threshold)
        self._count(index, planted, result, gate.run, others, budget.gone(), out)

    def _count(
        self,
        index: int,
        planted: dict[str, float],
        result: Comparison,
        run: GateRun,
        others: dict[str, set[Key]],
        seconds: float,
        out: TextIO,
    ) -> None:
        rows = [row for row in result.rows if row.metric is not None]
        summary = self.summary
        summary.gates += 1
        summary.seconds += seconds
        summary.controls_flagged += bool(run.control and run.control.flagged)
        for row in rows:
            is_flagged = {OURS: row.verdict is Verdict.SLOWER} | {
                name: (row.id, row.metric) in keys for name, keys in others.items()
            }
            share = planted.get(row.id)
            if share is None:
                summary.unchanged.add(is_flagged)
            else:
                key = (share, (row.baseline_us or 0) >= LONG_US)
                summary.planted.setdefault(key, Tally()).add(is_flagged)
            summary.inconclusive += row.verdict is Verdict.INCONCLUSIVE
            if share is not None or any(is_flagged.values()):
                _write(out, _case_line(index, row, share, is_flagged))
        _write(
            out,
            {
                "type": "gate",
                "gate": index,
                "planted": len(planted),
                "timings": len(rows),
                "candidates": run.candidates,
                "confirmed": run.confirmed,
                "blocks": len(run.blocks),
                "control_flagged": list(run.control.flagged) if run.control else [],
                "verdicts": {v.value: n for v, n in result.counts().items()},
                "seconds": round(seconds, 1),
            },
        )


def _case_line(
    index: int, row: Row, share: float | None, is_flagged: dict[str, bool]
) -> dict[str, Any]:
    found = row.confirmation
    return {
        "type": "timing",
        "gate": index,
        "id": row.id,
        "metric": str(row.metric),
        "planted": share,
        "baseline_us": row.baseline_us,
        "verdict": row.verdict.value,
        "log_ratio": row.log_ratio,
        "p_value": found.p_value if found else None,
        "flagged": is_flagged,
    }


def summary_lines(summary: Summary) -> Iterator[dict[str, Any]]:
    yield {
        "type": "summary",
        "what": "unchanged",
        "gates": summary.gates,
        "timings": summary.unchanged.total,
        "flagged": summary.unchanged.flagged,
        "inconclusive": summary.inconclusive,
        "controls_flagged": summary.controls_flagged,
        "seconds": round(summary.seconds, 1),
    }
    for (share, is_long), tally in sorted(summary.planted.items()):
        yield {
            "type": "summary",
            "what": "planted",
            "share": share,
            "at_least_5_us": is_long,
            "timings": tally.total,
            "flagged": tally.flagged,
        }


def _write(out: TextIO, line: dict[str, Any]) -> None:
    out.write(json.dumps(line, allow_nan=False, separators=(",", ":")) + "\n")
    out.flush()


def write_summary(summary: Summary, out: TextIO) -> None:
    for line in summary_lines(summary):
        _write(out, line)
