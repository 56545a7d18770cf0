"""A bench without processes: it writes result files drawn from a model of noisy machines.

A process (session) has a factor of its own, and so has each case in it; the new binary has a factor
for each case that was slowed down. Time is a counter.
"""

from __future__ import annotations

import dataclasses
import math
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import result_files as rf
from redux_tools.comparison import Options
from redux_tools.gate_bench import Bench, Outcome
from redux_tools.gate_progress import Budget, Progress
from redux_tools.gate_run import Gate, Plan
from redux_tools.results import ResultFile, read_results

NEW = Bench("new", ())
BASE = Bench("base", ())


@dataclasses.dataclass
class FakeRunner:
    """`factors`: of the new binary, by id. `special` may say more of one process: (path, id)."""

    times_us: dict[str, float]
    factors: dict[str, float] = dataclasses.field(default_factory=dict)
    session_noise: float = 0.003
    case_noise: float = 0.003
    seed: int = 1
    start_seconds: float = 1.0
    case_seconds: float = 0.1
    special: Callable[[Path, str], float | str | None] = lambda path, case_id: None
    outcome: Callable[[Path], Outcome | None] = lambda path: None
    clock: float = 0.0
    ran: list[tuple[str, int]] = dataclasses.field(default_factory=list)

    def __post_init__(self) -> None:
        self._rng = random.Random(self.seed)

    def run(
        self, bench: Bench, output: Path, ids: Sequence[str] | None, seconds: float | None
    ) -> Outcome:
        chosen = list(self.times_us) if ids is None else list(ids)
        self.ran.append((bench.binary, len(chosen)))
        took = self.start_seconds + self.case_seconds * len(chosen)
        if seconds is not None and took > seconds:
            self.clock += max(seconds, 0.0)
            return Outcome(-15, took, out_of_time=True)
        self.clock += took
        if (fixed := self.outcome(output)) is not None:
            return fixed
        session = self._rng.gauss(0, self.session_noise)
        cases = [self._case(bench, output, case_id, session) for case_id in chosen]
        output.parent.mkdir(parents=True, exist_ok=True)
        rf.write(output, rf.segment(cases, run_id=f"run-{len(self.ran)}"))
        return Outcome(0, took)

    def _case(self, bench: Bench, output: Path, case_id: str, session: float) -> dict:
        said = self.special(output, case_id)
        if isinstance(said, str):
            return rf.case(case_id, status=said, reason="as told")
        factor = said if said is not None else 1.0
        if bench.binary == NEW.binary:
            factor *= self.factors.get(case_id, 1.0)
        rules = [word for word in bench.words if "=" in word]
        for pattern, _, by in (rule.rpartition("=") for rule in rules):
            if re.search(pattern, case_id):
                factor *= float(by)
        log_us = math.log(self.times_us[case_id] * factor)
        median_us = math.exp(log_us + session + self._rng.gauss(0, self.case_noise))
        samples = [median_us * math.exp(self._rng.gauss(0, 0.002)) for _ in range(12)]
        return rf.case(case_id, rf.timing(median_us, 0.002, samples_us=samples, n=12))


def baseline_of(folder: Path, runner: FakeRunner, rounds: int = 5) -> ResultFile:
    """Stored rounds of the base binary."""
    parts = []
    for index in range(rounds):
        path = folder / "stored" / f"{index}.jsonl"
        runner.run(BASE, path, None, None)
        parts.append(path.read_text())
    joined = folder / "baseline.jsonl"
    joined.write_text("".join(parts))
    runner.ran.clear()
    runner.clock = 0.0
    return read_results(str(joined))


def gate_of(
    folder: Path,
    runner: FakeRunner,
    baseline: ResultFile | None,
    base: Bench | None = BASE,
    budget: float | None = None,
    options: Options | None = None,
    rounds: int = 3,
) -> Gate:
    plan = Plan(NEW, base, folder, rounds, options or Options(), lambda _: baseline)
    spent = Budget(budget, now=lambda: runner.clock)
    return Gate(plan, runner, spent, Progress(spent, quiet=True))
