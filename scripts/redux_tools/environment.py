"""What has to agree before two runs are compared, and what is only said where it differs."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from redux_tools.results import ResultFile, Segment

NO_GPU = "no GPU"


def _nested(segment: Segment, *path: str) -> str | None:
    value = segment.header
    for name in path[:-1]:
        inner = value.get(name)
        value = inner if isinstance(inner, dict) else {}
    found = value.get(path[-1])
    return None if found is None else str(found)


# A card's ordinal, uuid and free memory are not here: the same model is the same device.
SOFT_FACTS: tuple[tuple[str, Callable[[Segment], str | None]], ...] = (
    ("driver", lambda segment: segment.env("gpu", "driver") or segment.env("driver")),
    ("CUDA runtime", lambda segment: segment.env("cuda_runtime")),
    (
        "clocks locked",
        lambda segment: segment.env("gpu", "clocks_locked") or segment.env("clocks_locked"),
    ),
    ("host", lambda segment: segment.env("host")),
    ("OS", lambda segment: segment.env("os")),
    ("compiler", lambda segment: segment.env("compiler")),
    ("build", lambda segment: segment.env("build")),
    ("git", lambda segment: _nested(segment, "tool", "git")),
    ("config", lambda segment: _nested(segment, "config", "name")),
    ("config sha256", lambda segment: _nested(segment, "config", "sha256")),
)


def device_of(segment: Segment, backend: str) -> str:
    """The model that a case ran on: the CPU for host variants, else the GPU."""
    if backend == "host":
        return segment.env("cpu") or "unknown CPU"
    return segment.env("gpu", "name") or NO_GPU


def _values(segments: Iterable[Segment], read: Callable[[Segment], str | None]) -> str:
    found = {read(segment) or "unknown" for segment in segments}
    return ", ".join(sorted(found))


def soft_differences(baseline: ResultFile, current: ResultFile) -> list[tuple[str, str, str]]:
    """(fact, in the baseline, in the current run) for each soft fact that differs."""
    differences = []
    for name, read in SOFT_FACTS:
        before, now = _values(baseline.segments, read), _values(current.segments, read)
        if before != now:
            differences.append((name, before, now))
    return differences
