"""Builds small result files for the tests, in the format that redux-bench writes."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

ENVIRONMENT = {
    "host": "node1",
    "os": "Linux 6.1",
    "cpu": "Some CPU 9000",
    "gpu": {
        "name": "NVIDIA H200",
        "cc": "9.0",
        "sms": 132,
        "uuid": "GPU-1",
        "driver": "580.10",
        "clocks_locked": False,
    },
    "cuda_runtime": "13.0",
    "compiler": "g++ 12.2",
    "build": "Release, CUDA",
}


def timing(
    median_us: float | None = 10.0,
    noise: float | None = 0.002,
    mode: str = "graph",
    cache: str = "cold",
    calls: int = 64,
    n: int = 40,
    **more: Any,
) -> dict[str, Any]:
    """One timing; `noise` is the relative standard deviation that its MAD stands for."""
    usable = median_us is not None and noise is not None
    mad_us = median_us * noise / 1.4826 if usable else None
    return {
        "mode": mode,
        "cache": cache,
        "calls_per_sample": calls,
        "n": n,
        "median_us": median_us,
        "mad_us": mad_us,
        "min_us": median_us,
        "p95_us": median_us,
        "ci95_us": [median_us, median_us] if usable else None,
        "samples_us": [],
        **more,
    }


def case(case_id: str, *timings: dict[str, Any], status: str = "ok", **more: Any) -> dict[str, Any]:
    """One case line; without timings it has one of 10 us where the status is ok."""
    listed = list(timings) or ([timing()] if status == "ok" else [])
    op, variant, dtype, shape = (case_id.split("/") + ["x"] * 4)[:4]
    return {
        "type": "case",
        "id": case_id,
        "op": op,
        "variant": variant,
        "backend": "host" if variant.startswith("host_") else "cuda",
        "dtype": dtype,
        "shape": [int(n) for n in shape.split("x") if n.isdigit()],
        "status": status,
        "reason": "",
        "timings": listed,
        "repro": f"redux-bench --config c.json --filter '^{case_id}$' --seed 42",
        **more,
    }


def header(**more: Any) -> dict[str, Any]:
    return {
        "type": "run",
        "schema": 1,
        "tool": {"version": "0.1.0", "git": "abc"},
        "argv": ["redux-bench"],
        "config": {"name": "demo", "sha256": "00", "gate": {"threshold": 0.05, "overrides": []}},
        "started": "2026-01-01T00:00:00Z",
        "run_id": "r1",
        "env": copy.deepcopy(ENVIRONMENT),
        **more,
    }


END = {"type": "end", "complete": True, "counts": {}, "finished": "2026-01-01T00:01:00Z"}


def segment(cases: list[dict[str, Any]], end: bool = True, **head: Any) -> list[dict[str, Any]]:
    return [header(**head), *cases, *([END] if end else [])]


def write(path: Path, *segments: list[dict[str, Any]]) -> Path:
    lines = [json.dumps(line) for lines in segments for line in lines]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def ids(number: int, variant: str = "cooperative") -> list[str]:
    return [f"argmax/{variant}/float32/1x{1000 + index}" for index in range(number)]


def run_script(name: str, *arguments: object, **environ: str) -> subprocess.CompletedProcess[str]:
    """Runs scripts/`name` as a user does, in a process of its own."""
    command = [sys.executable, str(ROOT / "scripts" / name), *(str(a) for a in arguments)]
    environment = {**os.environ, "NO_COLOR": "1", **environ}
    return subprocess.run(
        command, capture_output=True, text=True, env=environment, stdin=subprocess.DEVNULL
    )


def compare(*arguments: object) -> subprocess.CompletedProcess[str]:
    """As `run_script("compare.py", ...)`, without a process's start: what most tests need."""
    from redux_tools import compare_cli  # not above: the fake bench does without the package

    command = [str(argument) for argument in arguments]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = compare_cli.main(command)
        except SystemExit as ended:  # argparse's own way out
            code = int(ended.code or 0)
    return subprocess.CompletedProcess(command, code, out.getvalue(), err.getvalue())
