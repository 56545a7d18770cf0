"""What is found out of two files as wholes, before any case is judged."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from redux_tools.environment import device_of, soft_differences
from redux_tools.results import ResultFile


@dataclass
class Preconditions:
    """`comparable` is False where the GPU differs: nothing that ran on it can be compared."""

    notices: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    comparable: bool = True
    gate: bool = True  # False: of another device, shown and not judged
    other_device: bool = False
    environment_differs: bool = False


def _names(models: set[str]) -> str:
    return " and ".join(f"'{model}'" for model in sorted(models))


def _models(file: ResultFile, backend: str) -> set[str]:
    return {
        device_of(segment, backend)
        for segment in file.segments
        if any(case.backend == backend for case in segment.cases.values())
    }


def _check_devices(
    baseline: ResultFile, current: ResultFile, allowed: bool, found: Preconditions
) -> None:
    for backend, kind in (("cuda", "GPU"), ("host", "CPU")):
        before, now = _models(baseline, backend), _models(current, backend)
        if backend == "cuda" and before and not now:
            now = {device_of(segment, backend) for segment in current.segments} - before
        if not before or not now or before == now:
            continue
        found.other_device = True
        text = f"the baseline's {kind} is {_names(before)}, this run's is {_names(now)}"
        if allowed:
            found.gate = False
            found.notices.append(f"not a gate: {text}")
        elif backend == "cuda":
            found.comparable = False
            found.warnings.append(f"{text}; --allow-different-device compares all the same")
        else:
            found.warnings.append(f"{text}: host variants are not compared")


def _warn_of(file: ResultFile, side: str, warnings: list[str]) -> None:
    for segment in file.incomplete_runs():
        name = segment.config_name or "unnamed"
        how = "its end line says complete: false" if segment.ended else "it has no end line"
        warnings.append(f"the {side} is incomplete: config {name}: {how}")
    if any(segment.header.get("handicap") for segment in file.segments):
        warnings.append(f"the {side} was slowed down on purpose (--handicap)")
    throttled = [
        case.id
        for segment in file.segments
        for case in segment.cases.values()
        if any(timing.throttled for timing in case.timings.values())
    ]
    if throttled:
        count, first = len(set(throttled)), throttled[0]
        warnings.append(f"clocks were held down for {count} cases of the {side}: {first}")


def _gates(file: ResultFile) -> set[str]:
    configs = (segment.header.get("config", {}) for segment in file.segments)
    return {json.dumps(config.get("gate"), sort_keys=True) for config in configs}


def preconditions(
    baseline: ResultFile, current: ResultFile, allow_different_device: bool
) -> Preconditions:
    found = Preconditions()
    for name, before, now in soft_differences(baseline, current):
        found.environment_differs = True
        found.warnings.append(f"{name} differs: {before} in the baseline, {now} now")
    _warn_of(baseline, "baseline", found.warnings)
    _warn_of(current, "current run", found.warnings)
    if _gates(baseline) != _gates(current):
        found.notices.append(
            "the config's gate section differs from the baseline's: the current one is used"
        )
    _check_devices(baseline, current, allow_different_device, found)
    return found
