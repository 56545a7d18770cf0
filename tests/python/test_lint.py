"""Format and lint, as tests: each file that fails is a failed test of its own."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import project_files
import pytest
from project_files import ROOT, name

# Formatting and checks change between releases, so one release is meant.
CLANG_MAJOR = "14"
CXX = project_files.files("src", "kernels", "tests", suffixes=(".cpp", ".hpp", ".cu", ".cuh"))
TIDIED = project_files.files("src", "kernels", suffixes=(".cpp",))


def run(*command: object) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in command]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True)


def beside_python(tool: str) -> Path:
    return Path(sys.executable).parent / tool


def assert_clean(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stdout + done.stderr


def test_clang_format():
    assert CXX
    tool = beside_python("clang-format")
    assert re.search(rf"version {CLANG_MAJOR}\.", run(tool, "--version").stdout)
    assert_clean(run(tool, "--dry-run", "-Werror", *CXX))


def test_ruff_check():
    assert_clean(run(beside_python("ruff"), "check", "--no-cache", "scripts", "tests"))


def test_ruff_format():
    assert_clean(run(beside_python("ruff"), "format", "--no-cache", "--check", "scripts", "tests"))


def test_mypy(tmp_path):
    assert_clean(run(beside_python("mypy"), f"--cache-dir={tmp_path}"))


def test_shell_scripts_parse():
    scripts = [*project_files.files("scripts", suffixes=(".sh",)), ROOT / ".ci" / "run"]
    assert len(scripts) >= 4
    for script in scripts:
        assert_clean(run("bash", "-n", script))


def clang_tidy() -> str | None:
    for tool in (f"clang-tidy-{CLANG_MAJOR}", "clang-tidy"):
        found = shutil.which(tool)
        if found and f"version {CLANG_MAJOR}." in run(found, "--version").stdout:
            return found
    return None


def compile_database() -> Path:
    """The build folder, which holds compile_commands.json."""
    build = Path(os.environ.get("REDUX_BUILD_DIR", ROOT / "build" / "dev"))
    path = build / "compile_commands.json"
    assert path.exists(), f"{path}: build first, or set REDUX_BUILD_DIR"
    return build


@pytest.fixture(scope="session")
def tidied() -> dict[str, subprocess.CompletedProcess[str]]:
    """What clang-tidy says of each file, all run side by side."""
    tool = clang_tidy()
    if tool is None:
        pytest.skip(f"needs clang-tidy {CLANG_MAJOR}: other releases check other things")
    build = compile_database()
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    built = {Path(entry["directory"], entry["file"]).resolve() for entry in entries}
    # omp.h is in g++'s own folder, where clang does not look.
    own = run("g++", "-print-file-name=include").stdout.strip()

    def check(path: Path) -> subprocess.CompletedProcess[str]:
        extra = [f"--extra-arg=-idirafter{own}"]
        return run(tool, "--quiet", "-p", build, *extra, path)

    here = [path for path in TIDIED if path in built]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        return dict(zip(map(name, here), pool.map(check, here), strict=True))


@pytest.mark.parametrize("path", [name(path) for path in TIDIED])
def test_clang_tidy(tidied, path):
    if path not in tidied:
        pytest.skip("not part of this build, which has no CUDA")
    assert_clean(tidied[path])
