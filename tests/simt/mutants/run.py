"""Seeds faults in copies of the kernels, one at a time, and checks that each is found.

usage: run.py BUILD_DIR [NAME...]

BUILD_DIR is a build with REDUX_SANITIZE=ON that holds redux-simt-mutant. A mutant (mutants.toml) is
compiled as the build compiles kernels for the SIMT executor, and that program runs it. Exit code
0: every mutant was caught by the check that has to catch it, and the same kernels without the
fault passed. 1: not so. 2: nothing could be run. With NAMEs only those mutants, for trying.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SECONDS_A_RUN = 120
CAUGHT = re.compile(r"^caught by ([a-z-]+): (.*)$", re.MULTILINE)
UNDEFINED = re.compile(r"^\S*?([^/\s]+:\d+):\d+: runtime error: (.*)$", re.MULTILINE)


class Unusable(Exception):
    """Why nothing can be run."""


@dataclass(frozen=True)
class Edit:
    file: str
    find: str
    replace: str


# One dtype in place of six: these faults do not depend on it, and it compiles in a third of time.
ONE_DTYPE = [
    Edit("order.cuh", "  switch (c.dtype) {\n", "#if 0\n"),
    Edit(
        "order.cuh",
        "  return directed.template operator()<std::int64_t, false>();\n",
        "#endif\n  return policed.template operator()<float>();\n",
    ),
]


@dataclass
class Subject:
    """A kernel file with edits; `expected` is empty for a control, which has to pass."""

    name: str
    about: str
    variant: str
    part: str
    expected: str
    edits: list[Edit] = field(default_factory=list)


@dataclass
class Outcome:
    subject: Subject
    found: str  # the check, "nothing", or why it could not be run
    text: str
    seconds: float

    @property
    def good(self) -> bool:
        return self.found == (self.subject.expected or "nothing")


def subjects_of(path: Path, only: list[str]) -> list[Subject]:
    """Controls first: they run longest."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    setups = {
        part: [Edit(**edit) for edit in entry["edit"]] for part, entry in data["part"].items()
    }
    mutants = []
    for entry in data["mutant"]:
        part = entry.get("part", "whole")
        edits = [*setups.get(part, []), *(Edit(**edit) for edit in entry["edit"])]
        mutants.append(
            Subject(
                entry["name"], entry["about"], entry["variant"], part, entry["caught_by"], edits
            )
        )
    known = {mutant.name for mutant in mutants}
    if len(known) != len(mutants):
        raise Unusable(f"{path.name}: two mutants have the same name")
    if unknown := set(only) - known:
        raise Unusable(f"no mutant is named {', '.join(sorted(unknown))}")
    mutants = [mutant for mutant in mutants if not only or mutant.name in only]
    pairs = sorted({(mutant.variant, mutant.part) for mutant in mutants})
    controls = [
        Subject(f"control {Path(variant).stem} {part}", "", variant, part, "", setups.get(part, []))
        for variant, part in pairs
    ]
    return controls + mutants


def compile_words(build: Path) -> list[str]:
    """How the build compiles a kernel for the executor, without its source and its output."""
    database = build / "compile_commands.json"
    if not database.exists():
        raise Unusable(f"{database} is missing: build first")
    for entry in json.loads(database.read_text(encoding="utf-8")):
        if not entry["file"].endswith("generated/simt/kernels/argminmax/single_pass.cu.cpp"):
            continue
        words = shlex.split(entry["command"])
        if "-fsanitize=undefined" not in words:
            raise Unusable(f"{build} is not a build with REDUX_SANITIZE=ON")
        del words[words.index("-o") : words.index("-o") + 2]
        del words[words.index("-c") : words.index("-c") + 2]
        return words
    raise Unusable(f"{build} has no SIMT executor (libboost-context-dev)")


def make_copy(subject: Subject, folder: Path) -> str:
    """Copies the kernels and edits them; says what did not fit, or nothing."""
    shutil.copytree(ROOT / "kernels", folder)
    for edit in [*ONE_DTYPE, *subject.edits]:
        path = folder / edit.file if "/" in edit.file else folder / "argminmax" / edit.file
        text = path.read_text(encoding="utf-8")
        if (count := text.count(edit.find)) != 1:
            return f"{edit.file} has {edit.find.strip()!r} {count} times, not once"
        path.write_text(text.replace(edit.find, edit.replace), encoding="utf-8")
    return ""


