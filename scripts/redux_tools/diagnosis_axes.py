"""How time follows size, which shape of equal work is a cliff, and where variants change places."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from redux_tools.diagnosis_classes import CaseDiagnosis
from redux_tools.diagnosis_input import Subject
from redux_tools.slices import slices
from redux_tools.stats import MIN_SIZES_FOR_FIT, PowerLaw, power_law

# From this exponent on time grows about linearly.
ABOUT_LINEAR = 0.75
# Linear growth on an idle device is a fault where the largest size takes so many times what
# launching and moving the bytes take; below, there is little to win.
LINEAR_EXCESS = 4.0
# A step whose time grows by so much more than its size is a jump.
JUMP = 2.0


class GroupKey(NamedTuple):
    """What may be compared: one op, dtype and attributes, backend and rank of the shape."""

    op: str
    group: str
    backend: str
    rank: int


class Axis(NamedTuple):
    """A line of shapes that differ in one size: `x` names it, `label` says the rest."""

    key: GroupKey
    x: str
    label: str


class Step(NamedTuple):
    """Two neighbours on an axis, the smaller size first."""

    before: CaseDiagnosis
    after: CaseDiagnosis
    time_ratio: float
    size_ratio: float


@dataclass(frozen=True, slots=True)
class Series:
    """One variant along one axis, by size. `idle`: the fit over its idle sizes that was judged."""

    axis: Axis
    variant: str
    points: list[CaseDiagnosis]
    fit: PowerLaw | None
    idle: PowerLaw | None
    idle_points: list[CaseDiagnosis]
    steepest: Step | None

    @property
    def linear_while_idle(self) -> bool:
        """Time grows about linearly, or faster, on a device that is mostly idle.

        Not where the exponent's interval holds 0: nobody knows then that it grows at all.
        """
        if self.idle is None or self.idle.exponent < ABOUT_LINEAR or self.idle.low <= 0:
            return False
        return (self.idle_points[-1].excess or 0.0) >= LINEAR_EXCESS

    @property
    def jump(self) -> Step | None:
        step = self.steepest
        if step is None or step.time_ratio < JUMP * step.size_ratio:
            return None
        return step if step.before.subject.clearly_below(step.after.subject) else None


class Cliff(NamedTuple):
    """The slowest and the fastest shape of as many elements."""

    key: GroupKey
    variant: str
    elements: int
    shapes: int
    fastest: CaseDiagnosis
    slowest: CaseDiagnosis

    @property
    def ratio(self) -> float:
        return self.slowest.subject.us / self.fastest.subject.us


class Crossover(NamedTuple):
    """Where two variants change places along an axis.

    `size`: where straight lines between the measured medians on log scales meet. `low` and `high`
    are the nearest sizes where the order is clear, the medians' intervals being apart; between them
    nothing is known. `of_best`: there the best variant of all changes too.
    """

    axis: Axis
    below: str  # faster at `low`
    above: str  # faster at `high`
    size: float
    low: int
    high: int
    of_best: bool


def group_key(subject: Subject) -> GroupKey:
    view = subject.view
    # A vector and a matrix of one row have the same sizes, and are two shapes.
    rank = 0 if view.graph else view.shape.count("x")
    return GroupKey(view.op, view.group, view.backend, rank)


def size_of(subject: Subject, x: str) -> int:
    return int(getattr(subject.view, x))


def grouped(cases: Iterable[CaseDiagnosis]) -> dict[GroupKey, list[CaseDiagnosis]]:
    found: dict[GroupKey, list[CaseDiagnosis]] = {}
    for case in cases:
        found.setdefault(group_key(case.subject), []).append(case)
    return found


def axes(cases: Iterable[CaseDiagnosis]) -> Iterator[tuple[Axis, list[CaseDiagnosis]]]:
    """Every line of two or more sizes, of all variants."""
    for key, own in grouped(cases).items():
        by_id = {case.subject.view.id: case for case in own if case.subject.view.elements > 0}
        for cut in slices([case.subject.view for case in by_id.values()]):
            members = [by_id[view.id] for view in cut.cases]
            if len({size_of(case.subject, cut.x) for case in members}) > 1:
                yield Axis(key, cut.x, cut.label), members


def by_variant(cases: Iterable[CaseDiagnosis]) -> dict[str, list[CaseDiagnosis]]:
    found: dict[str, list[CaseDiagnosis]] = {}
    for case in cases:
        found.setdefault(case.subject.view.variant, []).append(case)
    return found


def _fit(points: Sequence[CaseDiagnosis], x: str) -> PowerLaw | None:
    sizes = [float(size_of(case.subject, x)) for case in points]
    return power_law(sizes, [case.subject.us for case in points])


def _idle_fit(points: Sequence[CaseDiagnosis], x: str) -> PowerLaw | None:
    """Over all idle sizes or over their upper half, whichever is steeper: a floor bends a line."""
    upper = points[len(points) - max(MIN_SIZES_FOR_FIT, math.ceil(len(points) / 2)) :]
    fits = [fit for part in (points, upper) if (fit := _fit(part, x)) is not None]
    return max(fits, key=lambda fit: fit.exponent, default=None)


def _steepest(points: Sequence[CaseDiagnosis], x: str) -> Step | None:
    steps = []
    for before, after in itertools.pairwise(points):
        growth = size_of(after.subject, x) / size_of(before.subject, x)
        if growth > 1:
            steps.append(Step(before, after, after.subject.us / before.subject.us, growth))
    return max(steps, key=lambda step: step.time_ratio / step.size_ratio, default=None)


def series(cases: Iterable[CaseDiagnosis]) -> Iterator[Series]:
    """Each variant along each axis, from three sizes on."""
    for axis, members in axes(cases):
        for variant, own in by_variant(members).items():
            points = sorted(own, key=lambda case: size_of(case.subject, axis.x))
            fit = _fit(points, axis.x)
            if fit is None:
                continue
            idle = [case for case in points if case.mostly_idle]
            found = _idle_fit(idle, axis.x)
            yield Series(axis, variant, points, fit, found, idle, _steepest(points, axis.x))


def cliffs(cases: Iterable[CaseDiagnosis]) -> Iterator[Cliff]:
    """Each variant at each number of elements that it was timed at in two or more shapes."""
    for key, own in grouped(cases).items():
        for variant, mine in by_variant(own).items():
            works: dict[int, list[CaseDiagnosis]] = {}
            for case in mine:
                works.setdefault(case.subject.view.elements, []).append(case)
            for elements, same in works.items():
                shapes = {
                    (c.subject.view.rows, c.subject.view.cols, c.subject.view.graph) for c in same
                }
                if elements > 0 and len(shapes) > 1:
                    same.sort(key=lambda case: case.subject.us)
                    yield Cliff(key, variant, elements, len(shapes), same[0], same[-1])


def _meeting(low: tuple[int, float], high: tuple[int, float]) -> float:
    """Where a straight line through (size, log ratio) on a log axis is zero."""
    (x0, d0), (x1, d1) = low, high
    share = d0 / (d0 - d1)
    return math.exp(math.log(x0) + share * (math.log(x1) - math.log(x0)))


def _order(a: Subject, b: Subject) -> int:
    """-1: `a` is clearly faster, 1: `b` is, 0: their intervals overlap."""
    return -1 if a.clearly_below(b) else 1 if b.clearly_below(a) else 0


def _log_ratio(a: Subject, b: Subject) -> float:
    return math.log(a.us / b.us)


def _crossings(
    first: dict[int, Subject], second: dict[int, Subject]
) -> Iterator[tuple[int, int, float, int]]:
    """(low, high, size, order at low) of each change between two variants' times by size."""
    sizes = sorted(first.keys() & second.keys())
    clear = [(x, o) for x in sizes if (o := _order(first[x], second[x])) != 0]
    for (low, before), (high, after) in itertools.pairwise(clear):
        if before == after:
            continue
        inside = [x for x in sizes if low <= x <= high]
        ratios = [(x, before * _log_ratio(first[x], second[x])) for x in inside]
        meetings = [_meeting(p, q) for p, q in itertools.pairwise(ratios) if p[1] > 0 >= q[1]]
        meeting = meetings[0] if meetings else math.sqrt(low * high)
        yield low, high, meeting, before


def fastest_at(cases: Iterable[CaseDiagnosis], x: str) -> dict[str, dict[int, Subject]]:
    """By variant and size; variants that pick another one are left out."""
    found: dict[str, dict[int, Subject]] = {}
    for case in cases:
        subject = case.subject
        if subject.view.picked or subject.view.variant == "auto":
            continue
        own = found.setdefault(subject.view.variant, {})
        size = size_of(subject, x)
        if size not in own or subject.us < own[size].us:
            own[size] = subject
    return found


def crossovers(cases: Iterable[CaseDiagnosis]) -> Iterator[Crossover]:
    """Every change of order of two variants along every axis."""
    for axis, members in axes(cases):
        times = fastest_at(members, axis.x)
        best: dict[int, str] = {}
        for size in sorted({size for own in times.values() for size in own}):
            there = [name for name, own in times.items() if size in own]
            best[size] = min(there, key=lambda name: times[name][size].us)
        for a, b in itertools.combinations(sorted(times), 2):
            for low, high, meeting, before in _crossings(times[a], times[b]):
                below, above = (a, b) if before < 0 else (b, a)
                of_best = best[low] == below and best[high] == above
                yield Crossover(axis, below, above, meeting, low, high, of_best)
