"""The generated blocks of README.md: the measured table, and the ops with their variants.

A block stands between `<!-- generated: NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import PurePath

from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.results import CaseResult, Metric, ResultFile
from redux_tools.rounds import gather, value_of
from redux_tools.summary import time_us
from redux_tools.tables import Column, markdown_table

RESULTS = "seed-argmax"
OPS = "ops"
SELFTEST = "gate-selftest"
GRAPH = Metric("graph", "cold")
COLUMNS = ("thread_per_row", "block_per_row", "cooperative", "cub", "auto")


@dataclass(frozen=True)
class SourceFigure:
    """What a pull request reports of its own kernels, in microseconds a call with the launch."""

    rows: int
    cols: int
    before_us: str = ""
    after_us: str = ""
    note: str = ""


# ONNX Runtime pull requests 31694 (marked) and 32092; digits as they stand there.
SOURCE_FIGURES = (
    SourceFigure(1, 32000, "695.6", "5.9"),
    SourceFigure(1, 128256, "3009.7", "6.1"),
    SourceFigure(1, 129280, "3098", "46", "(31694)"),
    SourceFigure(1, 202048, "5056.5", "6.4"),
    SourceFigure(1, 262144, "6335.5", "6.3"),
    SourceFigure(8, 202048, "5118.4", "8.7"),
    SourceFigure(32, 202048, "7357.7", "10.7"),
    SourceFigure(4096, 8, "2.3", "2.2"),
    SourceFigure(4096, 128, "18.8", "5.0"),
    SourceFigure(4096, 4096, "552.2", "20.7"),
    SourceFigure(65536, 64, "18.9", "18.9"),
    SourceFigure(65536, 256, "", "28.0"),
    SourceFigure(65536, 1024, "270.1", "67.7"),
    SourceFigure(1, 16777216),
    SourceFigure(64, 1048576),
)


def _us(value: float | None) -> str:
    """Four digits, and from 10000 us on all before the point."""
    return f"{value:.0f}" if value is not None and value >= 1e4 else time_us(value)


def _span(text: str, name: str) -> tuple[int, int]:
    """Where the block's inside is. Raises Failure unless it is there exactly once."""
    pattern = rf"<!-- generated: {re.escape(name)} -->\n(.*?)<!-- end -->"
    found = list(re.finditer(pattern, text, re.DOTALL))
    if len(found) != 1:
        raise Failure(
            ExitCode.USAGE,
            f"README: {len(found)} blocks '<!-- generated: {name} -->' ... '<!-- end -->', needs 1",
        )
    return found[0].span(1)


def block(text: str, name: str) -> str:
    start, end = _span(text, name)
    return text[start:end]


def replaced(text: str, name: str, inside: str) -> str:
    start, end = _span(text, name)
    return text[:start] + inside + text[end:]


@dataclass
class _Measured:
    """The cases of one results file as cells of the table."""

    file: ResultFile

    def __post_init__(self) -> None:
        if not self.file.segments:
            raise Failure(ExitCode.USAGE, f"{self.file.path}: holds no run")
        self.cases = gather(self.file)
        last = self.file.segments[-1]
        self.header = last.header
        # A ceiling that was measured again during the run is in the end line.
        self.ceilings = last.end.get("ceiling_gbps") or self.header.get("ceiling_gbps") or {}
        self.read_gbps = self.ceilings.get("read")

    def case(self, figure: SourceFigure, variant: str) -> CaseResult | None:
        case_id = f"argmax/{variant}/float32/{figure.rows}x{figure.cols}"
        held = [s.cases[case_id] for s in self.file.segments if case_id in s.cases]
        return held[-1] if held else None

    def median_us(self, figure: SourceFigure, variant: str, metric: Metric) -> float | None:
        result = self.case(figure, variant)
        if result is None or self.cases[result.id].status != "ok":
            return None
        value = value_of(self.cases[result.id].rounds.get(metric, []))
        return value.median_us if value else None

    def cell(self, figure: SourceFigure, variant: str, metric: Metric = GRAPH) -> str:
        result = self.case(figure, variant)
        if result is not None and self.cases[result.id].status != "ok":
            return self.cases[result.id].status
        return _us(self.median_us(figure, variant, metric))

    def picked(self, figure: SourceFigure) -> str:
        result = self.case(figure, "auto")
        launch = result.raw.get("launch") if result else None
        return str(launch.get("picked") or "-") if isinstance(launch, dict) else "-"

    def share(self, figure: SourceFigure) -> str:
        """Bytes over time as a share of the read ceiling, for auto."""
        result = self.case(figure, "auto")
        median_us = self.median_us(figure, "auto", GRAPH)
        if result is None or median_us is None or not self.read_gbps:
            return "-"
        return f"{result.raw['bytes'] / median_us / 1e3 / self.read_gbps:.1%}"


