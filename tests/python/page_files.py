"""Results for the tests of the page: two ops, several variants and shapes, two timings, faults."""

from __future__ import annotations

from pathlib import Path

import result_files as rf

SHAPES = [(1, 4096), (1, 65536), (1, 1048576), (64, 1024), (256, 256), (1024, 64)]
VARIANTS = {"thread_per_row": 8.0, "warp_per_row": 2.0, "single_pass": 1.0}
HOSTILE = "</script><script>alert(1)</script><b>&"


def case(op, variant, dtype, shape, us, **more):
    text = "x".join(map(str, shape))
    samples = [us * (1 + i / 1000) for i in range(12)]
    timings = [
        rf.timing(us, mode=mode, cache=cache, samples_us=samples, n=12)
        for mode, cache in (("graph", "cold"), ("stream", "warm"))
    ]
    case_id = f"{op}/{variant}/{dtype}/{text}"
    bytes_moved = shape[0] * shape[1] * 4
    return rf.case(
        case_id, *timings, bytes=bytes_moved, compare_to="thread_per_row", attrs={}, **more
    )


def cases(slower=1.0):
    found = [
        case(op, variant, "float32", shape, (2 + shape[0] * shape[1] / 40_000) * factor)
        for op in ("argmax", "cummax")
        for variant, factor in VARIANTS.items()
        for shape in SHAPES
    ]
    found.append(
        case("argmax", "auto", "float32", (1, 4096), 2.2, launch={"picked": "single_pass"})
    )
    found[0]["timings"][0]["median_us"] *= slower
    found.append(rf.case("argmax/cub/float32/3x3", status="unsupported", reason="no 3x3"))
    found.append(rf.case("argmax/cub/float32/4x4", status="wrong", reason=HOSTILE))
    return found


def write(path: Path, slower: float = 1.0, rounds: int = 2) -> Path:
    parts = [
        rf.segment(
            cases(slower),
            run_id=f"r{index}",
            floor_us={"graph": 0.5, "stream": 3.3, "host": 0.01},
            ceiling_gbps={"read": 4500.0, "host_read": 100.0},
        )
        for index in range(rounds)
    ]
    return rf.write(path, *parts)
