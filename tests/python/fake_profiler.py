"""Programs that answer as redux-bench, ncu and nsys do where profile.py asks, as they are told.

Usage: fake_profiler.py ROLE SPEC WORDS..., ROLE being target, ncu or nsys, SPEC a JSON file:
"ids"; of the target "says", "exit", "status", "hang", "memory", "empty" (cases
without a launch); of the tools "report" (what a read gives),
"record" (False: no report), "says" (on stderr), "exit", "hang" ("child": in a session of its own).
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

import result_files as rf

FOR_EVER = 600
IDS = [f"argmax/{variant}/float32/1x129280" for variant in ("auto", "thread_per_row", "cub")]
REPORT = Path(__file__).with_name("profiles") / "handwritten-ncu-raw.csv"


def maker(folder: Path):
    """Makes executables of a role in folder/bin, each of which does what it is told."""

    def make(role: str, name: str, **more) -> Path:
        path = folder / "bin" / name
        path.parent.mkdir(exist_ok=True)
        spec = {"ids": IDS, "report": str(REPORT), "words": str(folder / "words.json"), **more}
        told = path.with_name(f"{name}.json")
        told.write_text(json.dumps(spec))
        words = shlex.join([sys.executable, __file__, role, str(told)])
        # The name stays the first word, as that of a program does.
        path.write_text(f'#!/bin/bash\nexec -a "$0" {words} "$@"\n')
        path.chmod(0o755)
        return path

    return make


def after(words: list[str], option: str) -> str | None:
    return words[words.index(option) + 1] if option in words else None


def target(spec: dict, words: list[str]) -> int:
    if "--dry-run" in words:
        if not spec["ids"]:
            print("redux-bench: no case matches", file=sys.stderr)
            return 5
        memory = spec.get("memory", {})
        cases = [
            {"id": i, "memory_bytes": memory.get(i, 1 << 20), "seconds": 1, "unsupported": ""}
            for i in spec["ids"]
        ]
        print(json.dumps({"cases": cases}))
        return 0
    if "--list" in words:
        print(json.dumps([{"id": i, "backend": "cuda", "config": "demo"} for i in spec["ids"]]))
        return 0
    print("target runs", spec.get("says", ""), flush=True)
    statuses = spec.get("status", {})
    launch = {"grid": [64, 1, 1], "block": [256, 1, 1], "occupancy": 0.75, "waves": 0.125}
    cases = []
    for case_id in spec["ids"]:
        facts = None if case_id in spec.get("empty", ()) else launch
        status = statuses.get(case_id, "ok")
        cases.append(rf.case(case_id, status=status, timings=[], launch=facts))
    rf.write(Path(after(words, "--output")), rf.segment(cases))
    if spec.get("hang"):
        time.sleep(FOR_EVER)
    return spec.get("exit", 0)


def record(role: str, spec: dict, words: list[str], place: str) -> int:
    """Runs the program that follows the tool's own words, then leaves a report."""
    first = next(i for i, word in enumerate(words) if word.endswith("fake-bench"))
    target_code = subprocess.run(words[first:]).returncode
    if role == "ncu" and target_code != 0:
        print(f"==ERROR== The application returned an error code ({target_code}).")
    if spec.get("says"):
        print(spec["says"], file=sys.stderr)
    if spec.get("record", True):
        suffix = ".ncu-rep" if role == "ncu" else ".nsys-rep"
        Path(place + ("" if place.endswith(suffix) else suffix)).write_text("a report\n")
    if spec.get("hang") == "child":  # which nothing but its environment ties to the tool
        child = subprocess.Popen(["sleep", str(FOR_EVER)], start_new_session=True)
        Path(spec["pid_file"]).write_text(f"{os.getpid()} {child.pid}")
        time.sleep(FOR_EVER)
    return spec.get("exit", target_code if role == "nsys" else 0)


def tool(role: str, spec: dict, words: list[str]) -> int:
    if "--version" in words:
        print("NVIDIA (R) Nsight (R) Profiler\nVersion 2025.3.1.0 (build 1) (public-release)")
        return 0
    if "--import" in words:
        print(Path(spec["report"]).read_text(), end="")
        return spec.get("read_exit", 0)
    if words[:1] == ["export"]:
        shutil.copy(spec["report"], after(words, "--output"))
        return 0
    place = after(words, "--export" if role == "ncu" else "--output")
    Path(spec["words"]).write_text(json.dumps(words))
    return record(role, spec, words, place)


def main() -> int:
    role, path, *words = sys.argv[1:]
    spec = json.loads(Path(path).read_text())
    return target(spec, words) if role == "target" else tool(role, spec, words)


if __name__ == "__main__":
    sys.exit(main())
