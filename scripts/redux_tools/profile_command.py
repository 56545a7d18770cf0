"""The commands that profile.py runs, as lists of words: no shell reads them."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from redux_tools.exit_codes import ExitCode, Failure

DOMAIN = "redux-bench"
# What ncu's range filters give a meaning to; a backslash takes it away.
NCU_SPECIAL = frozenset("\\@,[]/*+")
# More are not named one by one: redux-bench runs the selected cases alone in any case.
MAX_RANGE_FILTERS = 64
ANY_RANGE = f"regex:{DOMAIN}@.+/"
SECTIONS = ("SpeedOfLight", "LaunchStats", "Occupancy", "WarpStateStats")
METRICS = (
    "gpu__time_duration.sum",
    "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
    "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
    "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
    "smsp__sass_average_branch_targets_threads_uniform.pct",
)
REPORT_SUFFIX = {"ncu": ".ncu-rep", "nsys": ".nsys-rep"}
# Where installers put the tools without putting them on the PATH.
PLACES = {
    "ncu": (
        "/usr/local/cuda/bin/ncu",
        "/usr/local/cuda/nsight-compute-*/ncu",
        "/opt/nvidia/nsight-compute/*/ncu",
    ),
    "nsys": (
        "/usr/local/cuda/bin/nsys",
        "/usr/local/cuda/nsight-systems-*/bin/nsys",
        "/opt/nvidia/nsight-systems/*/bin/nsys",
    ),
}


@dataclass(frozen=True)
class Plan:
    """What is to be profiled and how. `ids` is empty where they could not be asked for."""

    tool: str
    program: str  # the tool's executable
    binary: str
    words: tuple[str, ...]  # for redux-bench: configs, filters
    ids: tuple[str, ...]
    folder: Path
    launches: int = 1
    cold: bool = False
    clock_control: str = "none"
    cache_control: str = "all"
    replay_mode: str = "kernel"
    sections: tuple[str, ...] = ()

    @property
    def stem(self) -> Path:
        return self.folder / safe_name(self.ids[0] if len(self.ids) == 1 else "cases")

    @property
    def report(self) -> Path:
        return self.stem.with_name(self.stem.name + REPORT_SUFFIX[self.tool])

    @property
    def results(self) -> Path:
        """What redux-bench itself says of the cases."""
        return self.stem.with_name(self.stem.name + ".jsonl")


def safe_name(text: str) -> str:
    """A file name for any text; different texts have different ones."""
    plain = re.sub(r"[^A-Za-z0-9._=-]+", "-", text).strip("-.")[:80] or "case"
    return f"{plain}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def range_filter(case_id: str) -> str:
    """What ncu's --nvtx-include takes for the push/pop range of that name."""
    escaped = "".join(f"\\{c}" if c in NCU_SPECIAL else c for c in case_id)
    return f"{DOMAIN}@{escaped}/"


def range_filters(ids: Sequence[str]) -> list[str]:
    if not ids or len(ids) > MAX_RANGE_FILTERS:
        return [ANY_RANGE]
    return [range_filter(case_id) for case_id in ids]


def target_command(plan: Plan) -> list[str]:
    command = [plan.binary, *plan.words, "--profile", str(plan.launches)]
    if plan.cold:
        command.append("--profile-cold")
    return [*command, "--output", str(plan.results), "--color", "never"]


def _ncu(plan: Plan) -> list[str]:
    command = [plan.program, "--nvtx"]
    for pattern in range_filters(plan.ids):
        command += ["--nvtx-include", pattern]
    command += ["--profile-from-start", "off"]
    command += ["--clock-control", plan.clock_control, "--cache-control", plan.cache_control]
    command += ["--replay-mode", plan.replay_mode]
    for section in (*SECTIONS, *plan.sections):
        command += ["--section", section]
    command += ["--metrics", ",".join(METRICS)]
    return [*command, "--force-overwrite", "--export", str(plan.report)]


def _nsys(plan: Plan) -> list[str]:
    command = [plan.program, "profile", "--trace", "cuda,nvtx", "--sample", "none"]
    command += ["--cpuctxsw", "none", "--force-overwrite", "true", "--wait", "all"]
    if len(plan.ids) == 1:
        # The program is not ended with the capture: it verifies after it. With several cases each
        # capture would be a report of its own: then all is traced, and ranges tell what counts.
        command += ["--capture-range", "cudaProfilerApi", "--capture-range-end", "stop"]
        command += ["--kill", "none"]
    return [*command, "--output", str(plan.stem)]


def tool_command(plan: Plan) -> list[str]:
    """What records the report."""
    return (_ncu(plan) if plan.tool == "ncu" else _nsys(plan)) + target_command(plan)


def read_command(tool: str, program: str, report: Path) -> list[str]:
    """What turns a report into a file that can be read here; ncu prints it."""
    if tool == "ncu":
        page = ["--page", "raw", "--csv", "--print-units", "base"]
        return [program, "--import", str(report), *page]
    sqlite = report.with_suffix(".sqlite")
    kind = ["--type", "sqlite", "--force-overwrite", "true"]
    return [program, "export", *kind, "--output", str(sqlite), str(report)]


def find_tool(tool: str, path: str | None) -> str:
    """Raises Failure where it is not there."""
    if path is not None:
        if shutil.which(path) is None:
            raise Failure(ExitCode.ENVIRONMENT, f"--tool-path {path}: is no program")
        return path
    found = shutil.which(tool)
    if found is not None:
        return found
    for pattern in PLACES[tool]:
        newest = sorted(Path("/").glob(pattern.lstrip("/")))
        if newest and shutil.which(str(newest[-1])):
            return str(newest[-1])
    name = {"ncu": "Nsight Compute", "nsys": "Nsight Systems"}[tool]
    message = f"{tool} is not here: install {name}, or say --tool-path; --print-command prints "
    raise Failure(ExitCode.ENVIRONMENT, message + "what to run where it is")
