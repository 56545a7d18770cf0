"""Which cases a line may join: those that differ in one size alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from redux_tools.page_data import CaseView

SIZES = ("rows", "cols", "edges")


class Slice(NamedTuple):
    """`x` names the size that differs, an attribute of CaseView; `label` says it with the rest."""

    x: str
    label: str
    cases: list[CaseView]


def by_field(cases: Sequence[CaseView], key: str) -> dict[object, list[CaseView]]:
    """The cases by one of their fields, in order of first appearance."""
    found: dict[object, list[CaseView]] = {}
    for case in cases:
        found.setdefault(getattr(case, key), []).append(case)
    return found


def distinct(cases: Sequence[CaseView], key: str) -> int:
    return len({getattr(case, key) for case in cases})


def slices(cases: Sequence[CaseView]) -> Iterator[Slice]:
    """The slices of one op and group: page_assets/slices.js has the same."""
    if not any(case.graph for case in cases):
        for fixed, x in (("rows", "cols"), ("cols", "rows")):
            for value, own in by_field(cases, fixed).items():
                one = fixed.removesuffix("s") if value == 1 else fixed
                yield Slice(x, f"{x}, at {value} {one}", own)
        return
    for name, own in by_field(cases, "graph").items():
        yield Slice("cols", f"features, {name}", own)
    for kind, of_kind in by_field(cases, "kind").items():
        for features, own in by_field(of_kind, "cols").items():
            by_edges = distinct(own, "edges") >= distinct(own, "rows")
            x, name = ("edges", "edges") if by_edges else ("rows", "nodes")
            if distinct(own, x) == distinct(own, "graph"):
                yield Slice(x, f"{name}, {kind}, {features} features", own)
