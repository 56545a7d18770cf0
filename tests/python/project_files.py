"""The project's own files, for the tests that read them."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = {".git", ".venv", "build", "out", "__pycache__"}


def files(*folders: str, suffixes: tuple[str, ...] = ()) -> list[Path]:
    """Files below `folders` that belong to the project, sorted; all of it without folders."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", *folders],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    if listed.returncode == 0:
        found = [ROOT / name for name in listed.stdout.split("\0") if name]
    else:  # an exported tree, without git
        starts = [ROOT / folder for folder in folders] or [ROOT]
        found = [path for start in starts for path in start.rglob("*")]
    kept = {
        path
        for path in found
        if path.is_file() and not LEFT_OUT & set(path.relative_to(ROOT).parts)
    }
    return sorted(path for path in kept if not suffixes or path.suffix in suffixes)


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))
