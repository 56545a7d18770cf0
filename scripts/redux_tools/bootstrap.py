"""Lets a script be started with any Python: it goes on in the project's own environment.

Standard library only, since it runs before the packages are known to be there.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
NEEDED = ("numpy", "scipy", "rich")


def use_project_environment() -> None:
    """Replaces this process by the one of `.venv` where a needed package is missing here.

    Exits with 6 where there is no such environment.
    """
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if not missing:
        return
    python = PROJECT / ".venv" / "bin" / "python"
    inside = Path(sys.prefix).resolve() == (PROJECT / ".venv").resolve()
    if python.exists() and not inside:
        os.execv(python, [str(python), *sys.argv])
    sys.stderr.write(
        f"error: Python at {sys.executable} lacks {', '.join(missing)}. "
        "Make the project's environment with: "
        "python3 -m venv .venv && .venv/bin/pip install -r scripts/requirements.txt\n"
    )
    sys.exit(6)
