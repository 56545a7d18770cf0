"""The gate: rounds in fresh processes, the screen, the confirmation, within a time budget."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from redux_tools import stats
from redux_tools.comparison import Comparison, Options, compare
from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.gate_bench import USABLE, Bench, Outcome, Runner, nameable
from redux_tools.gate_confirm import (
    FALSE_DISCOVERY_RATE,
    Block,
    Control,
    Side,
    block_order,
    conclude,
    set_verdict,
)
from redux_tools.gate_progress import Budget, Progress, duration
from redux_tools.results import ResultFile, merged, read_results
from redux_tools.verdict import Row, Verdict

# Sides and passes of a block.
PROCESSES_A_BLOCK = 6
# Of a whole round's time, what a process with few cases still takes: start-up, floors, ceilings.
LEAST_SHARE = 0.05


@dataclass(frozen=True)
class Plan:
    """What a gate is to do. `find_baseline` gives the stored one for what the rounds measured."""

    new: Bench
    base: Bench | None
    folder: Path
    rounds: int
    options: Options
    find_baseline: Callable[[ResultFile], ResultFile | None]


@dataclass
class GateRun:
    """What a gate did, as far as it came."""

    plan: Plan
    result: Comparison | None = None
    current: ResultFile | None = None
    baseline: ResultFile | None = None
    rounds_done: int = 0
    blocks: list[Block] = field(default_factory=list)
    blocks_needed: int = 0
    candidates: int = 0
    confirmed: int = 0  # candidates that were measured to the end
    control: Control | None = None


def _names(folder: Path, side: str, index: int) -> Path:
    return folder / "rounds" / f"{side}-{index}.jsonl"


class Gate:
    """One run of a gate; `run.result` is there as soon as the screen is done."""

    def __init__(self, plan: Plan, runner: Runner, budget: Budget, progress: Progress) -> None:
        self.run = GateRun(plan)
        self._plan = plan
        self._runner = runner
        self._budget = budget
        self._progress = progress
        self._round_seconds = 0.0

    def go(self) -> Comparison:
        """Raises Failure where nothing can be compared, Interrupted where a signal says so."""
        self._measure_rounds()
        result = self._screen()
        if self._plan.base is not None:
            self._confirm(result, self._plan.base)
        return result

    def _process(self, bench: Bench, output: Path, ids: Sequence[str] | None) -> Outcome:
        return self._runner.run(bench, output, ids, self._budget.left())

    def _round(self, bench: Bench, side: str, index: int) -> ResultFile | None:
        """None where the budget was over before it was done."""
        path = _names(self._plan.folder, side, index)
        outcome = self._process(bench, path, None)
        if outcome.out_of_time:
            return None
        if outcome.code not in USABLE:
            self._refuse(bench, outcome)
        self._round_seconds = max(self._round_seconds, outcome.seconds)
        try:
            return read_results(str(path))
        except FileNotFoundError:
            raise Failure(ExitCode.NOT_MEASURED, f"{path}: was not written") from None

    @staticmethod
    def _refuse(bench: Bench, outcome: Outcome) -> None:
        how = f"ended with exit code {outcome.code}"
        if outcome.code < 0:
            how = f"was ended by signal {-outcome.code}"
        code = ExitCode.NOT_MEASURED
        if outcome.code in (ExitCode.USAGE, ExitCode.NOTHING_COMPARABLE, ExitCode.ENVIRONMENT):
            code = ExitCode(outcome.code)
        raise Failure(code, f"{bench.binary} {how}: {outcome.said or 'without a word'}")

    def _measure_rounds(self) -> None:
        """The current binary's rounds; the base's in turn with them where no baseline is stored."""
        plan = self._plan
        current: list[ResultFile] = []
        base: list[ResultFile] = []
        stored: ResultFile | None = None
        for index in range(1, plan.rounds + 1):
            if current and not self._budget.allows(self._round_seconds):
                break
            self._progress.step(f"round {index} of {plan.rounds}")
            done = self._round(plan.new, "current", index)
            if done is None:
                break
            current.append(done)
            self.run.current = merged(str(plan.folder / "rounds"), current)
            self.run.rounds_done = index
            if index == 1:
                stored = plan.find_baseline(done)
                self._expect_rounds(plan.rounds - 1, stored is None)
            if stored is None and plan.base is not None:
                before = self._round(plan.base, "base", index)
                if before is None:
                    break
                base.append(before)
        if not current:
            message = f"not one round was done in {duration(self._budget.gone())}"
            raise Failure(ExitCode.NOT_MEASURED, message)
        self.run.baseline = stored or merged(f"{plan.folder / 'rounds'} (base)", base)

    def _expect_rounds(self, left: int, both: bool) -> None:
        seconds = left * self._round_seconds * (2 if both and self._plan.base else 1)
        if self._plan.base is not None:  # a few candidates, as far as anyone can tell
            share = stats.MIN_BLOCKS * PROCESSES_A_BLOCK * LEAST_SHARE
            seconds += share * self._round_seconds
        limit = self._budget.left()
        self._progress.expect(seconds if limit is None else min(seconds, limit))

    def _screen(self) -> Comparison:
        assert self.run.baseline is not None and self.run.current is not None
        result = compare(self.run.baseline, self.run.current, self._plan.options)
        self.run.result = result
        if self.run.rounds_done < self._plan.rounds:
            result.warnings.append(
                f"the budget allowed {self.run.rounds_done} of {self._plan.rounds} rounds"
            )
        return result

    def _confirm(self, result: Comparison, base: Bench) -> None:
        rows = [row for row in result.rows if row.candidate]
        rows.sort(key=lambda row: -(row.log_ratio or 0.0))
        self.run.candidates = len(rows)
        if not rows or not result.gate:
            result.confirmed = not rows
            return
        # From here on no verdict of the screen alone is left standing, whatever comes.
        for row in rows:
            reason = f"over the screen, and not measured again in the budget: {row.reason}"
            set_verdict(row, Verdict.INCONCLUSIVE, reason)
        result.confirmed = True
        kept = self._affordable(rows)
        needed = stats.blocks_needed(len(kept), FALSE_DISCOVERY_RATE)
        self.run.blocks_needed = needed
        try:
            kept = self._blocks(kept, needed, base)
        finally:
            self._finish(result, kept, needed)

    def _affordable(self, rows: list[Row]) -> list[Row]:
        """As many of the worst rows as the budget seems to allow, before any block is measured.

        And as can be named on a command line, which is some thousand.
        """
        rows = rows[: nameable([row.id for row in rows])]
        left = self._budget.left()
        if left is None:
            return rows
        assert self.run.current is not None
        ids = max(len(self.run.current.segments[0].cases), 1)
        needed = stats.blocks_needed(len(rows), FALSE_DISCOVERY_RATE)
        share = max(len({row.id for row in rows}) / ids, LEAST_SHARE)
        seconds = needed * PROCESSES_A_BLOCK * self._round_seconds * share
        if seconds <= left:
            return rows
        # At least one, since the estimate is rough; the blocks themselves say better.
        return rows[: max(1, int(len(rows) * left / seconds))]

    def _blocks(self, rows: list[Row], needed: int, base: Bench) -> list[Row]:
        """Measures block by block; returns the rows that the budget had time for."""
        for index in range(needed):
            ids = sorted({row.id for row in rows})
            self._progress.step(
                f"block {index + 1} of {needed}, {len(rows)} timings of {len(ids)} cases"
            )
            start = self._budget.gone()
            block = self._block(index, ids, base)
            if block is None:
                return rows
            self.run.blocks.append(block)
            took = self._budget.gone() - start
            wanted = took * (needed - index - 1)
            self._progress.expect(wanted)
            if not self._budget.allows(wanted):
                left = max(self._budget.left() or 0.0, 0.0)
                rows = rows[: int(len(rows) * left / wanted)]
                if not rows:
                    return rows
        return rows

    def _block(self, index: int, ids: Sequence[str], base: Bench) -> Block | None:
        block = Block()
        folder = self._plan.folder / "confirm" / f"block-{index + 1:02}"
        for place, side in enumerate(block_order(index), start=1):
            bench = self._plan.new if side is Side.NEW else base
            path = folder / f"{place}-{side.value}.jsonl"
            outcome = self._process(bench, path, ids)
            if outcome.out_of_time:
                return None
            if outcome.code == ExitCode.NOTHING_COMPARABLE:
                continue  # the base knows none of them: they stay unconfirmed
            if outcome.code not in USABLE:
                self._refuse(bench, outcome)
            block.results[side].append(read_results(str(path)))
        return block

    def _finish(self, result: Comparison, kept: list[Row], needed: int) -> None:
        """Verdicts and codes from the blocks that there are."""
        if kept and self.run.blocks:
            self.run.control = conclude(kept, self.run.blocks, needed)
            self.run.confirmed = self.run.control.tested
            if self.run.control.flagged:
                result.warnings.append(
                    f"the control, base against base, was flagged for "
                    f"{len(self.run.control.flagged)} of {self.run.control.tested} timings, the "
                    f"first is {self.run.control.flagged[0]}: nothing is called slower"
                )
        left_out = self.run.candidates - self.run.confirmed
        run = self.run
        text = (
            f"timings over the screen: {run.candidates}; measured again: {run.confirmed}, "
            f"in {len(run.blocks)} blocks"
        )
        if left_out:
            text += f"; left inconclusive: {left_out}"
        result.notices.append(text)