def compile_copy(subject: Subject, folder: Path, words: list[str]) -> str:
    """Makes folder.so; says what went wrong, or nothing."""
    kernels = str(ROOT / "kernels")
    words = [word.replace(f"-I{kernels}", f"-I{folder}") for word in words]
    source = folder.with_suffix(".cpp")
    source.write_text(f'#include "argminmax/{subject.variant}"\n', encoding="utf-8")
    obj = folder.with_suffix(".o")
    done = subprocess.run(
        [*words, "-w", "-o", str(obj), "-c", str(source)], capture_output=True, text=True
    )
    if done.returncode == 0:
        # Without the compiler's sanitizer options: what they would link is in the driver.
        compiler = next(word for word in words if not word.endswith("ccache"))
        link = [compiler, "-shared", "-o", str(folder.with_suffix(".so")), str(obj)]
        done = subprocess.run(link, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr.strip()


def run_driver(subject: Subject, library: Path, build: Path) -> tuple[str, str]:
    """The check that found something and what it says; ("nothing", "") where none did."""
    try:
        done = subprocess.run(
            [str(build / "redux-simt-mutant"), str(library), subject.part],
            capture_output=True,
            text=True,
            timeout=SECONDS_A_RUN,
            # Threads that a fault stopped in the middle never free what they hold.
            env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"},
        )
    except subprocess.TimeoutExpired:
        return "a time limit", f"the driver ran for more than {SECONDS_A_RUN} s"
    if done.returncode == 0:
        return "nothing", ""
    if found := CAUGHT.search(done.stdout):
        return found[1], found[2]
    if undefined := UNDEFINED.search(done.stderr):
        return "undefined-behaviour", f"{undefined[2]}; at {undefined[1]}"
    return "a failure", f"exit code {done.returncode}: {(done.stdout + done.stderr).strip()}"


def try_one(subject: Subject, folder: Path, words: list[str], build: Path) -> Outcome:
    start = time.monotonic()
    found, text = "a mutant that does not fit", make_copy(subject, folder)
    if not text:
        found, text = "a failed compilation", compile_copy(subject, folder, words)
    if not text:
        found, text = run_driver(subject, folder.with_suffix(".so"), build)
    return Outcome(subject, found, text, time.monotonic() - start)


def report(outcome: Outcome) -> None:
    subject = outcome.subject
    mark = "ok  " if outcome.good else "FAIL"
    what = f"caught by {outcome.found}" if outcome.found != "nothing" else "nothing found"
    if not outcome.good:
        what += f", expected {subject.expected or 'nothing'}"
    print(f"{mark} {subject.name} ({subject.variant}, {outcome.seconds:.1f} s): {what}")
    for line in (subject.about, outcome.text):
        if line:
            print(f"       {line if len(line) <= 400 or not outcome.good else line[:397] + '...'}")
    sys.stdout.flush()


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0].startswith("-"):
        print(__doc__)
        return 2
    build = Path(arguments[0]).resolve()
    start = time.monotonic()
    try:
        words = compile_words(build)
        if not (build / "redux-simt-mutant").exists():
            raise Unusable(f"{build} has no redux-simt-mutant: build that target")
        subjects = subjects_of(HERE / "mutants.toml", arguments[1:])
    except Unusable as why:
        print(f"run.py: {why}", file=sys.stderr)
        return 2
    workers = min(os.cpu_count() or 1, 8)
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(workers) as pool:
        jobs = [
            pool.submit(try_one, subject, Path(scratch, f"m{i}"), words, build)
            for i, subject in enumerate(subjects)
        ]
        outcomes = []
        for job in jobs:
            outcomes.append(job.result())
            report(outcomes[-1])
    mutants = [outcome for outcome in outcomes if outcome.subject.expected]
    controls = [outcome for outcome in outcomes if not outcome.subject.expected]
    print(
        f"{sum(o.good for o in mutants)} of {len(mutants)} mutants caught by the check meant, "
        f"{sum(o.good for o in controls)} of {len(controls)} controls passed, "
        f"{time.monotonic() - start:.0f} s"
    )
    return 0 if all(outcome.good for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
