"""Rules that hold for the tree as a whole: sizes, what may include what, what each folder has."""

from __future__ import annotations

import re

import project_files
import pytest
from project_files import ROOT, name

CODE = (".cpp", ".hpp", ".cu", ".cuh", ".py", ".sh")
MAX_LINES = 400
MAX_KERNEL_LINES = 150
# Parts of the paths of one machine; written in pieces so that this file is clean itself.
MACHINE_PATHS = ("/" + "work/", "/" + "root/", "/tmp/" + "bash_jobs", "/" + "home/")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)


def code(*folders: str, suffixes: tuple[str, ...] = CODE):
    return project_files.files(*folders, suffixes=suffixes)


def includes(path):
    return INCLUDE.findall(path.read_text(encoding="utf-8"))


def test_files_were_found_at_all():
    assert ROOT / "src" / "main.cpp" in code("src")
    assert code("kernels")
    assert code("scripts")
    assert code("tests")


def test_no_file_is_too_long():
    lengths = {
        name(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in code("src", "kernels", "scripts", "tests")
    }
    assert {path: n for path, n in lengths.items() if n > MAX_LINES} == {}


def test_no_kernel_file_is_too_long():
    lengths = {
        name(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in code("kernels", suffixes=(".cu", ".cuh"))
    }
    assert {path: n for path, n in lengths.items() if n > MAX_KERNEL_LINES} == {}


def test_no_path_of_one_machine():
    found = []
    for path in project_files.files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{name(path)}: {part}" for part in MACHINE_PATHS if part in text]
    assert found == []


def test_no_unfinished_work():
    words = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "X" * 3)) + r")\b")
    found = [
        name(p) for p in project_files.files() if p.suffix in CODE and words.search(p.read_text())
    ]
    assert found == []


@pytest.mark.parametrize("folder", ["kernels", "configs", "baselines", "scripts", "tests"])
def test_a_folder_says_what_lives_there(folder):
    text = (ROOT / folder / "README.md").read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert len(text.splitlines()) >= 5


def test_kernels_compile_without_heavy_headers():
    heavy = re.compile(r"^(CLI/|nlohmann/|fmt/)")
    cuda = code("kernels", "src", "tests", suffixes=(".cu", ".cuh"))
    shared = code("kernels", "src/core", suffixes=(".hpp", ".cpp", ".cu", ".cuh"))
    found = [f"{name(p)}: {i}" for p in {*cuda, *shared} for i in includes(p) if heavy.match(i)]
    assert found == []


def test_only_the_command_line_includes_its_parser():
    allowed = ROOT / "src" / "cli"
    found = [
        name(path)
        for path in code("src", "kernels")
        if allowed not in path.parents and any(i.startswith("CLI/") for i in includes(path))
    ]
    assert found == []


def test_cub_is_included_in_its_own_variants_only():
    found = [
        f"{name(path)}: {include}"
        for path in code("kernels", "src")
        for include in includes(path)
        if include.startswith(("cub/", "thrust/")) and not path.name.startswith("cub_")
    ]
    assert found == []
    # The whole of CUB costs seconds a file.
    assert [name(p) for p in code("kernels") if "cub/cub.cuh" in includes(p)] == []


def test_kernels_are_launched_in_one_way():
    common = ROOT / "kernels" / "common"
    found = [
        name(path)
        for path in code("kernels", "src", "tests", suffixes=(".cpp", ".hpp", ".cu", ".cuh"))
        if common not in path.parents and re.search(r"\w\s*<<<", path.read_text(encoding="utf-8"))
    ]
    assert found == []


def test_kernels_know_nothing_of_the_harness():
    harness = {p.name for p in (ROOT / "src").iterdir() if p.is_dir()} - {"core"}
    assert "config" in harness
    found = [
        f"{name(path)}: {include}"
        for path in code("kernels")
        for include in includes(path)
        if include.split("/")[0] in harness and "/" in include
    ]
    assert found == []
