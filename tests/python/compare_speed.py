"""Measures how long compare.py takes for two files of many cases, and the memory it takes.

Prints one JSON object. Run by hand: `.venv/bin/python tests/python/compare_speed.py`.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "tests" / "python")]

import result_files as rf  # noqa: E402 - found through the path set above

SAMPLES = 32  # as many as a baseline keeps
LAUNCH = {
    "grid": [132, 1, 1],
    "block": [256, 1, 1],
    "cluster": 1,
    "shared_bytes": 0,
    "registers": 32,
    "occupancy": 1.0,
    "kernels": 1,
    "memsets": 0,
}


def write_file(path: Path, cases: int, seed: int) -> None:
    rng = random.Random(seed)
    with path.open("w", encoding="utf-8") as file:
        file.write(json.dumps(rf.header(run_id=str(seed))) + "\n")
        for index in range(cases):
            samples = [10 * rng.gauss(1, 0.002) for _ in range(SAMPLES)]
            timing = rf.timing(sum(samples) / SAMPLES, n=SAMPLES, samples_us=samples)
            line = rf.case(f"argmax/cooperative/float32/1x{1000 + index}", timing, launch=LAUNCH)
            file.write(json.dumps(line) + "\n")
        file.write(json.dumps(rf.END) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--folder", type=Path, help="for the files; default: a temporary one")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.folder or Path(scratch)
        paths = [folder / "before.jsonl", folder / "after.jsonl"]
        for seed, path in enumerate(paths):
            write_file(path, arguments.cases, seed)
        start = time.monotonic()
        command = [sys.executable, str(ROOT / "scripts" / "compare.py"), *map(str, paths)]
        done = subprocess.run(command, capture_output=True, text=True)
        seconds = time.monotonic() - start
        sizes = [path.stat().st_size for path in paths]
    if done.returncode != 0:
        print(done.stdout + done.stderr, file=sys.stderr)
        return done.returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = {
        "cases": arguments.cases,
        "file_mib": [round(size / 2**20, 1) for size in sizes],
        "seconds": round(seconds, 2),
        "cpu_seconds": round(used.ru_utime + used.ru_stime, 2),
        "peak_mib": round(used.ru_maxrss / 1024),
    }
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
