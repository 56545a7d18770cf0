"""Storing a run as a baseline, and listing those that there are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redux_tools.environment import device_of
from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.outputs import write_text
from redux_tools.results import CaseResult, ResultFile, Segment, Timing
from redux_tools.rounds import gather
from redux_tools.stats import spread_of_rounds

# Enough to look at a distribution by; more would only swell the repository.
MAX_SAMPLES = 32
# A run with more failures than this says more of the machine than of the kernels.
MAX_FAILED_SHARE = 0.1
FAILED = ("error", "timeout", "invalid_timing")


@dataclass(frozen=True)
class Stored:
    path: Path
    config: str
    device: str
    cases: int
    replaced: bool


def slug(device: str) -> str:
    """'NVIDIA H200' -> 'nvidia-h200'."""
    return re.sub(r"[^a-z0-9]+", "-", device.lower()).strip("-")


def _refuse(message: str, code: ExitCode) -> Failure:
    return Failure(code, f"not accepted as a baseline: {message}")


def check_acceptable(results: ResultFile) -> None:
    """Raises Failure for a run that later runs must not be measured by."""
    if results.case_count == 0:
        raise _refuse(f"{results.path}: there is no case in it", ExitCode.NOTHING_COMPARABLE)
    for segment in results.incomplete_runs():
        message = f"{results.path}: config {segment.config_name} did not run to its end"
        raise _refuse(message, ExitCode.NOT_MEASURED)
    for segment in results.segments:
        argv = segment.header.get("argv") or []
        if segment.header.get("handicap") or any("--handicap" in str(word) for word in argv):
            raise _refuse(f"{results.path}: was run with --handicap", ExitCode.USAGE)
        if not re.fullmatch(r"[a-z0-9-]+", segment.config_name):
            message = f"{results.path}: config name '{segment.config_name}' is not [a-z0-9-]+"
            raise _refuse(message, ExitCode.USAGE)
    cases = gather(results)
    wrong = [case.id for case in cases.values() if case.status == "wrong"]
    if wrong:
        message = f"{len(wrong)} wrong cases, the first is {wrong[0]}"
        raise _refuse(message, ExitCode.WRONG_RESULT)
    ran = [case for case in cases.values() if case.status in ("ok", *FAILED)]
    bad = [case for case in ran if case.status in FAILED]
    if not any(case.rounds for case in ran):
        raise _refuse(f"{results.path}: no case was timed", ExitCode.NOTHING_COMPARABLE)
    if len(bad) > MAX_FAILED_SHARE * len(ran):
        message = f"{len(bad)} of {len(ran)} cases failed, the first is {bad[0].id}"
        raise _refuse(message, ExitCode.NOT_MEASURED)
    for segment in results.segments:
        for case in segment.cases.values():
            spoilt = [timing for timing in case.timings.values() if not timing.valid]
            if case.status == "ok" and spoilt:
                message = f"{case.id}: {spoilt[0].metric} has no valid median"
                raise _refuse(message, ExitCode.NOT_MEASURED)


def _thinned(samples: Any) -> Any:
    """At most MAX_SAMPLES of the samples, evenly spaced in the order they were taken."""
    if not isinstance(samples, list) or len(samples) <= MAX_SAMPLES:
        return samples
    last = len(samples) - 1
    return [samples[round(i * last / (MAX_SAMPLES - 1))] for i in range(MAX_SAMPLES)]


def _stored_timing(timings: list[tuple[Timing, dict[str, Any]]]) -> dict[str, Any]:
    """The round of the median time, as it was measured, with the spread over the rounds."""

    def time_us(item: tuple[Timing, dict[str, Any]]) -> float:
        return item[0].median_us or 0.0

    _, middle = sorted(timings, key=time_us)[(len(timings) - 1) // 2]
    stored = {**middle, "samples_us": _thinned(middle.get("samples_us"))}
    spread = spread_of_rounds([time_us(item) for item in timings])
    if spread is not None:
        stored["spread_log"] = spread
        stored["rounds"] = len(timings)
    return stored


def _stored_case(rounds: list[CaseResult]) -> dict[str, Any]:
    failed = [result for result in rounds if result.status != "ok"]
    if failed:
        return {**failed[0].raw, "timings": []}
    by_metric: dict[str, list[tuple[Timing, dict[str, Any]]]] = {}
    for result in rounds:
        for timing, raw in zip(result.timings.values(), result.raw["timings"], strict=True):
            by_metric.setdefault(str(timing.metric), []).append((timing, raw))
    return {**rounds[0].raw, "timings": [_stored_timing(each) for each in by_metric.values()]}


def _write(path: Path, lines: list[dict[str, Any]]) -> None:
    try:
        text = "".join(
            json.dumps(line, allow_nan=False, separators=(",", ":")) + "\n" for line in lines
        )
    except ValueError as error:  # a number in a field that nothing compares
        raise _refuse(f"{path}: {error}", ExitCode.USAGE) from None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"{path.parent}: cannot be made: {error.strerror}"
        raise Failure(ExitCode.USAGE, message) from None
    write_text("", path, text)


def _device(segments: list[Segment]) -> str:
    """The GPU where any case ran on one, else the CPU. Raises Failure for two devices."""
    cases = [case for segment in segments for case in segment.cases.values()]
    backend = "cuda" if any(case.backend == "cuda" for case in cases) else "host"
    devices = {device_of(segment, backend) for segment in segments}
    if len(devices) > 1:
        found = ", ".join(sorted(devices))
        raise _refuse(f"one config was run on several devices: {found}", ExitCode.ENVIRONMENT)
    device = devices.pop()
    if not slug(device):
        raise _refuse(f"the device has no usable name: '{device}'", ExitCode.ENVIRONMENT)
    return device


def accept(results: ResultFile, root: Path) -> list[Stored]:
    """Writes `root`/<device>/<config>.jsonl for each config of `results`. Raises Failure."""
    check_acceptable(results)
    configs: dict[str, list[Segment]] = {}
    for segment in results.segments:
        configs.setdefault(segment.config_name, []).append(segment)
    stored = []
    for config, segments in configs.items():
        rounds: dict[str, list[CaseResult]] = {}
        for segment in segments:
            for case in segment.cases.values():
                rounds.setdefault(case.id, []).append(case)
        lines = [_stored_case(rounds[case_id]) for case_id in sorted(rounds)]
        counts: dict[str, int] = {}
        for line in lines:
            counts[line["status"]] = counts.get(line["status"], 0) + 1
        device = _device(segments)
        path = root / slug(device) / f"{config}.jsonl"
        replaced = path.exists()
        end = {**segments[-1].end, "counts": counts}
        _write(path, [segments[-1].header, *lines, end])
        stored.append(Stored(path, config, device, len(lines), replaced))
    return stored


def baseline_files(root: Path) -> Iterator[Path]:
    yield from sorted(root.glob("*/*.jsonl"))
