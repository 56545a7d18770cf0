"""Writes the inputs that fuzzing starts from: make_seeds.py FOLDER, a folder a target in it.

They are made and not kept, so that the repository holds no binary files, and the project's own
configs are always among them.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

SWEEP = '{"op":"argmax","variants":["host_serial"],"dtypes":["float32"],"shapes":[[4,8]]%s}'


def with_sweeps(*sweeps: str, more: str = "") -> str:
    return '{"version":1,"name":"s"' + more + ',"sweeps":[' + ",".join(sweeps) + "]}"


def over(shape: str) -> str:
    return with_sweeps((SWEEP % "").replace("[[4,8]]", f"[{shape}]"))


GRAPHS = (
    '{"op":"csr_max","variants":["host_serial"],"dtypes":["float16"],"index":["int32","int64"],'
    '"features":[4,{"pow2":[0,3]}],"graphs":[{"kind":"cyclic","nodes":64,"degree":4},'
    '{"kind":"hub","nodes":9,"edges":30,"share":50,"ids":"local"},'
    '{"kind":"with_empty","nodes":50,"degree":3,"share":10},{"kind":"uniform","nodes":7,"edges":9},'
    '{"kind":"power_law","nodes":99,"degree":5}]}'
)
GRAPH_FILES = (
    '{"op":"csr_max","dtypes":["int32"],"features":[1],"graphs":[{"file":"g.mtx"},'
    '{"row_ptr":"r.npy","col_idx":"c.npy"}]}'
)
CONFIGS = {
    "plain": with_sweeps(SWEEP % ""),
    "f01-mark": "\ufeff" + with_sweeps(SWEEP % ""),
    "f03-duplicate": with_sweeps(SWEEP % ',"shapes":[[4,9]]'),
    "f04-trailing-comma": with_sweeps(SWEEP % ","),
    "f05-comments": "// a\n" + with_sweeps(SWEEP % ',"axis":/* last */-1') + "/* end */ // end",
    "f08-beyond-32-bits": over("[1,5500000000]"),
    "f09-too-large": over("[1,18446744073709551615]"),
    "f09-product": over("[4294967296,4294967296,0]"),
    "f09-seed": with_sweeps(SWEEP % ',"seed":18446744073709551615'),
    "f11-sizes": over('[1,"2M"],[1,1e6],[1,4.5],[true,null]'),
    "f11-ranges": with_sweeps(
        '{"op":"cummax","dtypes":["int64"],"grid":[[1,{"linear":[4096,1024,0]}],'
        '{"geometric":[3,100,3]}],"axis":0}'
    ),
    "f12-typo": with_sweeps(SWEEP % ',"dtpyes":["int32"]', more=',"repeat":50'),
    "f13-dtypes": with_sweeps((SWEEP % "").replace('"float32"', '"flaot32","fp16","",32')),
    "f15-empty": with_sweeps((SWEEP % "").replace('["float32"]', "[]")),
    "settings": with_sweeps(
        SWEEP % ',"tags":["a.b"],"nan":"propagate","data":["ties","nan_all"],"compare_to":"auto"',
        more=',"description":"\\u00e4\\ud83d\\ude00","measure":{"modes":["graph"],"caches":["warm"],'
        '"min_samples":2,"max_samples":3,"max_seconds":0.5},"gate":{"threshold":0.05,'
        '"overrides":[{"match":"/1x|a+$","threshold":1e-1}]}',
    ),
    "too-many": with_sweeps(
        '{"op":"cumsum","dtypes":["int32"],"grid":[{"linear":[0,99999999,1]}]}'
    ),
    "graphs": with_sweeps(GRAPHS),
    "graph-files": with_sweeps(GRAPH_FILES),
    "data-files": with_sweeps('{"op":"argmin","data":[{"file":"a/b.npy"}]}'),
    "deep": "[" * 40,
}

MATRICES = {
    "general": "%%MatrixMarket matrix coordinate pattern general\n% c\n3 3 2\n1 2\n3 1\n",
    "symmetric": "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 -1.5e3\n2 1 nan\n",
    "integer": "%%matrixmarket MATRIX coordinate integer general\r\n2 2 1\r\n +1\t2 7 \r\n",
    "no-nodes": "%%MatrixMarket matrix coordinate pattern general\n0 0 0",
    "many-nodes": "%%MatrixMarket matrix coordinate pattern general\n9223372036854775807 "
    "9223372036854775807 1\n1 1\n",
    "many-entries": "%%MatrixMarket matrix coordinate pattern general\n2 2 9223372036854775807\n",
}


def npy(descr: str, shape: str, data: bytes, major: int = 1, order: str = "False") -> bytes:
    header = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n".encode()
    length = struct.pack("<H" if major == 1 else "<I", len(header))
    return b"\x93NUMPY" + bytes([major, 0]) + length + header + data


ARRAYS = {
    "float32": npy("<f4", "(2, 3)", bytes(24)),
    "float64": npy("<f8", "(1,)", bytes(8), major=2),
    "row-ptr": npy("<i4", "(3,)", struct.pack("<3i", 0, 1, 3)),
    "row-ptr-64": npy("<i8", "(2,)", struct.pack("<2q", 0, 2), major=3),
    "bfloat16": npy("<u2", "(2,)", bytes(4)),
    "scalar": npy("<f2", "()", bytes(2)),
    "huge": npy("<f4", "(4611686018427387904, 4)", b""),
    "negative": npy("<f4", "(-1,)", b""),
    "fortran": npy("<f4", "(1, 1)", bytes(4), order="True"),
    "structured": b"\x93NUMPY\x01\x00\x18\x00{'descr':[('a','<f4')],}\n",
}


def csr(width: str, row_ptr: list[int], col_idx: list[int]) -> bytes:
    lead = bytes([len(row_ptr) << 1 | (width == "q")])
    values = [*row_ptr, *col_idx]
    return lead + struct.pack(f"<{len(values)}{width}", *values)


CSRS = {
    "sound": csr("i", [0, 2, 2, 3], [2, 0, 1]),
    "sound-64": csr("q", [0, 1, 2], [1, 1]),
    "s11-no-edges": csr("i", [0] * 6, []),
    "s13-one-entry": csr("q", [0], [1, 2]),
    "s14-falls": csr("i", [0, 5, 3, 8], [0] * 8),
    "negative": csr("i", [-9, -1024, 0], [0]),
    "outside": csr("q", [0, 1], [-1]),
}


def main(folder: Path) -> None:
    configs = {path.stem: path.read_bytes() for path in (ROOT / "configs").glob("*.json")}
    configs |= {name: text.encode() for name, text in CONFIGS.items()}
    configs["f01-utf16"] = CONFIGS["plain"].encode("utf-16")
    seeds = {
        "config": configs,
        "matrix_market": {name: text.encode() for name, text in MATRICES.items()},
        "npy": {
            f"{name}-{lead[0]}": lead + data
            for name, data in ARRAYS.items()
            for lead in (b"\0", b"\1")
        },
        "csr": CSRS,
    }
    for target, inputs in seeds.items():
        (folder / target).mkdir(parents=True, exist_ok=True)
        for name, data in inputs.items():
            (folder / target / name).write_bytes(data)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
