"""What holds a case down: one class, with its evidence.

The order of the classes is that of the questions: is it the launch, a skewed graph, memory, an idle
device, or something inside the kernel that only a profiler shows?
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from redux_tools.diagnosis_input import Subject, resident_threads
from redux_tools.summary import time_us

# README, "What is measured": within so many floors a case is marked launch-bound.
LAUNCH_FLOORS = 1.5
# From this share of a limit on the limit is what holds a case down.
NEAR_A_LIMIT = 0.6
# Below this share of the ceiling, memory is waited for and not used up.
FAR_FROM_MEMORY = 0.25
# Mostly idle: fewer of the multiprocessors have a block, or of the resident threads are launched.
IDLE_SM_SHARE = 0.5
IDLE_THREAD_SHARE = 0.125
# Times what floor and transfer take: an idle device that wastes so much is a fault by itself.
IDLE_EXCESS = 10.0
# A skewed graph is to blame from this ratio to its uniform twin on.
UNEVEN_RATIO = 1.5
# Reads from the L2 cache against reads from memory. One H200 read 32 MiB again and again at 6.26
# TB/s and 1 to 8 GiB at 4.58 TB/s; on another card this is an assumption.
L2_OVER_MEMORY = 6.26 / 4.58


class Kind(StrEnum):
    LAUNCH = "launch-bound"
    UNEVEN = "uneven work"
    DRAM = "bandwidth-bound, DRAM"
    L2 = "bandwidth-bound, L2"
    IDLE = "latency-bound, idle device"
    SMALL = "latency-bound, small problem"
    OTHER = "no limit near"


@dataclass(frozen=True, slots=True)
class Rates:
    """Rates in GB/s and their shares of what the device gives; None for what is not known.

    `dram_estimated`: memory traffic was estimated, since gathered rows do not fit the L2 cache.
    """

    dram_gbps: float | None
    dram_share: float | None
    dram_estimated: bool
    l2_gbps: float | None
    l2_share: float | None


@dataclass(frozen=True, slots=True)
class CaseDiagnosis:
    """`excess`: the time over that of empty launches and the transfer of the bytes alone."""

    subject: Subject
    kind: Kind
    evidence: str
    rates: Rates
    floors: float | None  # the time in floors
    excess: float | None
    sm_share: float | None  # multiprocessors that have a block
    thread_share: float | None  # launched threads over those that can be resident
    twin: Subject | None  # the uniform graph of as many nodes, edges and features

    @property
    def mostly_idle(self) -> bool:
        """Few blocks or threads against the device, and memory hardly used."""
        if self.sm_share is None or self.thread_share is None:
            return False
        few = self.sm_share < IDLE_SM_SHARE or self.thread_share < IDLE_THREAD_SHARE
        return few and (self.rates.dram_share or 0.0) < FAR_FROM_MEMORY

    @property
    def idle_fault(self) -> bool:
        """Mostly idle for at least ten times as long as launching and moving the bytes take."""
        return self.mostly_idle and (self.excess or 0.0) >= IDLE_EXCESS


def _rate(count: float, us: float) -> float | None:
    return count / us / 1e3 if count > 0 else None


def _share(rate: float | None, limit: float | None) -> float | None:
    return rate / limit if rate is not None and limit else None


def _memory_bytes(subject: Subject) -> tuple[float, bool]:
    """Bytes that memory has to move, and whether repeated reads were added to them.

    Gathered rows of a table larger than the L2 cache are read again. With neighbours spread evenly
    over a table of T bytes and a cache of C bytes a row is found there C / T of the time.
    """
    view, l2 = subject.view, subject.device.l2_bytes
    if view.edges == 0 or not l2:
        return view.bytes, False
    table = view.rows * (view.gathered_bytes / view.edges)
    if table <= l2:
        return view.bytes, False
    repeated = max(0.0, view.gathered_bytes - table)
    return view.bytes + repeated * (1 - l2 / table), repeated > 0


def _rates(subject: Subject) -> Rates:
    view, l2 = subject.view, subject.device.l2_bytes
    moved, estimated = _memory_bytes(subject)
    memory, gathered = _rate(moved, subject.us), _rate(view.gathered_bytes, subject.us)
    # A warm run of what fits the cache moves nothing from memory.
    from_cache = subject.metric.cache == "warm" and view.bytes <= (l2 or 0)
    if from_cache:
        gathered, memory = gathered or memory, None
    limit = subject.read_gbps and subject.read_gbps * L2_OVER_MEMORY
    return Rates(
        dram_gbps=memory,
        dram_share=_share(memory, subject.ceiling_gbps),
        dram_estimated=estimated,
        l2_gbps=gathered,
        l2_share=_share(gathered, limit),
    )


def _least_us(subject: Subject) -> tuple[float | None, float]:
    """(empty kernels in place of the call's, the transfer alone) in microseconds."""
    view, transfer = subject.view, 0.0
    nodes = subject.launch.nodes if subject.launch else 1
    if subject.ceiling_gbps and subject.read_gbps:
        cached = view.gathered_bytes / (subject.read_gbps * L2_OVER_MEMORY)
        transfer = max(view.bytes / subject.ceiling_gbps, cached) / 1e3
    return subject.floor_us and subject.floor_us * nodes, transfer


def _fill(subject: Subject) -> tuple[float | None, float | None]:
    """Shares of multiprocessors and of resident threads that the launch fills, at most 1."""
    launch, device = subject.launch, subject.device
    if launch is None or device.sms is None:
        return None, None
    resident = resident_threads(launch, device)
    filled = None if resident is None else min(1.0, launch.threads / resident)
    return min(1.0, launch.blocks / device.sms), filled


def rough(ratio: float) -> str:
    """Three digits; from 1000 on all of those before the point."""
    return f"{ratio:.0f}" if ratio >= 1000 else f"{ratio:.3g}"


def _percent(share: float) -> str:
    return f"{100 * share:.2g}%" if share < 0.1 else f"{share:.0%}"


def _memory_said(found: CaseDiagnosis) -> str:
    rates = found.rates
    if rates.dram_share is None or rates.dram_gbps is None:
        return "share of the ceiling not known"
    name = found.subject.ceiling_name
    estimated = ", estimated with repeated reads" if rates.dram_estimated else ""
    share = f"{_percent(rates.dram_share)} of the {name} ceiling"
    return f"{rough(rates.dram_gbps)} GB/s, {share}{estimated}"


def _cache_said(found: CaseDiagnosis) -> str:
    rates = found.rates
    if rates.l2_share is None or rates.l2_gbps is None:
        return ""
    what = "gathered" if found.subject.view.gathered_bytes else "read and written"
    over = " (more than L2 gives: L1 serves part)" if rates.l2_share > 1.05 else ""
    return f"{rough(rates.l2_gbps)} GB/s {what}, {_percent(rates.l2_share)} of L2{over}"


def _fill_said(found: CaseDiagnosis) -> str:
    launch, device = found.subject.launch, found.subject.device
    if launch is None or device.sms is None:
        on_host = found.subject.view.backend == "host"
        return "" if on_host else "its grid is not known"
    resident = round(resident_threads(launch, device) or 0)
    plural = "s" if launch.blocks > 1 else ""
    return (
        f"{launch.blocks} block{plural} for {device.sms} SMs, "
        f"{launch.threads} threads where {resident} can be resident"
    )


def _evidence(found: CaseDiagnosis) -> str:
    subject, twin = found.subject, found.twin
    floors = "" if found.floors is None else f"{found.floors:.1f} times an empty call"
    excess = "" if found.excess is None else f"{rough(found.excess)} times launch and transfer"
    memory, cache, fill = _memory_said(found), _cache_said(found), _fill_said(found)
    if found.kind is Kind.LAUNCH:
        nodes = subject.launch.nodes if subject.launch else 1
        parts = [floors, f"{nodes} kernels and memsets a call" if nodes > 1 else ""]
    elif found.kind is Kind.UNEVEN and twin is not None:
        parts = [
            f"{rough(subject.us / twin.us)} times {twin.view.graph} ({time_us(twin.us)} us)",
            cache,
        ]
    elif found.kind is Kind.DRAM:
        parts = [memory, cache]
    elif found.kind is Kind.L2:
        parts = [cache, memory]
    else:
        parts = [fill, memory, cache, excess]
    return "; ".join(part for part in parts if part)


def _near(share: float | None) -> bool:
    return share is not None and share >= NEAR_A_LIMIT


def _kind(found: CaseDiagnosis) -> Kind:
    subject, rates, twin = found.subject, found.rates, found.twin
    nodes = subject.launch.nodes if subject.launch else 1
    if found.floors is not None and found.floors <= LAUNCH_FLOORS * nodes:
        return Kind.LAUNCH
    slower = twin is not None and subject.us / twin.us >= UNEVEN_RATIO
    if twin is not None and slower and twin.clearly_below(subject):
        return Kind.UNEVEN
    if _near(rates.l2_share) and (rates.l2_share or 0.0) > (rates.dram_share or 0.0):
        return Kind.L2
    if _near(rates.dram_share):
        return Kind.DRAM
    if found.mostly_idle:
        return Kind.IDLE
    floor, transfer = _least_us(subject)
    if floor is not None and transfer < floor and (found.excess or 0.0) < IDLE_EXCESS:
        return Kind.SMALL
    return Kind.OTHER


def classify(subject: Subject, twin: Subject | None = None) -> CaseDiagnosis:
    """The class of `subject`; `twin` as in CaseDiagnosis, None where there is none."""
    floor, transfer = _least_us(subject)
    least = (floor or 0.0) + transfer
    sm_share, thread_share = _fill(subject)
    found = CaseDiagnosis(
        subject=subject,
        kind=Kind.OTHER,
        evidence="",
        rates=_rates(subject),
        floors=subject.us / subject.floor_us if subject.floor_us else None,
        excess=subject.us / least if least > 0 else None,
        sm_share=sm_share,
        thread_share=thread_share,
        twin=twin,
    )
    found = replace(found, kind=_kind(found))
    return replace(found, evidence=_evidence(found))


def _graph_key(subject: Subject) -> tuple[object, ...]:
    view = subject.view
    return view.op, view.variant, view.group, view.backend, view.rows, view.edges, view.cols


def classify_all(subjects: Iterable[Subject]) -> Iterator[CaseDiagnosis]:
    """Each with its twin: same variant and attributes, a uniform graph of the same sizes."""
    listed = list(subjects)
    uniform = {_graph_key(s): s for s in listed if s.view.kind == "uniform"}
    for subject in listed:
        skewed = subject.view.graph and subject.view.kind != "uniform"
        yield classify(subject, uniform.get(_graph_key(subject)) if skewed else None)
