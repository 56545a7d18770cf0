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


# Name, nodes and edges.
GRAPHS = [
    ("uniform-1000-8", 1000, 8000),
    ("uniform-2000-8", 2000, 16000),
    ("uniform-4000-8", 4000, 32000),
    ("uniform-8000-1", 8000, 8000),
    ("hub-4000-e8000", 4000, 8000),
    ("ogbn", 500, 700),
]


def graph_case(variant, factor, name, nodes, edges, features):
    us = (3 + edges * features / 50_000) * factor
    line = rf.case(
        f"csr_max/{variant}/float32/{name}x{features}",
        rf.timing(us, samples_us=[us * (1 + i / 1000) for i in range(12)], n=12),
        graph=name,
        bytes=4 * (nodes * features + edges),
        gathered_bytes=4 * edges * features,
        compare_to="serial_node",
    )
    return line | {"shape": [nodes, edges, features]}


def write_graphs(path: Path, graphs=None, widths=(16, 64)) -> Path:
    cases = [
        graph_case(variant, factor, *graph, width)
        for variant, factor in {"serial_node": 20.0, "warp_per_node": 1.0}.items()
        for graph in graphs or GRAPHS
        for width in widths
    ]
    limits = {"floor_us": {"graph": 0.5}, "ceiling_gbps": {"read": 4500.0}}
    return rf.write(path, rf.segment(cases, **limits))


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
