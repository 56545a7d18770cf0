"""The diagnosis of result files: what is wrong, worst first, and all that it rests on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from redux_tools.diagnosis_axes import (
    Cliff,
    Crossover,
    GroupKey,
    Series,
    cliffs,
    crossovers,
    group_key,
    series,
)
from redux_tools.diagnosis_classes import CaseDiagnosis, Kind, classify_all, rough
from redux_tools.diagnosis_input import Subject, subjects
from redux_tools.dispatch_audit import Audit, audit
from redux_tools.results import Metric, ResultFile
from redux_tools.summary import time_us

# Equal work that takes so many times as long in another shape is a cliff.
CLIFF_RATIO = 4.0
REGRET_SHARE = 0.05


class Fault(StrEnum):
    """In the order in which they are told: what `auto` does concerns every caller."""

    REGRET = "regret"
    IDLE = "idle"
    UNEVEN = "uneven"
    CLIFF = "cliff"
    JUMP = "jump"


class Limits(NamedTuple):
    """From where on a cliff (a ratio) or a regret (a share) is told."""

    cliff: float = CLIFF_RATIO
    regret: float = REGRET_SHARE


class Finding(NamedTuple):
    """One fault of one variant. `size` orders findings of a kind; `more`: milder ones alike."""

    fault: Fault
    op: str
    variant: str
    where: str
    said: str
    size: float
    case: Subject  # what to run to see it
    along_axis: bool = False  # a whole line of sizes shows it, and not one shape alone
    more: int = 0


@dataclass(frozen=True)
class Diagnosis:
    path: str
    cases: list[CaseDiagnosis]
    others: dict[str, int]  # cases that are not diagnosed, by status
    incomplete: bool
    series: list[Series]
    cliffs: list[Cliff]
    crossovers: list[Crossover]
    audit: Audit
    findings: list[Finding]

    @property
    def devices(self) -> list[str]:
        return sorted({case.subject.device.name for case in self.cases})

    @property
    def metrics(self) -> list[str]:
        return sorted({str(case.subject.metric) for case in self.cases})


def where(key: GroupKey, more: str = "") -> str:
    return f"{key.group}, {more}" if more else key.group


def fit_said(found: Series) -> str:
    fit = found.idle
    return "" if fit is None else f"{fit.exponent:.2f} ({fit.low:.2f} to {fit.high:.2f})"


class _Best:
    """The fastest variant of each shape."""

    def __init__(self, cases: Sequence[CaseDiagnosis]) -> None:
        self._at: dict[tuple[GroupKey, str], Subject] = {}
        for case in cases:
            key = group_key(case.subject), case.subject.view.shape
            if key not in self._at or case.subject.us < self._at[key].us:
                self._at[key] = case.subject

    def said(self, subject: Subject) -> str:
        best = self._at[group_key(subject), subject.view.shape]
        if best.view.variant == subject.view.variant:
            return ""
        ratio = subject.us / best.us
        return f"; {best.view.variant}: {time_us(best.us)} us, {rough(ratio)} times faster"


def _regrets(found: Audit, limit: float) -> Iterator[Finding]:
    for choice in found.choices:
        if choice.fault(limit):
            view, best = choice.auto.view, choice.best
            said = (
                f"{view.shape}: {time_us(choice.auto.us)} us"
                f"{f' by {view.picked}' if view.picked else ''}, "
                f"{best.view.variant} {time_us(best.us)} us: regret {choice.regret:.1%}"
            )
            place = where(group_key(choice.auto))
            yield Finding(
                Fault.REGRET, view.op, view.variant, place, said, choice.regret, choice.auto
            )


def _idle_said(case: CaseDiagnosis, best: _Best, growth: str = "") -> str:
    subject, launch = case.subject, case.subject.launch
    blocks = launch.blocks if launch else 0
    return (
        f"{growth}{blocks} block{'s' if blocks != 1 else ''} for {subject.device.sms} SMs, "
        f"{subject.view.shape} takes {time_us(subject.us)} us, {rough(case.excess or 0.0)} times "
        f"launch and transfer{best.said(subject)}"
    )


def _idle(
    lines: Sequence[Series], cases: Sequence[CaseDiagnosis], best: _Best
) -> Iterator[Finding]:
    seen: set[str] = set()
    for line in lines:
        if line.linear_while_idle:
            seen.update(case.subject.view.id for case in line.idle_points)
            worst = max(line.idle_points, key=lambda case: case.excess or 0.0)
            growth = f"time ~ {line.axis.x}^{fit_said(line)}: "
            key, subject = line.axis.key, worst.subject
            yield Finding(
                Fault.IDLE,
                key.op,
                line.variant,
                where(key, line.axis.label),
                _idle_said(worst, best, growth),
                worst.excess or 0.0,
                subject,
                along_axis=True,
            )
    for case in cases:
        view = case.subject.view
        if case.idle_fault and view.id not in seen:
            place = where(group_key(case.subject))
            said = _idle_said(case, best)
            yield Finding(
                Fault.IDLE, view.op, view.variant, place, said, case.excess or 0.0, case.subject
            )


def _uneven(cases: Sequence[CaseDiagnosis], best: _Best) -> Iterator[Finding]:
    for case in cases:
        if case.kind is Kind.UNEVEN and case.twin is not None:
            subject, view = case.subject, case.subject.view
            ratio = subject.us / case.twin.us
            said = (
                f"{view.shape} takes {time_us(subject.us)} us, {rough(ratio)} times "
                f"{case.twin.view.graph} of equal sizes{best.said(subject)}"
            )
            place = where(group_key(subject))
            yield Finding(Fault.UNEVEN, view.op, view.variant, place, said, ratio, subject)


def _cliffs(found: Sequence[Cliff], limit: float, best: _Best) -> Iterator[Finding]:
    for cliff in found:
        # A skewed graph is told of as such.
        if cliff.ratio > limit and cliff.slowest.kind is not Kind.UNEVEN:
            slow, fast = cliff.slowest.subject, cliff.fastest.subject
            said = (
                f"{slow.view.shape} takes {time_us(slow.us)} us, {rough(cliff.ratio)} times "
                f"{fast.view.shape} of as many elements{best.said(slow)}"
            )
            key = cliff.key
            yield Finding(Fault.CLIFF, key.op, cliff.variant, where(key), said, cliff.ratio, slow)


def _jumps(lines: Sequence[Series], best: _Best) -> Iterator[Finding]:
    for line in lines:
        step = line.jump
        if step is not None:
            before, after = step.before.subject, step.after.subject
            said = (
                f"{before.view.shape} to {after.view.shape}: {time_us(before.us)} to "
                f"{time_us(after.us)} us, {rough(step.time_ratio)}x for "
                f"{rough(step.size_ratio)}x the size{best.said(after)}"
            )
            place = where(line.axis.key, line.axis.label)
            size = step.time_ratio / step.size_ratio
            yield Finding(Fault.JUMP, line.axis.key.op, line.variant, place, said, size, after)


def _worst_first(found: Sequence[Finding]) -> list[Finding]:
    """One finding a fault, op and variant: the worst, with how many more there are."""
    kinds: dict[tuple[Fault, str, str], list[Finding]] = {}
    for finding in found:
        kinds.setdefault((finding.fault, finding.op, finding.variant), []).append(finding)
    worst = []
    for same in kinds.values():
        top = max(same, key=lambda f: (f.along_axis, f.size, f.case.view.id))
        worst.append(top._replace(more=len(same) - 1))
    order = list(Fault)
    # What `auto` does goes before what a variant does that nobody has to choose.
    return sorted(
        worst,
        key=lambda f: (f.variant != "auto", order.index(f.fault), -f.size, f.op, f.variant),
    )


def diagnose(
    file: ResultFile,
    pattern: re.Pattern[str] | None = None,
    metric: Metric | None = None,
    limits: Limits | None = None,
) -> Diagnosis:
    """The cases that match `pattern`; the others are there to be held against.

    `file` has to be read whole. Raises Failure as `subjects` does.
    """
    limits = limits or Limits()
    found, others = subjects(file, pattern, metric)
    everything = list(classify_all(found))
    cases = [c for c in everything if pattern is None or pattern.search(c.subject.view.id)]
    lines, falls = list(series(cases)), list(cliffs(cases))
    checked = audit(everything, {case.subject.view.id for case in cases})
    best = _Best(everything)
    findings = [
        *_regrets(checked, limits.regret),
        *_idle(lines, cases, best),
        *_uneven(cases, best),
        *_cliffs(falls, limits.cliff, best),
        *_jumps(lines, best),
    ]
    return Diagnosis(
        path=file.path,
        cases=sorted(cases, key=lambda case: -(case.excess or 0.0)),
        others=others,
        incomplete=bool(file.incomplete_runs()),
        series=lines,
        cliffs=sorted(falls, key=lambda cliff: -cliff.ratio),
        crossovers=list(crossovers(cases)),
        audit=checked,
        findings=_worst_first(findings),
    )
