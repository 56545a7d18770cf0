"""Whether `auto` picks well: its regret at each shape, and the thresholds that were best."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import NamedTuple

from redux_tools.diagnosis_axes import Axis, axes, fastest_at, grouped
from redux_tools.diagnosis_classes import CaseDiagnosis
from redux_tools.diagnosis_input import Subject

AUTO = "auto"
WORST_SHOWN = 10


class Choice(NamedTuple):
    """`auto` at one shape against the best variant there.

    `clear`: another variant than the picked one is faster, by intervals that are apart, both than
    `auto` and than the picked one under its own name, which is the same kernel timed twice.
    `robust`: the pick is the best over all graphs of these sizes, which are all that `auto` sees.
    """

    auto: Subject
    best: Subject
    clear: bool
    robust: bool

    @property
    def right(self) -> bool:
        """The pick is the best variant: what is left of the regret is noise."""
        return self.auto.view.picked == self.best.view.variant

    @property
    def regret(self) -> float:
        """The share of time that the best variant would have saved `auto`'s caller: 0.05 for 5%.

        0 where `auto` itself was the fastest, which noise lets it be beside its own pick.
        """
        return max(0.0, self.auto.us / self.best.us - 1)

    def fault(self, limit: float) -> bool:
        """Whether a better pick was to be had from what `auto` sees, by more than `limit`."""
        return self.regret > limit and self.clear and not self.robust


class Range(NamedTuple):
    """Up to and with `up_to` (None: without end) `variant` is best.

    The threshold lies between the measured sizes `last` and `next`; it is where the two variants'
    lines meet there, or else the sizes' geometric mean.
    """

    variant: str
    up_to: float | None
    last: int
    next: int | None


class ThresholdTable(NamedTuple):
    """The fewest ranges of sizes such that each has a variant that is nowhere clearly beaten.

    `regret` and `auto_regret`: geometric means over the sizes, of the table and of `auto`.
    """

    axis: Axis
    ranges: list[Range]
    sizes: int
    regret: float
    auto_regret: float | None


class Audit(NamedTuple):
    """Worst choice first."""

    choices: list[Choice]
    tables: list[ThresholdTable]

    @property
    def geometric_mean(self) -> float | None:
        """The mean regret; None without a choice."""
        return _mean_regret([choice.auto.us / choice.best.us for choice in self.choices])


def _mean_regret(ratios: Sequence[float]) -> float | None:
    """Of time ratios, those below 1 counted as 1; a share."""
    logs = [max(0.0, math.log(ratio)) for ratio in ratios]
    return math.expm1(sum(logs) / len(logs)) if logs else None


def _sizes(subject: Subject) -> tuple[int, int, int]:
    return subject.view.rows, subject.view.cols, subject.view.edges


def _best_over_graphs(graphs: Sequence[Sequence[Subject]]) -> str | None:
    """The variant with the least sum of log times; None for fewer than two graphs."""
    if len(graphs) < 2:
        return None
    logs: dict[str, list[float]] = {}
    for same in graphs:
        for subject in same:
            logs.setdefault(subject.view.variant, []).append(math.log(subject.us))
    everywhere = {name: sum(own) for name, own in logs.items() if len(own) == len(graphs)}
    everywhere.pop(AUTO, None)
    return min(sorted(everywhere), key=lambda name: everywhere[name], default=None)


def _choice(same: Sequence[Subject], graphs: Sequence[Sequence[Subject]]) -> Choice | None:
    auto = next((subject for subject in same if subject.view.variant == AUTO), None)
    others = [subject for subject in same if subject.view.variant != AUTO]
    if auto is None or not others:
        return None
    best = min(others, key=lambda subject: subject.us)
    named = [subject for subject in others if subject.view.variant == auto.view.picked]
    clear = all(best.clearly_below(own) for own in [auto, *named])
    robust = bool(auto.view.picked) and auto.view.picked == _best_over_graphs(graphs)
    return Choice(auto, best, clear, robust)


def _choices(cases: Iterable[CaseDiagnosis]) -> Iterator[Choice]:
    for own in grouped(cases).values():
        shapes: dict[str, list[Subject]] = {}
        for case in own:
            shapes.setdefault(case.subject.view.shape, []).append(case.subject)
        alike: dict[tuple[int, int, int], list[list[Subject]]] = {}
        for same in shapes.values():
            if same[0].view.graph:
                alike.setdefault(_sizes(same[0]), []).append(same)
        for same in shapes.values():
            if (choice := _choice(same, alike.get(_sizes(same[0]), []))) is not None:
                yield choice


def _unbeaten(at: dict[str, Subject]) -> set[str]:
    """The variants of one size that none is clearly faster than."""
    best = min(at.values(), key=lambda subject: subject.us)
    return {name for name, subject in at.items() if not best.clearly_below(subject)}


def _runs(sizes: Sequence[int], at: dict[int, dict[str, Subject]]) -> list[tuple[str, list[int]]]:
    """Taking each run as far as one variant goes unbeaten makes the fewest runs."""
    runs: list[tuple[set[str], list[int]]] = []
    for size in sizes:
        good = _unbeaten(at[size])
        if runs and (common := runs[-1][0] & good):
            runs[-1] = (common, [*runs[-1][1], size])
        else:
            runs.append((good, [size]))

    def total(name: str, own: Sequence[int]) -> float:
        return sum(math.log(at[size][name].us) for size in own)

    return [(min(sorted(names), key=lambda n: total(n, own)), own) for names, own in runs]


def _threshold(
    low: int, high: int, below: str, above: str, at: dict[int, dict[str, Subject]]
) -> float:
    """Where the lines of both variants meet between two sizes; else their geometric mean."""
    middle = math.sqrt(low * high)
    if above not in at[low] or below not in at[high]:
        return middle
    before = math.log(at[low][below].us / at[low][above].us)
    after = math.log(at[high][below].us / at[high][above].us)
    if not before < 0 < after:
        return middle
    share = before / (before - after)
    return math.exp(math.log(low) + share * (math.log(high) - math.log(low)))


def choice_said(choice: Choice) -> str:
    """What excuses a regret, or nothing."""
    if choice.right:
        return "picked the best"
    if choice.robust:
        return "picked the best over graphs of these sizes"
    return "" if choice.clear else "within the noise"


def _table(axis: Axis, members: Sequence[CaseDiagnosis]) -> ThresholdTable | None:
    """None where `auto` or any other variant is missing on this axis."""
    autos = [case.subject for case in members if case.subject.view.variant == AUTO]
    at: dict[int, dict[str, Subject]] = {}
    for name, own in fastest_at(members, axis.x).items():
        for size, subject in own.items():
            at.setdefault(size, {})[name] = subject
    if not autos or len(at) < 2:
        return None
    best = {size: min(subject.us for subject in there.values()) for size, there in at.items()}
    runs = _runs(sorted(at), at)
    ranges = []
    for (name, run), following in zip(runs, [*runs[1:], None], strict=True):
        last = run[-1]
        if following is None:
            ranges.append(Range(name, None, last, None))
            continue
        above, (first, *_) = following
        ranges.append(Range(name, _threshold(last, first, name, above, at), last, first))
    ratios = [at[size][name].us / best[size] for name, run in runs for size in run]
    sized = [(int(getattr(auto.view, axis.x)), auto.us) for auto in autos]
    return ThresholdTable(
        axis,
        ranges,
        len(at),
        _mean_regret(ratios) or 0.0,
        _mean_regret([us / best[size] for size, us in sized if size in best]),
    )


def audit(cases: Sequence[CaseDiagnosis], judged: Container[str]) -> Audit:
    """The choices of `auto` whose case ids are in `judged`, held against all of `cases`."""
    made = (choice for choice in _choices(cases) if choice.auto.view.id in judged)
    choices = sorted(made, key=lambda choice: (-choice.regret, choice.auto.view.id))
    tables = []
    for axis, own in axes(cases):
        members = [c for c in own if c.subject.view.variant != AUTO or c.subject.view.id in judged]
        if (table := _table(axis, members)) is not None:
            tables.append(table)
    return Audit(choices, tables)
