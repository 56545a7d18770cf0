"""The page's main charts as PNG and SVG files, for documents that take no page (matplotlib)."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import matplotlib
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.page_data import CaseView, PageData
from redux_tools.profile_command import safe_name
from redux_tools.slices import Slice, by_field, distinct, slices

matplotlib.use("Agg")  # files only; no display is asked for
matplotlib.rcParams["text.parse_math"] = False  # a name with $ in it is no formula

# Okabe and Ito's colours; with the markers no two of up to 42 variants are alike.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000")
MARKERS = ("o", "s", "^", "D", "P", "v")
FORMATS = ("png", "svg")
LONGEST_STEM = 150  # a file's name has 255 bytes


def _median_us(case: CaseView, metric: str) -> float:
    return case.timings[metric].median_us


def _draw_variants(axes: Axes, cases: list[CaseView], metric: str, x: str) -> None:
    names = sorted({case.variant for case in cases})
    for index, name in enumerate(names):
        own = sorted((c for c in cases if c.variant == name), key=lambda c: int(getattr(c, x)))
        axes.plot(
            [getattr(case, x) for case in own],
            [_median_us(case, metric) for case in own],
            color=COLOURS[index % len(COLOURS)],
            marker=MARKERS[index % len(MARKERS)],
            markerfacecolor="white",
            label=name,
        )


def _widest(cases: list[CaseView]) -> Slice | None:
    """The slice that has the most sizes; None where none has two."""
    best = max(slices(cases), key=lambda one: distinct(one.cases, one.x), default=None)
    return best if best is not None and distinct(best.cases, best.x) > 1 else None


def _time_figure(data: PageData, cases: list[CaseView], metric: str) -> Figure | None:
    widest = _widest([case for case in cases if case.elements > 0])
    if widest is None:
        return None
    x, label, own = widest
    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    _draw_variants(axes, own, metric, x)
    backend = next((case.backend for case in own if case.backend != "host"), "host")
    floor = data.floors_us.get(f"{backend} {metric.split('/')[0]}")
    if floor:
        axes.axhline(floor, color="0.3", linestyle="--", linewidth=1, label="floor: an empty call")
    ceiling = data.ceilings_gbps.get(backend)
    if ceiling and metric.endswith("/cold"):
        sized = sorted({(getattr(case, x), case.bytes) for case in own if case.bytes > 0})
        axes.plot(
            [size for size, _ in sized],
            [count / ceiling / 1e3 for _, count in sized],
            color="0.3",
            linestyle=":",
            label="read ceiling",
        )
    axes.set(xscale="log", yscale="log", xlabel=label, ylabel=f"microseconds a call, {metric}")
    return figure


def _roofline_figure(data: PageData, cases: list[CaseView], metric: str) -> Figure | None:
    own = [case for case in cases if case.bytes > 0]
    if not own or not metric.endswith("/cold"):
        return None
    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    for index, name in enumerate(sorted({case.variant for case in own})):
        mine = [case for case in own if case.variant == name]
        axes.scatter(
            [case.bytes for case in mine],
            [case.bytes / _median_us(case, metric) / 1e3 for case in mine],
            edgecolors=COLOURS[index % len(COLOURS)],
            facecolors="white",
            marker=MARKERS[index % len(MARKERS)],
            label=name,
        )
    backend = next((case.backend for case in own if case.backend != "host"), "host")
    if ceiling := data.ceilings_gbps.get(backend):
        axes.axhline(ceiling, color="0.3", linestyle="--", linewidth=1, label="read ceiling")
    axes.set(xscale="log", yscale="log", xlabel="bytes that have to be moved", ylabel="GB/s")
    return figure


def _iso_figure(data: PageData, cases: list[CaseView], metric: str) -> Figure | None:
    """The number of elements that has the most shapes, three or more."""
    works = by_field([case for case in cases if case.elements > 0], "elements")
    if not works:
        return None
    # Of graphs: with as many features and edges, more nodes have fewer edges each.
    x, name = ("rows", "nodes") if any(case.graph for case in cases) else ("cols", "cols")
    elements, own = max(works.items(), key=lambda item: distinct(item[1], x))
    if distinct(own, x) < 3:
        return None
    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    _draw_variants(axes, own, metric, x)
    label = f"{name}, at {elements} elements"
    axes.set(xscale="log", yscale="log", xlabel=label, ylabel=f"microseconds a call, {metric}")
    return figure


def _speed_figure(data: PageData, cases: list[CaseView], metric: str) -> Figure | None:
    """Every variant against `compare_to`, shape by shape from few elements to many."""
    against = next((case.compare_to for case in cases if case.compare_to), "")
    base = {case.shape: _median_us(case, metric) for case in cases if case.variant == against}
    if not base:
        return None
    ordered = sorted(cases, key=lambda case: (case.elements, case.rows))
    shapes = list(dict.fromkeys(case.shape for case in ordered if case.shape in base))
    figure, axes = plt.subplots(figsize=(8, 5), layout="constrained")
    for index, name in enumerate(sorted({case.variant for case in cases})):
        own = [case for case in cases if case.variant == name and case.shape in base]
        axes.scatter(
            [shapes.index(case.shape) for case in own],
            [base[case.shape] / _median_us(case, metric) for case in own],
            edgecolors=COLOURS[index % len(COLOURS)],
            facecolors="white",
            marker=MARKERS[index % len(MARKERS)],
            label=name,
        )
    axes.axhline(1, color="0.3", linestyle="--", linewidth=1)
    step = max(1, len(shapes) // 12)
    axes.set_xticks(range(0, len(shapes), step), shapes[::step], rotation=45, ha="right")
    axes.set(yscale="log", ylabel=f"times as fast as {against}, {metric}")
    return figure


def _figures(data: PageData) -> Iterator[tuple[str, str, Figure]]:
    """(name, title, figure) for each op, group and timing that has something to draw."""
    kinds = (
        ("time", _time_figure),
        ("speed-up", _speed_figure),
        ("equal-work", _iso_figure),
        ("roofline", _roofline_figure),
    )
    for op, of_op in by_field(data.cases, "op").items():
        for group, of_group in by_field(of_op, "group").items():
            for metric in data.metrics:
                cases = [case for case in of_group if metric in case.timings]
                for kind, draw in kinds:
                    figure = draw(data, cases, metric) if cases else None
                    if figure is not None:
                        yield f"{op}-{group}-{metric}-{kind}", f"{op} {group}, {metric}", figure


def write_plots(data: PageData, folder: Path) -> list[Path]:
    """Two files a chart; returns them. Raises Failure where they cannot be written."""
    with warnings.catch_warnings():
        # That a font lacks a character, and the like: it would print the character itself.
        warnings.simplefilter("ignore", UserWarning)
        return _write_plots(data, folder)


def _write_plots(data: PageData, folder: Path) -> list[Path]:
    written = []
    for name, title, figure in _figures(data):
        figure.axes[0].set_title(title)
        figure.axes[0].grid(color="0.9")
        figure.axes[0].legend(fontsize="small", loc="center left", bbox_to_anchor=(1.0, 0.5))
        # One file's name, whatever a results file calls its ops and types.
        stem = re.sub(r"[^\w.=-]+", "-", name, flags=re.ASCII).lstrip(".-")
        if len(stem) > LONGEST_STEM:
            stem = safe_name(name)
        for suffix in FORMATS:
            path = folder / f"{stem}.{suffix}"
            try:
                folder.mkdir(parents=True, exist_ok=True)
                # No date in it: the same results make the same file.
                figure.savefig(path, dpi=120, metadata={"Date": None} if suffix == "svg" else None)
            except OSError as error:
                message = f"--png {path}: cannot be written: {error.strerror}"
                raise Failure(ExitCode.USAGE, message) from None
            written.append(path)
        plt.close(figure)
    return written
