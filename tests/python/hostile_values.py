"""Values that a results file must not hold, put where one has others, for hypothesis."""

from __future__ import annotations

import copy
import json
from typing import Any

import page_files
import result_files as rf
from hypothesis import strategies as st

# What a terminal, a page, a shell, a spreadsheet, a path or an encoding would give a meaning to.
STRINGS = (
    "",
    "\x1b[2J\x1b]0;owned\x07",
    "\x9b31m",
    "a\r\nb\u2028c",
    "</script><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "javascript:alert(1)",
    "$(touch owned); `touch owned`",
    "=cmd|' /C calc'!A1",
    "../../../owned",
    "/owned",
    "x" * 5000,
    "\ud800",
    "[bold]$\\frac{$[/]",
    "\u202egpj",
    "\0",
    "(a+)+$",
    "(",
)
NUMBERS = (-1, 0, 1, 2**53 + 1, 2**64, 10**400, -(10**400), 0.5, 1e308, 5e-324, -0.0)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from(NUMBERS),
    st.sampled_from(STRINGS),
    st.text(max_size=8),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


def lines() -> list[dict[str, Any]]:
    """Two rounds with tensors, graphs, launches, floors and faults: every field that is read."""
    cases = [
        page_files.case("argmax", name, "float32", shape, 2.0 + index)
        for index, (name, shape) in enumerate(
            [
                ("thread_per_row", (1, 4096)),
                ("cub", (1, 4096)),
                ("auto", (1, 4096)),
                ("cub", (1, 65536)),
                ("cub", (64, 1024)),
            ]
        )
    ]
    launch = {
        "grid": [132, 1, 1],
        "block": [256, 1, 1],
        "kernels": 1,
        "memsets": 0,
        "picked": "cub",
        "occupancy": 0.5,
        "waves": 1.5,
    }
    for case in cases:
        case |= {"launch": launch, "gbps": 5.0, "ceiling_share": 0.5, "tags": ["a"]}
        case |= {"data": "random", "seed": 42, "workspace_bytes": 0}
    cases.append(page_files.graph_case("cub", 1.0, "uniform-1000-8", 1000, 8000, 16))
    cases.append(rf.case("argmax/cub/float32/3x3", status="unsupported", reason="no 3x3"))
    cases.append(rf.case("argmax/cub/float32/4x4", status="wrong", reason="row 1"))
    limits = {
        "floor_us": {"graph": 0.5, "stream": 3.0, "host": 0.1},
        "ceiling_gbps": {"read": 4500.0, "copy": 4000.0, "host_read": 100.0},
    }
    rounds = [rf.segment(copy.deepcopy(cases), run_id=f"r{i}", **limits) for i in range(2)]
    rounds[0][0]["config"]["gate"]["overrides"] = [{"match": "/1x", "threshold": 0.1}]
    return copy.deepcopy([line for part in rounds for line in part])


def paths(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value in `value`, itself among them."""
    found = [above]
    if isinstance(value, dict):
        items: Any = value.items()
    else:
        items = enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        found += paths(inner, (*above, key))
    return found


def put(where: Any, path: tuple[Any, ...], value: Any) -> None:
    for key in path[:-1]:
        where = where[key]
    where[path[-1]] = value


@st.composite
def changed_files(draw: Any) -> bytes:
    """A results file in which up to three values are others; the same one may be in all lines."""
    whole = lines()
    for _ in range(draw(st.integers(1, 3))):
        number = draw(st.integers(0, len(whole) - 1))
        ways = paths(whole[number])
        path = draw(st.sampled_from(ways[1:])) if len(ways) > 1 else ()
        value = draw(VALUES)
        alike = [number]
        if draw(st.booleans()):
            kind = whole[number].get("type")
            alike = [i for i, line in enumerate(whole) if line.get("type") == kind]
        for index in alike:
            if path in paths(whole[index]):
                put(whole[index], path, copy.deepcopy(value))
    return "".join(json.dumps(line) + "\n" for line in whole).encode()


@st.composite
def damaged_files(draw: Any) -> bytes:
    """A results file with bytes cut out, put in or changed."""
    data = bytearray("".join(json.dumps(line) + "\n" for line in lines()).encode())
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.integers(0, 40)))
        data[start:end] = draw(st.binary(max_size=12))
    return bytes(data)
