"""What went wrong with a profiler, told apart by what it said."""

from __future__ import annotations

import re
from typing import NamedTuple

from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.profile_process import Ended

NO_PERMISSION = (
    "this user may not read the GPU's performance counters (ERR_NVGPUCTRPERM): run as root, or "
    "let the administrator load the driver with NVreg_RestrictProfilingToAdminUsers=0, or, in a "
    "container, add the capability SYS_ADMIN; --tool nsys needs no counters and still gives times"
)
NO_COUNTERS = f"the report holds kernels but no counters; most often {NO_PERMISSION}"


class _Fault(NamedTuple):
    pattern: re.Pattern[str]
    message: str


# All of them are the machine's: exit 6.
_FAULTS = (
    _Fault(
        re.compile(
            r"ERR_NVGPUCTRPERM|CUPTI_ERROR_INSUFFICIENT_PRIVILEGES|permission to access "
            r"NVIDIA GPU Performance Counters"
        ),
        NO_PERMISSION,
    ),
    _Fault(
        re.compile(r"[Pp]rofiling is not supported on (this )?device|--list-chips"),
        "this version of {tool} does not know the GPU: install a newer one",
    ),
    _Fault(
        re.compile(r"[Dd]river is not compatible with Nsight"),
        "{tool} and the driver do not fit together: install one that the other knows",
    ),
    _Fault(
        re.compile(r"driver resource was unavailable|concurrently collecting profiling data"),
        "another program (DCGM, say) holds the GPU's performance counters: stop it meanwhile",
    ),
    _Fault(
        re.compile(r"failed to connect to the CUDA driver|LibraryNotLoaded"),
        "{tool} finds no CUDA driver that it can work with",
    ),
    _Fault(
        re.compile(r"nsight-compute-lock|[Ff]ailed to (open|create|lock).*lock file"),
        "another {tool} is at work, or left its lock behind: wait for it, or remove the lock file "
        "that it names",
    ),
)
_TARGET_CODE = re.compile(r"application returned an error code \((-?\d+)\)")
# ncu ends the program itself where it cannot go on.
_GAVE_UP = re.compile(r"Failed to profile|Trying to shutdown target application")
_NO_KERNELS = re.compile(r"No kernels were profiled|No reports were generated")
_TAIL_LINES = 8


def tail(text: str) -> str:
    """The end of what a program said, set in."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    return "".join(f"\n  | {line}" for line in lines[-_TAIL_LINES:])


def tool_fault(tool: str, said: str) -> Failure | None:
    """What the machine lacks, where the tool says so, whatever its exit code."""
    for fault in _FAULTS:
        if fault.pattern.search(said):
            message = fault.message.format(tool=tool)
            return Failure(ExitCode.ENVIRONMENT, f"{tool}: {message}{tail(said)}")
    return None


def no_kernels(tool: str, said: str = "") -> Failure:
    why = " (it says so itself)" if _NO_KERNELS.search(said) else ""
    message = f"{tool} ran, and no kernel of the selected cases is in its report{why}"
    return Failure(ExitCode.NOT_MEASURED, message + tail(said))


def target_fault(tool: str, ended: Ended) -> Failure | None:
    """The failure of redux-bench itself, with its own exit code where that is one of ours."""
    match = _TARGET_CODE.search(ended.said)
    code = int(match.group(1)) if match else ended.code
    if code == 0:
        return None
    if tool == "ncu" and (match is None or _GAVE_UP.search(ended.said)):
        message = f"ncu failed with exit {ended.code}{tail(ended.said)}"
        return Failure(ExitCode.NOT_MEASURED, message)
    known = code if code in set(ExitCode) else ExitCode.NOT_MEASURED
    message = f"the profiled program failed with exit {code}{tail(ended.said)}"
    return Failure(ExitCode(known), message)
