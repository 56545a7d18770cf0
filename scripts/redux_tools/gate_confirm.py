"""Measuring the candidates again: base and new binary in turn, so that drift cancels, and the base
against itself as a control (GATE.md, items 3 and 6).

A block runs three sides, base, new and control (the base binary once more), forwards and then
backwards; which side comes first changes from block to block. Each side's mean place in a block is
the same, so a clock that drifts evenly through it adds nothing to a difference.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

import numpy as np

from redux_tools import stats
from redux_tools.exit_codes import ExitCode
from redux_tools.results import Metric, ResultFile
from redux_tools.verdict import (
    FLOOR_US,
    Confirmation,
    Row,
    Verdict,
    margin_of,
    percent,
)

# The share of false ones allowed among the regressions that are told.
FALSE_DISCOVERY_RATE = 0.05
CONFIDENCE = 0.90

Key = tuple[str, Metric | None]


class Side(Enum):
    BASE = "base"
    NEW = "new"
    CONTROL = "control"


def block_order(index: int) -> list[Side]:
    """The six processes of block `index`, counted from 0."""
    sides = list(Side)
    turned = sides[index % 3 :] + sides[: index % 3]
    return [*turned, *reversed(turned)]


@dataclass
class Block:
    """The six results of one block, by side."""

    results: dict[Side, list[ResultFile]] = field(
        default_factory=lambda: {side: [] for side in Side}
    )


@dataclass
class Series:
    """What the blocks say of one candidate: logs of microseconds, one value a block."""

    base: list[float] = field(default_factory=list)
    new: list[float] = field(default_factory=list)
    control: list[float] = field(default_factory=list)

    def differences(self) -> list[float]:
        return [now - before for before, now in zip(self.base, self.new, strict=True)]

    def null_differences(self) -> list[float]:
        return [now - before for before, now in zip(self.base, self.control, strict=True)]


def _mean_log(files: Sequence[ResultFile], key: Key) -> float | None:
    """Of the case's medians; None where one of the processes has no time for it."""
    case_id, metric = key
    logs = []
    for file in files:
        found = [s.cases[case_id] for s in file.segments if case_id in s.cases]
        timing = found[0].timings.get(metric) if found and metric is not None else None
        if not found or found[0].status != "ok" or timing is None or timing.median_us is None:
            return None
        if timing.median_us <= 0:
            return None
        logs.append(math.log(timing.median_us))
    return sum(logs) / len(logs) if logs else None


def collect(blocks: Sequence[Block], keys: Sequence[Key]) -> dict[Key, Series]:
    """The series of each candidate, over the blocks in which every process has its time."""
    series: dict[Key, Series] = {key: Series() for key in keys}
    for block in blocks:
        for key in keys:
            means = [_mean_log(block.results[side], key) for side in Side]
            base, new, control = means
            if base is None or new is None or control is None:
                continue
            series[key].base.append(base)
            series[key].new.append(new)
            series[key].control.append(control)
    return series


def wrong_results(blocks: Sequence[Block]) -> dict[str, str]:
    """Ids whose results were wrong in the new binary, with the reason."""
    return {
        case.id: case.reason
        for block in blocks
        for file in block.results[Side.NEW]
        for segment in file.segments
        for case in segment.cases.values()
        if case.status == "wrong"
    }


def confirmation_of(differences: Sequence[float], threshold: float) -> Confirmation:
    """Statistics of one candidate's differences; `threshold` is a share."""
    return Confirmation(
        estimate=stats.hodges_lehmann(differences),
        interval=stats.hodges_lehmann_interval(differences, CONFIDENCE),
        p_value=stats.signed_rank_p(differences, math.log1p(threshold) / 2),
        blocks=len(differences),
    )


def flagged(
    found: Sequence[Confirmation], limits: Sequence[float], rate: float = FALSE_DISCOVERY_RATE
) -> list[bool]:
    """Which are slower: significant after correction, and by more than the limit (a log ratio)."""
    significant = stats.discoveries([each.p_value for each in found], rate)
    return [
        s and each.estimate > limit
        for s, each, limit in zip(significant, found, limits, strict=True)
    ]


