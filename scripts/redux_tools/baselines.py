"""Storing a run as a baseline, and listing those that there are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redux_tools.environment import SOFT_FACTS, device_of
from redux_tools.exit_codes import ExitCode, Failure, NoBaseline
from redux_tools.outputs import write_text
from redux_tools.results import CaseResult, ResultFile, Segment, Timing, read_results
from redux_tools.rounds import gather
from redux_tools.stats import spread_of_rounds

# Enough to look at a distribution by; more would only swell the repository.
MAX_SAMPLES = 32
# A run with more failures than this says more of the machine than of the kernels.
MAX_FAILED_SHARE = 0.1
SELFTEST_NAME = "gate-selftest.jsonl"
FAILED = ("error", "timeout", "invalid_timing")


@dataclass(frozen=True)
class Stored:
    path: Path
    config: str
    device: str
    cases: int
    replaced: bool
    lost_spread: bool  # the one before had the spread between sessions


def slug(device: str) -> str:
    """'NVIDIA H200' -> 'nvidia-h200'. One folder's name, never empty, whatever the device says."""
    return re.sub(r"[^a-z0-9]+", "-", device.lower())[:100].strip("-") or "unnamed-device"


def _refuse(message: str, code: ExitCode) -> Failure:
    return Failure(code, f"not stored: {message}")


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
        # It names the file: as in configs.
        if not re.fullmatch(r"[a-z0-9-]{1,100}", segment.config_name):
            message = (
                f"{results.path}: config name '{segment.config_name[:120]}' is not [a-z0-9-]+, at "
                "most 100 characters"
            )
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


def _refuse_foreign(path: Path, device: str) -> None:
    """Raises Failure where `path` holds the times of another device."""
    if not path.exists():
        return
    there = read_results(str(path))
    if there.case_count and (name := _device(there.segments)) != device:
        message = (
            f"{path} is of '{name}', these results of '{device}'; --allow-different-device "
            "writes all the same"
        )
        raise _refuse(message, ExitCode.ENVIRONMENT)


def _by_config(results: ResultFile) -> dict[str, list[Segment]]:
    configs: dict[str, list[Segment]] = {}
    for segment in results.segments:
        configs.setdefault(segment.config_name, []).append(segment)
    return configs


def _rounds(segments: list[Segment]) -> dict[str, list[CaseResult]]:
    rounds: dict[str, list[CaseResult]] = {}
    for segment in segments:
        for case in segment.cases.values():
            rounds.setdefault(case.id, []).append(case)
    return rounds


def _has_spread(segments: Iterable[Segment]) -> bool:
    return any(
        timing.spread_log is not None
        for segment in segments
        for case in segment.cases.values()
        for timing in case.timings.values()
    )


def accept(
    results: ResultFile, root: Path, to: Path | None = None, any_device: bool = False
) -> list[Stored]:
    """Writes `root`/<device>/<config>.jsonl for each config of `results`, or `to`. Raises Failure.

    `results` has to be read whole.
    """
    check_acceptable(results)
    configs = _by_config(results)
    if to is not None and len(configs) > 1:
        message = f"--to takes one config, these results are of {', '.join(sorted(configs))}"
        raise _refuse(message, ExitCode.USAGE)
    planned = []
    for config, segments in configs.items():
        device = _device(segments)
        path = to or root / slug(device) / f"{config}.jsonl"
        if not any_device:
            _refuse_foreign(path, device)
        planned.append((config, segments, device, path))
    stored = []
    for config, segments, device, path in planned:
        rounds = _rounds(segments)
        lines = [_stored_case(rounds[case_id]) for case_id in sorted(rounds)]
        counts: dict[str, int] = {}
        for line in lines:
            counts[line["status"]] = counts.get(line["status"], 0) + 1
        replaced = path.exists()
        had_spread = replaced and _has_spread(read_results(str(path)).segments)
        has_spread = any("spread_log" in timing for line in lines for timing in line["timings"])
        end = {**segments[-1].end, "counts": counts}
        _write(path, [segments[-1].header, *lines, end])
        lost = had_spread and not has_spread
        stored.append(Stored(path, config, device, len(lines), replaced, lost))
    return stored


@dataclass(frozen=True)
class Refreshed:
    path: Path
    config: str
    timings: int  # whose spread is new
    kept: int  # whose rounds were too few, and that have what they had


def _check_same_build(config: str, segments: list[Segment]) -> None:
    """Raises Failure unless the rounds are of one build and one config: A/A."""
    for name, read in SOFT_FACTS:
        found = {read(segment) or "unknown" for segment in segments}
        if name in ("git", "config sha256") and len(found) > 1:
            message = f"config {config}: the rounds differ in {name}: {', '.join(sorted(found))}"
            raise _refuse(message, ExitCode.USAGE)


def refresh_spread(results: ResultFile, root: Path, any_device: bool = False) -> list[Refreshed]:
    """Puts the spread between the rounds of `results` into the stored baselines; times stay.

    Raises Failure: as `accept`, where the rounds are not of one build, and NoBaseline.
    """
    check_acceptable(results)
    refreshed = []
    for config, segments in _by_config(results).items():
        _check_same_build(config, segments)
        device = _device(segments)
        path = root / slug(device) / f"{config}.jsonl"
        if not path.exists():
            raise NoBaseline(f"{path}: there is no such baseline; accept one first")
        if not any_device:
            _refuse_foreign(path, device)
        refreshed.append(_refresh(path, config, _rounds(segments)))
    return refreshed


def _refresh(path: Path, config: str, rounds: dict[str, list[CaseResult]]) -> Refreshed:
    baseline = read_results(str(path), whole=True)
    new = kept = 0
    lines: list[dict[str, Any]] = []
    for segment in baseline.segments:
        lines.append(segment.header)
        for case in segment.cases.values():
            for timing, raw in zip(case.timings.values(), case.raw["timings"], strict=True):
                medians = [
                    found.median_us
                    for result in rounds.get(case.id, [])
                    if (found := result.timings.get(timing.metric)) and found.median_us
                ]
                spread = spread_of_rounds(medians)
                if spread is None:
                    kept += 1
                    continue
                raw["spread_log"], raw["rounds"] = spread, len(medians)
                new += 1
            lines.append(case.raw)
        lines.append(segment.end)
    if new == 0:
        raise _refuse("three rounds of a case are the least for a spread", ExitCode.NOT_MEASURED)
    _write(path, lines)
    return Refreshed(path, config, new, kept)


def baseline_files(root: Path) -> Iterator[Path]:
    """The stored results; what a gate's self-test found stands beside them and is none."""
    for path in sorted(root.glob("*/*.jsonl")):
        if path.name != SELFTEST_NAME:
            yield path
