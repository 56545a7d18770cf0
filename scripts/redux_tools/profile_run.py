"""One run of a profiler: the tool, its report, and what redux-bench says of the same calls."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.profile_command import Plan, range_filter, read_command, tool_command
from redux_tools.profile_faults import NO_COUNTERS, no_kernels, tail, target_fault, tool_fault
from redux_tools.profile_kernels import Launch, add_launch_facts, kernels_of
from redux_tools.profile_ncu import read_ncu
from redux_tools.profile_nsys import read_nsys, read_nsys_csv
from redux_tools.profile_process import GRACE_SECONDS, Ended, run_tree
from redux_tools.profile_report import Profile

# Reading a report takes seconds; it is no reason to wait for ever.
READ_SECONDS = 300
# ncu saves what a kernel may write before each of its passes, and restores it after.
FOOTPRINT_BYTES = 16 << 30


def version_of(program: str) -> str:
    """The last word-like line of what it says of itself; empty where it does not."""
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = [line.strip() for line in done.stdout.splitlines() if "ersion" in line]
    return lines[-1].removeprefix("Version ") if lines else ""


def read_report(tool: str, program: str, report: Path, ids: Sequence[str]) -> list[Launch]:
    """The launches in a report, or in what was exported of one. Raises Failure."""
    if report.suffix == ".csv":
        text = report.read_text(encoding="utf-8", errors="replace")
        read = read_nsys_csv if "NVTX Range,Style" in text else read_ncu
        return read(text, str(report), ids)
    if report.suffix == ".sqlite":
        return read_nsys(report, ids)
    command = read_command(tool, program, report)
    errors = report.with_name(report.name + ".read.txt")
    printed = report.with_suffix(".csv") if tool == "ncu" else errors
    ended = run_tree(command, printed, READ_SECONDS, program, GRACE_SECONDS)
    if ended.timed_out:
        message = f"{report}: {tool} took more than {READ_SECONDS} s to read it"
        raise Failure(ExitCode.NOT_MEASURED, message)
    if ended.code != 0:
        fault = tool_fault(tool, ended.said)
        message = f"{report}: {tool} cannot read it (exit {ended.code}){tail(ended.said)}"
        raise fault or Failure(ExitCode.NOT_MEASURED, message)
    if tool == "ncu":
        return read_ncu(ended.said, str(printed), ids)
    return read_nsys(report.with_suffix(".sqlite"), ids)


def footprint_warnings(cases: Sequence[dict[str, Any]]) -> list[str]:
    """`cases`: of redux-bench's dry run. N10: replaying a kernel saves all that it may write."""
    warnings = []
    for case in cases:
        size = case.get("memory_bytes", 0)
        if case.get("unsupported") or size <= FOOTPRINT_BYTES:
            continue
        text = (
            f"{case['id']} needs {size / 2**30:.1f} GiB, and ncu saves and restores memory for "
            "each of its passes: it may be slow or find none left"
        )
        kind = case["id"].split("/")[:3]
        twins = [
            other
            for other in cases
            if other["id"].split("/")[:3] == kind
            and not other.get("unsupported")
            and 0 < other["memory_bytes"] <= FOOTPRINT_BYTES
        ]
        if twins:
            text += f"; a smaller twin is {max(twins, key=lambda c: c['memory_bytes'])['id']}"
        warnings.append(f"{text}; --replay-mode application saves nothing")
    return warnings


def _own_records(path: Path) -> dict[str, dict[str, Any]]:
    """What redux-bench wrote of each case, as far as it came."""
    if not path.exists():
        return {}
    records = {}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            continue  # cut short when the program was ended
        if isinstance(entry, dict) and entry.get("type") == "case":
            records[str(entry.get("id"))] = entry
    return records


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")


def _without_counters(profile: Profile) -> bool:
    durations = [kernel.values["duration_us"] for kernel in profile.kernels]
    return bool(durations) and all(value is None for value in durations)


