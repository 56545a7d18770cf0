"""Results for the tests of the diagnosis: times that follow known laws, with known launches."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import result_files as rf
from redux_tools.diagnosis import Diagnosis, diagnose
from redux_tools.results import read_results

FLOOR_US = 0.5
READ_GBPS = 4500.0
L2_BYTES = 60 * 2**20
# A grid that fills an H200 and one that leaves nearly all of it idle.
FULL = {"grid": [1056, 1, 1], "block": [256, 1, 1], "occupancy": 1.0, "kernels": 1, "memsets": 0}
ONE_BLOCK = {**FULL, "grid": [1, 1, 1]}
SEED = rf.ROOT / "baselines" / "nvidia-h200"


def case(
    name: str,
    us: float,
    launch: dict[str, Any] | None = None,
    half: float = 0.0,
    **more: Any,
) -> dict[str, Any]:
    """A case whose median lies within +-`half` (a share) of `us`; bytes as of float32 input."""
    timing = rf.timing(us, ci95_us=[us * (1 - half), us * (1 + half)])
    line = rf.case(name, timing, attrs={}, launch=launch or FULL, **more)
    return {"bytes": 4 * math.prod(line["shape"]), **line}


def law(
    variant: str,
    shapes: Iterable[tuple[int, int]],
    time_us: Callable[[int, int], float],
    launch: dict[str, Any] | None = None,
    op: str = "argmax",
    **more: Any,
) -> list[dict[str, Any]]:
    """A variant over shapes: `time_us(rows, cols)`."""
    return [
        case(f"{op}/{variant}/float32/{r}x{c}", time_us(r, c), launch, **more) for r, c in shapes
    ]


def graph(
    variant: str, name: str, nodes: int, edges: int, features: int, us: float, **more: Any
) -> dict[str, Any]:
    gathered = 4 * edges * features
    line = case(f"csr_max/{variant}/float32/{name}x{features}", us, **more)
    sizes = {"shape": [nodes, edges, features], "graph": name, "gathered_bytes": gathered}
    return line | sizes | {"bytes": 8 * nodes * features + 4 * edges}


def segment(cases: list[dict[str, Any]], **head: Any) -> list[dict[str, Any]]:
    limits = {
        "floor_us": {"graph": FLOOR_US, "stream": 3.5, "host": 0.01},
        "ceiling_gbps": {"read": READ_GBPS, "copy": 3800.0, "host_read": 100.0, "host_copy": 90.0},
    }
    found = rf.segment(cases, **{**limits, **head})
    found[0]["env"]["gpu"].setdefault("l2_bytes", L2_BYTES)
    return found


def write(path: Path, cases: list[dict[str, Any]], **head: Any) -> Path:
    return rf.write(path, segment(cases, **head))


def diagnosed(path: Path, cases: list[dict[str, Any]], **head: Any) -> Diagnosis:
    return diagnose(read_results(str(write(path, cases, **head)), whole=True))


def stored(name: str) -> Diagnosis:
    return diagnose(read_results(str(SEED / f"{name}.jsonl"), whole=True))


def said(found: Diagnosis) -> set[tuple[str, str, str]]:
    return {(f.fault.value, f.op, f.variant) for f in found.findings}


SHAPES = [(1, 4096), (1, 16384), (1, 65536), (256, 256)]


def slow(rows: int, cols: int) -> float:
    return cols / 40


def idle_beside_good(path: Path) -> Path:
    """An idle and linear variant, a good one, and an auto that picks the good one."""
    auto = {**FULL, "picked": "single_pass"}
    cases = [
        *law("thread_per_row", SHAPES, slow, ONE_BLOCK),
        *law("single_pass", SHAPES, lambda rows, cols: 2.0),
        *law("auto", SHAPES, lambda rows, cols: 2.02, auto),
    ]
    return write(path, cases)