def _words(found: Confirmation, screen: float | None) -> str:
    low, high = found.interval
    text = (
        f"{percent(found.estimate)}, 90% interval {percent(low)} to {percent(high)}, "
        f"over {found.blocks} blocks in turn, p {found.p_value:.2g}"
    )
    return text if screen is None else f"{text} (screen {percent(screen)})"


def _judge(row: Row, found: Confirmation, slower: bool, margin: float) -> tuple[Verdict, str]:
    words = _words(found, row.log_ratio)
    low, high = found.interval
    if slower:
        return Verdict.SLOWER, f"confirmed: {words}"
    if high < -margin:
        return Verdict.FASTER, f"measured again: {words}"
    if -margin <= low and high <= margin:
        return Verdict.SAME, f"not confirmed: {words}"
    return Verdict.INCONCLUSIVE, f"neither confirmed nor cleared: {words}"


def set_verdict(row: Row, verdict: Verdict, reason: str) -> None:
    row.verdict, row.reason = verdict, reason
    row.code = ExitCode.REGRESSION if verdict is Verdict.SLOWER else ExitCode.OK
    inconclusive = verdict is Verdict.INCONCLUSIVE
    row.strict_code = ExitCode.INCONCLUSIVE if inconclusive else ExitCode.OK


@dataclass(frozen=True)
class Control:
    """The base binary against itself: what it flags is false."""

    tested: int
    flagged: tuple[str, ...]  # "id metric"


def conclude(rows: Sequence[Row], blocks: Sequence[Block], needed: int) -> Control:
    """Replaces the screen's verdicts of the candidates `rows` by what the blocks say.

    A row that was not measured in `needed` blocks is INCONCLUSIVE. Where the control flags a case,
    the measurement cannot be trusted, and what is slower by it is INCONCLUSIVE, too.
    """
    series = collect(blocks, [(row.id, row.metric) for row in rows])
    wrong = wrong_results(blocks)
    tested: list[tuple[Row, Series, float]] = []
    for row in rows:
        found = series[row.id, row.metric]
        if row.id in wrong:
            row.verdict, row.reason = Verdict.WRONG, f"when measured again: {wrong[row.id]}"
            row.code = row.strict_code = ExitCode.WRONG_RESULT
        elif len(found.base) < needed:
            reason = f"over the screen, and measured again in {len(found.base)} of {needed} blocks"
            set_verdict(row, Verdict.INCONCLUSIVE, reason)
        else:
            base_us = math.exp(float(np.median(found.base)))
            tested.append((row, found, margin_of(row.threshold or 0.0, base_us)))
    found_new = [confirmation_of(s.differences(), row.threshold or 0.0) for row, s, _ in tested]
    found_null = [
        confirmation_of(s.null_differences(), row.threshold or 0.0) for row, s, _ in tested
    ]
    margins = [margin for _, _, margin in tested]
    slower = flagged(found_new, margins)
    false_alarms = flagged(found_null, margins)
    control = Control(
        len(tested),
        tuple(
            f"{row.id} {row.metric}"
            for (row, _, _), is_false in zip(tested, false_alarms, strict=True)
            if is_false
        ),
    )
    for (row, found, margin), confirmed, is_slower in zip(tested, found_new, slower, strict=True):
        verdict, reason = _judge(row, confirmed, is_slower, margin)
        row.confirmation = confirmed
        row.baseline_us = math.exp(float(np.median(found.base)))
        row.current_us = math.exp(float(np.median(found.new)))
        row.log_ratio, row.interval = confirmed.estimate, confirmed.interval
        if control.flagged and verdict is Verdict.SLOWER:
            verdict = Verdict.INCONCLUSIVE
            reason = f"the base against itself was flagged as well, so no verdict: {reason}"
        elif verdict is Verdict.SAME and abs(confirmed.estimate) > math.log1p(row.threshold or 0):
            reason += f"; below the floor of {FLOOR_US} us"
        set_verdict(row, verdict, reason)
    return control