def _missing(profile: Profile, ids: Sequence[str]) -> list[str]:
    """Cases that ought to have kernels and have none."""
    seen = {kernel.case_id for kernel in profile.kernels}
    return [case_id for case_id in ids if case_id not in seen | profile.idle]


def _launches_nothing(entry: dict[str, Any]) -> bool:
    if entry.get("status") in ("unsupported", "skipped"):
        return True
    launch = entry.get("launch")
    return entry.get("status") == "ok" and (launch is None or launch.get("kernels") == 0)


def _launches(plan: Plan, profile: Profile, ended: Ended) -> list[Launch]:
    report = plan.report
    if not report.exists():
        return []
    profile.report = report
    try:
        return read_report(plan.tool, plan.program, report, plan.ids)
    except Failure as failure:
        if not ended.timed_out:
            raise
        profile.faults.append((failure.code, str(failure)))
        return []


def _judge_timeout(profile: Profile, seconds: float) -> None:
    when = "after capture" if profile.kernels else "before anything was captured"
    message = f"timed out {when}: ended after {seconds:.0f} s with all that it had started"
    profile.faults.append((ExitCode.NOT_MEASURED, message))


def _judge(plan: Plan, profile: Profile, ended: Ended) -> None:
    for status, code in (("wrong", ExitCode.WRONG_RESULT), ("error", ExitCode.NOT_MEASURED)):
        names = [case_id for case_id, found in profile.statuses.items() if found == status]
        if names:
            profile.faults.append((code, f"{status}, as redux-bench says: {_listed(names)}"))
    target = target_fault(plan.tool, ended)
    if target is not None:
        profile.faults.append((target.code, str(target)))
    elif plan.ids and profile.idle.issuperset(plan.ids):
        message = "none of the selected cases launches a kernel: there is nothing to profile"
        raise Failure(ExitCode.NOTHING_COMPARABLE, message)
    elif not profile.kernels:
        raise no_kernels(plan.tool, ended.said)
    elif missing := _missing(profile, plan.ids):
        message = f"no kernel was captured of {len(missing)} of {len(plan.ids)} cases: "
        profile.faults.append((ExitCode.NOT_MEASURED, message + _listed(missing)))


def _clear(plan: Plan) -> None:
    """What an earlier run left must not be taken for this one's."""
    for path in (plan.report, plan.results, plan.report.with_suffix(".sqlite")):
        path.unlink(missing_ok=True)


def run_profile(plan: Plan, seconds: float | None, grace: float = GRACE_SECONDS) -> Profile:
    """Raises Failure where there is nothing to show; other faults are in the profile."""
    command = tool_command(plan)
    profile = Profile(
        tool=plan.tool,
        version=version_of(plan.program),
        command=command,
        report=None,
        filters={case_id: range_filter(case_id) for case_id in plan.ids},
    )
    plan.folder.mkdir(parents=True, exist_ok=True)
    _clear(plan)
    log = plan.stem.with_name(plan.stem.name + ".log")
    ended = run_tree(command, log, seconds, plan.binary, grace)
    if (fault := tool_fault(plan.tool, ended.said)) is not None:
        raise fault
    records = _own_records(plan.results)
    profile.statuses = {case_id: str(entry.get("status")) for case_id, entry in records.items()}
    profile.idle = {case_id for case_id, entry in records.items() if _launches_nothing(entry)}
    launches = _launches(plan, profile, ended)
    profile.kernels = kernels_of(launches)
    for kernel in profile.kernels:
        add_launch_facts(kernel, records.get(kernel.case_id, {}).get("launch"))
    if plan.tool == "ncu" and _without_counters(profile):
        raise Failure(ExitCode.ENVIRONMENT, f"ncu: {NO_COUNTERS}{tail(ended.said)}")
    if ended.timed_out:
        _judge_timeout(profile, ended.seconds)
    else:
        _judge(plan, profile, ended)
    return profile
