"""A program that answers as redux-bench does where the gate asks, with times from a file.

Usage: fake_bench.py SPEC OPTIONS..., SPEC being a JSON file: "times" (id: microseconds), "factors"
(id: factor), "status" (id: status), "noise", "sleep" (seconds before anything is written), "exit".
The noise is drawn by the name of the output: each process of a gate has its own, always the same.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import re
import sys
import time
from pathlib import Path

import result_files as rf


def measured(spec: dict, ids: list[str], rules: list[str], output: Path) -> list[dict]:
    rng = random.Random("/".join(output.parts[-3:]))
    cases = []
    for case_id in ids:
        status = spec.get("status", {}).get(case_id, "ok")
        if status != "ok":
            cases.append(rf.case(case_id, status=status, reason="as told"))
            continue
        factor = spec.get("factors", {}).get(case_id, 1.0)
        for pattern, _, by in (rule.rpartition("=") for rule in rules):
            factor *= float(by) if re.search(pattern, case_id) else 1.0
        noise = spec.get("noise", 0.001)
        us = spec["times"][case_id] * factor * math.exp(rng.gauss(0, noise))
        samples = [us * math.exp(rng.gauss(0, 0.001)) for _ in range(12)]
        cases.append(rf.case(case_id, rf.timing(us, 0.001, samples_us=samples, n=12)))
    return cases


def main() -> int:
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("spec", type=Path)
    for option in ("--config", "--handicap"):
        parser.add_argument(option, action="append", default=[])
    for option in ("--filter", "--output", "--color", "--format", "--backend", "--max-seconds"):
        parser.add_argument(option)
    for flag in ("--quiet", "--list", "--env"):
        parser.add_argument(flag, action="store_true")
    given = parser.parse_args()
    spec = json.loads(given.spec.read_text())
    ids = [name for name in spec["times"] if re.search(given.filter or "", name)]
    if given.env:
        print(json.dumps({"tool": {}, "env": rf.ENVIRONMENT}))
        return 0
    if not ids:
        print("redux-bench: no case matches", file=sys.stderr)
        return 5
    if given.list:
        print(json.dumps([{"id": i, "backend": "cuda", "config": "demo"} for i in ids]))
        return 0
    time.sleep(spec.get("sleep", 0))
    output = Path(given.output)
    cases = measured(spec, ids, given.handicap, output)
    run_id = f"{time.time_ns()}"
    rf.write(output, rf.segment(cases, run_id=run_id))
    return spec.get("exit", 0)


if __name__ == "__main__":
    sys.exit(main())