def command_of(argv: list[str]) -> str:
    """The command as anyone could give it: no folders of one machine."""
    words: list[str] = []
    for word in argv:
        path = PurePath(word)
        words.append(path.name if path.is_absolute() or not words else word)
    return shlex.join(words)


def _caption(found: _Measured) -> str:
    header = found.header
    env = header.get("env") or {}
    gpu = env.get("gpu") or {}
    tool = header.get("tool") or {}
    floor = header.get("floor_us") or {}
    rounds = max(
        (
            timing.get("rounds", 1)
            for segment in found.file.segments
            for case in segment.cases.values()
            for timing in case.raw.get("timings", [])
        ),
        default=1,
    )
    runs = f", each time the middle one of {rounds} runs" if rounds > 1 else ""
    locked = "locked" if gpu.get("clocks_locked") else "not locked"
    day = str(header.get("started", "unknown"))[:10]
    lines = [
        f"Measured on {day} on one {gpu.get('name', 'unknown GPU')}",
        f"({gpu.get('sms', '?')} SMs, {gpu.get('l2_bytes', 0) / 2**20:.0f} MiB L2, driver "
        f"{gpu.get('driver', '?')}, CUDA {env.get('cuda_runtime', '?')}, clocks {locked}),",
        f"redux-bench {tool.get('version', '?')} ({tool.get('git', '?')}){runs}, with",
        "",
        f"    {command_of([str(word) for word in header.get('argv', [])])}",
        "",
        f"Floor of the same run, an empty kernel: {time_us(floor.get('graph'))} us in a graph, "
        f"{time_us(floor.get('stream'))} us in a stream.",
        f"Ceiling of the same run, a read-only sweep: {time_us(found.read_gbps)} GB/s.",
    ]
    return "\n".join(lines) + "\n"


def results_block(file: ResultFile) -> str:
    """The float32 shapes of configs/seed-argmax.json beside the sources' figures."""
    found = _Measured(file)
    rows = []
    for figure in SOURCE_FIGURES:
        source = f"{figure.before_us or '-'} -> {figure.after_us}" if figure.after_us else "-"
        if figure.note:
            source += f" {figure.note}"
        shape = f"{figure.rows} x {figure.cols}"
        times = [found.cell(figure, variant) for variant in COLUMNS]
        rows.append([shape, source, found.picked(figure), *times, found.share(figure)])
    words = ("rows x cols", "source: before -> after", "`auto` picked")
    numbers = (*(f"`{variant}`" for variant in COLUMNS), "share of ceiling")
    columns = [*map(Column, words), *(Column(name, number=True) for name in numbers)]
    text = markdown_table(columns, rows)
    return f"{_caption(found)}\n{text}"


def parse_ops(text: str) -> dict[str, list[str]]:
    """Lines of the table by op, of the program's list or of the README's block."""
    ops: dict[str, list[str]] = {}
    open_ops: list[str] = []
    inside = False
    for line in text.splitlines():
        if line.startswith("|"):
            inside = True
            for op in open_ops:
                ops[op].append(line)
        elif start := re.match(r"(?:###|-) (?=\S+: )", line):
            if inside:
                open_ops, inside = [], False
            op = line[start.end() :].replace("`", "")
            open_ops.append(op)
            ops[op] = []
    return ops


def has_cuda(ops: dict[str, list[str]]) -> bool:
    return any("| cuda |" in line for lines in ops.values() for line in lines)


def ops_block(listed: str) -> str:
    """The program's list, with ops that have the same variants over one table."""
    by_table: dict[tuple[str, ...], list[str]] = {}
    for op, lines in parse_ops(listed).items():
        by_table.setdefault(tuple(lines), []).append(op)
    parts = []
    for rows, ops in by_table.items():
        heads = "".join("- `{}`: {}\n".format(*op.split(": ", 1)) for op in ops)
        parts.append(heads + "\n" + "".join(f"{line}\n" for line in rows))
    return "\n".join(parts)


def lacking(shown: str, listed: str) -> list[str]:
    """What the program lists and the README's block does not show."""
    have = parse_ops(shown)
    return [
        f"lacks of '{op}': {line}"
        for op, lines in parse_ops(listed).items()
        for line in lines
        if line not in have.get(op, [])
    ]
