"""What a profiler found of each launch, and what of each kernel of a case, in units of our own."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Metric(NamedTuple):
    """`raw`: ncu's names for it, the first that is there counts; `label`: its details page's."""

    key: str
    raw: tuple[str, ...]
    label: str


_SECTORS = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_{}.ratio"
# The units are in the keys: microseconds, percent, bytes.
METRICS = (
    Metric("duration_us", ("gpu__time_duration.sum", "gpu__time_duration.avg"), "Duration"),
    Metric(
        "dram_pct",
        (
            "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
            "dram__throughput.avg.pct_of_peak_sustained_elapsed",
        ),
        "DRAM Throughput",
    ),
    Metric("l2_pct", ("lts__throughput.avg.pct_of_peak_sustained_elapsed",), "L2 Cache Throughput"),
    Metric(
        "occupancy_pct",
        ("sm__warps_active.avg.pct_of_peak_sustained_active",),
        "Achieved Occupancy",
    ),
    Metric(
        "theoretical_occupancy_pct",
        ("sm__maximum_warps_per_active_cycle_pct",),
        "Theoretical Occupancy",
    ),
    Metric("registers", ("launch__registers_per_thread",), "Registers Per Thread"),
    Metric(
        "static_shared_bytes",
        ("launch__shared_mem_per_block_static",),
        "Static Shared Memory Per Block",
    ),
    Metric(
        "dynamic_shared_bytes",
        ("launch__shared_mem_per_block_dynamic",),
        "Dynamic Shared Memory Per Block",
    ),
    Metric("waves", ("launch__waves_per_multiprocessor",), "Waves Per SM"),
    Metric("sectors_per_load", (_SECTORS.format("ld"),), ""),
    Metric("sectors_per_store", (_SECTORS.format("st"),), ""),
    Metric(
        "branch_efficiency_pct",
        ("smsp__sass_average_branch_targets_threads_uniform.pct",),
        "Branch Efficiency",
    ),
)
_TIME_US = {"n": 1e-3, "u": 1.0, "m": 1e3, "": 1e6}
_PREFIX = {"": 1.0, "K": 1e3, "M": 1e6, "G": 1e9}
_SHOWN_STALLS = 3
_LEAST_STALL = 0.01  # a smaller share explains nothing
MOST = 1e15


@dataclass
class Launch:
    """One launch of a kernel. `case_id` is None where it was in no range of a case."""

    case_id: str | None
    kernel: str
    grid: str = ""
    block: str = ""
    values: dict[str, float] = field(default_factory=dict)  # by Metric.key
    stalls: dict[str, float] = field(default_factory=dict)  # by reason, in any unit


@dataclass
class Kernel:
    """The launches of one kernel in one case: medians."""

    case_id: str
    name: str
    full_name: str
    launches: int
    grid: str
    block: str
    values: dict[str, float | None]
    stalls: list[tuple[str, float]]  # (reason, share of all stalls), the worst first


def to_own_unit(key: str, value: float, unit: str) -> float:
    """A value as ncu prints it, in the unit that `key` names."""
    unit = unit.partition("/")[0].strip()
    if key.endswith("_us"):
        match = re.fullmatch(r"([num]?)(?:s|sec|second)", unit)
        return value * _TIME_US[match.group(1)] if match else value * 1e-3
    if key.endswith("_bytes"):
        match = re.fullmatch(r"([KMG]?)byte", unit)
        return value * _PREFIX[match.group(1)] if match else value
    return value


def number(text: str) -> float | None:
    """A number with or without separators of thousands; None for what is none.

    Nor is what no counter reaches, so that sums and other units of it stay finite.
    """
    try:
        value = float(text.replace(",", "").strip())
    except ValueError:
        return None
    return value if abs(value) <= MOST else None  # NaN is no less


def short_name(full: str) -> str:
    """A kernel's name without its namespaces, template arguments and parameters."""
    kept, depth = [], 0
    for character in full.replace("(anonymous namespace)", "<unnamed>"):
        if character in "<(":
            depth += 1
        elif character in ">)":
            depth = max(0, depth - 1)
        elif depth == 0:
            kept.append(character)
    words = "".join(kept).replace("::::", "::").split("::")
    return (words[-1].split() or [full])[-1]


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def _top_stalls(launches: list[Launch]) -> list[tuple[str, float]]:
    total: dict[str, float] = {}
    for launch in launches:
        for reason, weight in launch.stalls.items():
            if reason != "selected":  # a warp that issues is not stalled
                total[reason] = total.get(reason, 0) + weight
    whole = sum(total.values())
    if whole <= 0:
        return []
    worst = sorted(total.items(), key=lambda item: (-item[1], item[0]))
    return [
        (reason, weight / whole)
        for reason, weight in worst[:_SHOWN_STALLS]
        if weight >= _LEAST_STALL * whole
    ]


def kernels_of(launches: Iterable[Launch]) -> list[Kernel]:
    """One entry a kernel and case, in the order in which they were first launched."""
    groups: dict[tuple[str, str, str, str], list[Launch]] = {}
    for launch in launches:
        if launch.case_id is not None:
            key = (launch.case_id, launch.kernel, launch.grid, launch.block)
            groups.setdefault(key, []).append(launch)
    return [
        Kernel(
            case_id=case_id,
            name=short_name(full),
            full_name=full,
            launches=len(group),
            grid=grid,
            block=block,
            values={m.key: _median(one.values.get(m.key) for one in group) for m in METRICS},
            stalls=_top_stalls(group),
        )
        for (case_id, full, grid, block), group in groups.items()
    ]


def _extents(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in re.findall(r"\d+", text))


def add_launch_facts(kernel: Kernel, launch: Mapping[str, object] | None) -> None:
    """Takes what redux-bench's own record of the case says: ncu rounds to two digits after the
    point, which makes 0 waves of one block for a whole device.
    """
    if launch is None:
        return
    for key, kernel_text in (("grid", kernel.grid), ("block", kernel.block)):
        extents = launch.get(key)
        if not isinstance(extents, list) or tuple(extents) != _extents(kernel_text):
            return
    for key, name, factor in (
        ("theoretical_occupancy_pct", "occupancy", 100),
        ("waves", "waves", 1),
    ):
        known = launch.get(name)
        if isinstance(known, int | float):
            kernel.values[key] = known * factor
