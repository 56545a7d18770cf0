"""The tables of a diagnosis, for the terminal and for Markdown alike: what is wrong comes first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TextIO

from redux_tools.diagnosis import Diagnosis, Fault, Finding, fit_said, where
from redux_tools.diagnosis_axes import Series
from redux_tools.diagnosis_classes import CaseDiagnosis, Kind, rough
from redux_tools.diagnosis_limits import OPTION, Judgement
from redux_tools.dispatch_audit import WORST_SHOWN, choice_said
from redux_tools.summary import time_us
from redux_tools.tables import (
    Cell,
    Column,
    console_for,
    escaped,
    markdown_table,
    one_line,
    terminal_table,
)
from redux_tools.terminal import printable

# GitHub cuts a job's summary at 1 MiB.
MAX_TABLE_BYTES = 200_000
# So many cases are told one by one on a terminal too.
FEW_CASES = 10
STYLES = {
    Fault.REGRET: "bold red",
    Fault.IDLE: "bold red",
    Fault.UNEVEN: "bold yellow",
    Fault.CLIFF: "yellow",
    Fault.JUMP: "yellow",
}
SHORT = {
    Kind.LAUNCH: "launch",
    Kind.DRAM: "DRAM",
    Kind.L2: "L2",
    Kind.UNEVEN: "uneven",
    Kind.IDLE: "idle",
    Kind.SMALL: "small",
    Kind.OTHER: "none near",
}


class Section(NamedTuple):
    """`shown`: rows on a terminal; 0 for what Markdown alone has."""

    title: str
    note: str
    columns: Sequence[Column]
    rows: list[list[Cell | str]]
    shown: int


def _finding_row(found: Finding) -> list[Cell | str]:
    more = f"{found.more} more" if found.more else ""
    name = f"{found.op} {found.variant}"
    return [Cell(found.fault, STYLES[found.fault]), name, found.where, found.said, more]


def _findings(found: Diagnosis) -> Section:
    columns = (
        Column("fault"),
        Column("variant"),
        Column("where", fold=True),
        Column("what", fold=True),
        Column("alike"),
    )
    rows = [_finding_row(finding) for finding in found.findings]
    return Section("What is wrong", "", columns, rows, 25)


def _classes(found: Diagnosis) -> Section:
    """How many cases of each variant are in each class, and the case furthest from its limits."""
    kinds = [kind for kind in SHORT if any(case.kind is kind for case in found.cases)]
    columns = (
        Column("variant"),
        Column("cases", number=True),
        *(Column(SHORT[kind], number=True) for kind in kinds),
        Column("times launch and transfer", number=True),
        Column("at"),
    )
    variants: dict[str, list[CaseDiagnosis]] = {}
    for case in found.cases:
        view = case.subject.view
        variants.setdefault(f"{view.op} {view.variant}", []).append(case)
    rows: list[list[Cell | str]] = []
    for name, own in sorted(variants.items()):
        worst = max(own, key=lambda case: case.excess or 0.0)
        counts = [str(sum(case.kind is kind for case in own) or "") for kind in kinds]
        excess = rough(worst.excess) if worst.excess is not None else "-"
        rows.append([name, str(len(own)), *counts, excess, worst.subject.view.shape])
    names = ", ".join(f"{SHORT[kind]}: {kind}" for kind in kinds)
    note = f"Cases by class ({names}), and the case furthest from what launch and transfer take."
    return Section("What holds the cases down", note, columns, rows, 40)


def _series_row(line: Series) -> list[Cell | str]:
    fit, key = line.fit, line.axis.key
    said = "" if fit is None else f"{fit.exponent:.2f} ({fit.low:.2f} to {fit.high:.2f})"
    flag = Cell("idle and linear", "bold red") if line.linear_while_idle else ""
    step = line.jump
    steep = "" if step is None else f"{rough(step.time_ratio)}x for {rough(step.size_ratio)}x"
    name = f"{key.op} {line.variant}"
    sizes = str(fit.sizes) if fit else ""
    return [name, where(key, line.axis.label), sizes, said, fit_said(line), steep, flag]


def _exponents(found: Diagnosis) -> Section:
    columns = (
        Column("variant"),
        Column("along", fold=True),
        Column("sizes", number=True),
        Column("exponent", number=True),
        Column("of idle sizes", number=True),
        Column("jump", number=True),
        Column(""),
    )

    def key(line: Series) -> tuple[bool, float]:
        return not line.linear_while_idle, -(line.fit.exponent if line.fit else 0.0)

    note = (
        "Time grows as size to the exponent (95% interval of a least-squares line of the logs): "
        "1 is linear, 0 is flat."
    )
    rows = [_series_row(line) for line in sorted(found.series, key=key)]
    return Section("Time against size", note, columns, rows, 12)


def _cliffs(found: Diagnosis) -> Section:
    columns = (
        Column("variant"),
        Column("type"),
        Column("elements", number=True),
        Column("shapes", number=True),
        Column("ratio", number=True),
        Column("slowest"),
        Column("us", number=True),
        Column("fastest"),
        Column("us", number=True),
    )
    rows: list[list[Cell | str]] = []
    for cliff in found.cliffs:
        slow, fast = cliff.slowest.subject, cliff.fastest.subject
        name = f"{cliff.key.op} {cliff.variant}"
        sizes = [str(cliff.elements), str(cliff.shapes), rough(cliff.ratio)]
        ends = [slow.view.shape, time_us(slow.us), fast.view.shape, time_us(fast.us)]
        rows.append([name, cliff.key.group, *sizes, *ends])
    return Section("Equal work, slowest shape over fastest", "", columns, rows, 12)


def _crossovers(found: Diagnosis) -> Section:
    columns = (
        Column("along"),
        Column("smaller"),
        Column("larger"),
        Column("change at", number=True),
        Column("order not clear between", number=True),
    )
    rows: list[list[Cell | str]] = []
    for cross in found.crossovers:
        if cross.of_best:
            key = cross.axis.key
            along = f"{key.op} {where(key, cross.axis.label)}"
            between = f"{cross.low} and {cross.high}"
            rows.append([along, cross.below, cross.above, f"{cross.size:.0f}", between])
    note = f"{len(found.crossovers)} crossings of any two variants are in --json." * bool(rows)
    return Section("Where the best variant changes", note, columns, rows, 12)


def _dispatch(found: Diagnosis) -> Section:
    columns = (
        Column("case"),
        Column("picked"),
        Column("us", number=True),
        Column("best"),
        Column("us", number=True),
        Column("regret", number=True),
        Column(""),
    )
    rows: list[list[Cell | str]] = []
    for choice in found.audit.choices:
        auto, best = choice.auto, choice.best
        regret = Cell(f"{choice.regret:.1%}")
        clear = choice_said(choice)
        picks = [auto.view.picked or "-", time_us(auto.us), best.view.variant, time_us(best.us)]
        rows.append([auto.view.id, *picks, regret, clear])
    mean = found.audit.geometric_mean
    note = f"Geometric mean {mean:.2%} over {len(rows)} shapes." if mean is not None else ""
    return Section("Regret of auto against the best variant", note, columns, rows, WORST_SHOWN)


def _thresholds(found: Diagnosis) -> Section:
    columns = (
        Column("along"),
        Column("best thresholds"),
        Column("regret", number=True),
        Column("auto", number=True),
    )
    rows: list[list[Cell | str]] = []
    for table in found.audit.tables:
        key = table.axis.key
        parts = [
            f"{r.variant} up to {r.up_to:.0f}" if r.up_to is not None else r.variant
            for r in table.ranges
        ]
        auto = "-" if table.auto_regret is None else f"{table.auto_regret:.1%}"
        along = f"{key.op} {where(key, table.axis.label)}"
        rows.append([along, ", then ".join(parts), f"{table.regret:.1%}", auto])
    return Section("Threshold tables that would have been best", "", columns, rows, 0)


def _cases(found: Diagnosis) -> Section:
    columns = (
        Column("case", fold=True),
        Column("us", number=True),
        Column("class"),
        Column("evidence", fold=True),
    )
    rows: list[list[Cell | str]] = [
        [case.subject.view.id, time_us(case.subject.us), Cell(case.kind), case.evidence]
        for case in found.cases
    ]
    few = len(rows) if len(rows) <= FEW_CASES else 0
    return Section("Every case", "", columns, rows, few)


def sections(found: Diagnosis) -> list[Section]:
    made = (_findings, _classes, _dispatch, _exponents, _cliffs, _crossovers, _thresholds, _cases)
    return [section for make in made if (section := make(found)).rows]


def headline(found: Diagnosis) -> str:
    number, cases = len(found.findings), len(found.cases)
    said = f"{number} finding{'s' if number != 1 else ''}" if number else "No finding"
    return f"{said} in {cases} case{'s' if cases != 1 else ''}, {', '.join(found.metrics)}"


def notices(found: Diagnosis, judgement: Judgement) -> list[str]:
    lines = [f"{', '.join(found.devices)}; {found.path}"]
    if found.others:
        counts = ", ".join(f"{number} {status}" for status, number in sorted(found.others.items()))
        lines.append(f"not diagnosed: {counts}")
    if found.incomplete:
        lines.append("a run did not come to its end")
    number = len(judgement.failed)
    if number:
        lines.append(f"{OPTION}: {number} over a limit, the first {judgement.failed[0]}")
    lines += [f"{OPTION}: cannot be judged: {line}" for line in judgement.unknown]
    return lines


def print_diagnosis(
    found: Diagnosis, judgement: Judgement, color: str = "auto", stream: TextIO | None = None
) -> None:
    console = console_for(color, stream)
    console.print(one_line(headline(found), style="bold" if found.findings else "bold green"))
    for line in notices(found, judgement):
        console.print(one_line(line, style="bold red" if line.startswith(OPTION) else ""))
    for section in sections(found):
        if section.shown == 0:
            continue
        console.print()
        console.print(one_line(section.title, style="bold"))
        if section.note:
            console.print(one_line(section.note))
        console.print(terminal_table(section.columns, section.rows[: section.shown]))
        left = len(section.rows) - section.shown
        if left > 0:
            console.print(one_line(f"... and {left} more; --markdown and --json have them"))


def render_markdown(found: Diagnosis, judgement: Judgement) -> str:
    parts = [f"## {headline(found)}\n\n"]
    parts += [f"- {escaped(line)}\n" for line in notices(found, judgement)]
    for section in sections(found):
        rows = [
            [escaped(cell if isinstance(cell, str) else cell.text) for cell in row]
            for row in section.rows
        ]
        parts.append(f"\n### {section.title}\n\n")
        if section.note:
            parts.append(f"{section.note}\n\n")
        parts.append(markdown_table(section.columns, rows, MAX_TABLE_BYTES // 2))
    return printable("".join(parts))
