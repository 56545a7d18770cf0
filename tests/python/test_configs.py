"""Configs against configs/schema.json and against redux-bench, which must agree.

The program is REDUX_BENCH, or build/release/redux-bench.
"""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

ROOT = Path(__file__).resolve().parents[2]
CONFIGS = sorted(p for p in (ROOT / "configs").glob("*.json") if p.name != "schema.json")
SCHEMA = json.loads((ROOT / "configs/schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER)
PROGRAM = Path(os.environ.get("REDUX_BENCH", ROOT / "build/release/redux-bench"))

# A string, or a comment: what looks like a comment inside a string is matched as the string.
TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)


def strip_comments(text: str) -> str:
    return TOKEN.sub(lambda m: m[0] if m[0].startswith('"') else " ", text)


def sweep(**keys) -> dict:
    """A good sweep with these keys changed; None takes a key away."""
    base = {"op": "argmax", "variants": ["*"], "dtypes": ["float32"], "shapes": [[2, 3]]}
    return {k: v for k, v in (base | keys).items() if v is not None}


def config(*sweeps: dict, **keys) -> dict:
    base = {"version": 1, "name": "t", "sweeps": list(sweeps) or [sweep()]}
    return {k: v for k, v in (base | keys).items() if v is not None}


def grid(*axes) -> dict:
    return config(sweep(shapes=None, grid=list(axes)))


def graph_sweep(*graphs: dict, **keys) -> dict:
    return sweep(op="csr_max", shapes=None, graphs=list(graphs), **({"features": [8]} | keys))


CYCLIC = {"kind": "cyclic", "nodes": 640, "degree": 16}

GOOD = {
    "plain": config(),
    "schema key": config(**{"$schema": "schema.json"}),
    "all keys": config(
        sweep(
            compare_to="host_serial",
            axis=-1,
            nan="propagate",
            data=["random", "ties"],
            seed=7,
            tags=["a.b_c-D1"],
            grid=[[1, 2], {"pow2": [0, 4]}],
        ),
        description="d",
        measure={
            "modes": ["stream"],
            "caches": ["warm", "cold"],
            "min_samples": 1,
            "max_samples": 1,
            "max_seconds": 0.5,
        },
        gate={"threshold": 0.1, "overrides": [{"match": "/1x|^a", "threshold": 9.9}]},
    ),
    "variants left out": config(sweep(variants=None)),
    "grid alone": grid([1], [1, {"linear": [2, 9, 3]}, 7]),
    "geometric": grid({"geometric": [1, 64, 4]}, [5]),
    "zero rows": config(sweep(shapes=[[0, 5]])),
    "rank 1": config(sweep(shapes=[[5]])),
    "beyond 32 bits": config(sweep(shapes=[[1, 5500000000]])),
    "largest seed": config(sweep(seed=2**64 - 1)),
    "a graph": config(graph_sweep(CYCLIC)),
    "graphs of all keys": config(
        graph_sweep(
            {"kind": "hub", "nodes": 5, "edges": 9, "share": 50, "ids": "local"},
            {"kind": "with_empty", "nodes": 5, "degree": 2, "share": 0, "ids": "random"},
            {"kind": "power_law", "nodes": 0, "degree": 0},
            features=[0, {"pow2": [0, 4]}],
            nan="skip",
            empty="0",
            index=["int32", "int64"],
            data=["ties", "specials"],
        )
    ),
    "features of a range": config(graph_sweep(CYCLIC, features={"linear": [1, 9, 4]})),
    "six dtypes": config(
        sweep(dtypes=["float16", "bfloat16", "float32", "float64", "int32", "int64"])
    ),
}

# Refused by both.
BAD = {
    "no version": config(version=None),
    "version 2": config(version=2),
    "version as text": config(version="1"),
    "no name": config(name=None),
    "name with a blank": config(name="a b"),
    "capital name": config(name="A"),
    "empty name": config(name=""),
    "description": config(description=3),
    "no sweeps": config(sweeps=None),
    "empty sweeps": config(sweeps=[]),
    "unknown key": config(repeat=50),
    "unknown sweep key": config(sweep(dtpye=["int32"])),
    "unknown measure key": config(measure={"sample": 1}),
    "unknown gate key": config(gate={"treshold": 1}),
    "mode": config(measure={"modes": ["grahp"]}),
    "mode twice": config(measure={"modes": ["graph", "graph"]}),
    "no modes": config(measure={"modes": []}),
    "cache": config(measure={"caches": ["hot"]}),
    "no samples": config(measure={"min_samples": 0}),
    "too many samples": config(measure={"max_samples": 1000001}),
    "no seconds": config(measure={"max_seconds": 0}),
    "a day": config(measure={"max_seconds": 86400}),
    "threshold 0": config(gate={"threshold": 0}),
    "threshold 10": config(gate={"threshold": 10}),
    "threshold as text": config(gate={"threshold": "5%"}),
    "override without threshold": config(gate={"overrides": [{"match": "a"}]}),
    "override regex": config(gate={"overrides": [{"match": "[a", "threshold": 1}]}),
    "override list empty": config(gate={"overrides": []}),
    "no op": config(sweep(op=None)),
    "op of a number": config(sweep(op=1)),
    "no variants": config(sweep(variants=[])),
    "star and a name": config(sweep(variants=["*", "host_serial"])),
    "no dtypes": config(sweep(dtypes=None)),
    "empty dtypes": config(sweep(dtypes=[])),
    "dtype not in a list": config(sweep(dtypes="float32")),
    "misspelt dtype": config(sweep(dtypes=["flaot32"])),
    "dtype of other case": config(sweep(dtypes=["Float32"])),
    "fp16": config(sweep(dtypes=["fp16"])),
    "uint8": config(sweep(dtypes=["uint8"])),
    "dtype of a number": config(sweep(dtypes=[32])),
    "no shapes": config(sweep(shapes=None)),
    "empty shapes": config(sweep(shapes=[])),
    "empty shape": config(sweep(shapes=[[]])),
    "flat shapes": config(sweep(shapes=[1, 2])),
    "negative": config(sweep(shapes=[[1, -1]])),
    "fraction": config(sweep(shapes=[[1, 4.5]])),
    "suffix": config(sweep(shapes=[[1, "2M"]])),
    "quoted": config(sweep(shapes=[[1, "4096"]])),
    "true": config(sweep(shapes=[[1, True]])),
    "null": config(sweep(shapes=[[1, None]])),
    "2^63": config(sweep(shapes=[[1, 2**63]])),
    "2^64 - 1": config(sweep(shapes=[[1, 2**64 - 1]])),
    "empty grid": grid(),
    "empty axis": grid([1], []),
    "number as axis": grid([1], 7),
    "range of two": grid([1], {"pow2": [1, 2], "linear": [1, 2, 1]}),
    "range of none": grid([1], {}),
    "unknown range": grid([1], {"from": 4096, "to": 1024}),
    "short range": grid([1], {"pow2": [1]}),
    "long range": grid([1], {"linear": [1, 2, 1, 1]}),
    "2^63 by power": grid([1], {"pow2": [1, 63]}),
    "step 0": grid([1], {"linear": [1, 9, 0]}),
    "factor 1": grid([1], {"geometric": [1, 9, 1]}),
    "geometric from 0": grid([1], {"geometric": [0, 9, 2]}),
    "nan": config(sweep(nan="keep")),
    "axis beyond 32 bits": config(sweep(axis=2**31)),
    "axis of text": config(sweep(axis="last")),
    "empty fill": config(sweep(empty="1")),
    "index type": config(sweep(index=["int16"])),
    "empty data": config(sweep(data=[])),
    "data not in a list": config(sweep(data="ties")),
    "kinds and files": config(sweep(data=["ties", {"file": "x.npy"}], shapes=None)),
    "file with shapes": config(sweep(data={"file": "x.npy"})),
    "file of another kind": config(sweep(data={"file": "x.csv"}, shapes=None)),
    "file key": config(sweep(data={"flie": "x.npy"}, shapes=None)),
    "negative seed": config(sweep(seed=-1)),
    "seed of 65 bits": config(sweep(seed=2**64)),
    "empty tags": config(sweep(tags=[])),
    "tag with a blank": config(sweep(tags=["a b"])),
    "graphs": config(sweep(graphs=[{"kind": "hub"}])),
    "graphs beside shapes": config(graph_sweep(CYCLIC) | {"shapes": [[1, 2]]}),
    "graphs beside a grid": config(graph_sweep(CYCLIC) | {"grid": [[1], [2]]}),
    "no features": config(graph_sweep(CYCLIC, features=None)),
    "empty features": config(graph_sweep(CYCLIC, features=[])),
    "a number of features": config(graph_sweep(CYCLIC, features=80)),
    "no graphs": config(graph_sweep()),
    "graph of text": config(graph_sweep("cyclic")),
    "graph kind": config(graph_sweep(CYCLIC | {"kind": "cyclc"})),
    "graph without kind": config(graph_sweep({"nodes": 1, "degree": 1})),
    "graph without nodes": config(graph_sweep({"kind": "cyclic", "degree": 1})),
    "graph without degree": config(graph_sweep({"kind": "cyclic", "nodes": 1})),
    "degree and edges": config(graph_sweep({"kind": "hub", "nodes": 1, "degree": 1, "edges": 1})),
    "negative nodes": config(graph_sweep(CYCLIC | {"nodes": -1})),
    "share of 101": config(graph_sweep({"kind": "hub", "nodes": 1, "degree": 1, "share": 101})),
    "ids": config(graph_sweep(CYCLIC | {"ids": "near"})),
    "unknown graph key": config(graph_sweep(CYCLIC | {"dgree": 1})),
    "graph file of another kind": config(graph_sweep({"file": "g.txt"})),
    "half a pair": config(graph_sweep({"row_ptr": "r.npy"})),
    "a kind and a file": config(graph_sweep(CYCLIC | {"file": "g.mtx"})),
    "features from a file": config(graph_sweep(CYCLIC, data={"file": "x.npy"})),
    "graph without dtypes": config(graph_sweep(CYCLIC, dtypes=None)),
    "33 extents": config(sweep(shapes=[[1] * 33])),
    "33 axes": grid(*[[1]] * 33),
    "33 tags": config(sweep(tags=[f"t{i}" for i in range(33)])),
    "long tag": config(sweep(tags=["t" * 65])),
    "long name": config(name="n" * 101),
    "1001 overrides": config(gate={"overrides": [{"match": "a", "threshold": 0.1}] * 1001}),
}

# Refused by the program alone: a schema cannot relate two values or know what is registered.
BEYOND_SCHEMA = {
    "whole fraction": (
        '{"version":1,"name":"t","sweeps":[{"op":"argmax","dtypes":["int32"],"shapes":[[1,4.0]]}]}',
        "found the number 4.0",
    ),
    "exponent": (
        '{"version":1,"name":"t","sweeps":[{"op":"argmax","dtypes":["int32"],"shapes":[[1,1e3]]}]}',
        "found the number 1e3",
    ),
    "duplicate key": ('{"name":"u",' + json.dumps(config())[1:], "duplicate key 'name'"),
    "unknown op": (config(sweep(op="argmx")), "did you mean 'argmax'?"),
    "unknown variant": (config(sweep(variants=["host_serail"])), "did you mean 'host_serial'?"),
    "unknown data": (config(sweep(data=["tie"])), "did you mean 'ties'?"),
    "attribute of others": (config(sweep(empty="0")), "argmax has no attribute 'empty'"),
    "empty reduction": (config(sweep(shapes=[[3, 0]])), "reduction axis has size 0"),
    "axis outside": (config(sweep(axis=2)), "axis 2 is outside [-2, 2)"),
    "downward range": (grid([1], {"pow2": [9, 7]}), "the range runs from 9 down to 7"),
    "samples crossed": (
        config(measure={"min_samples": 9, "max_samples": 8}),
        "min_samples 9 is more than max_samples 8",
    ),
    "overflow": (config(sweep(shapes=[[2**32, 2**32]])), "the product of its extents exceeds"),
    "too many cases": (
        grid({"linear": [1, 2000, 1]}, {"linear": [1, 2000, 1]}),
        "at most 1000000 are allowed",
    ),
    "share of others": (
        config(graph_sweep(CYCLIC | {"share": 5})),
        "a graph of kind cyclic has no 'share'",
    ),
    "no bytes, but too large": (
        config(sweep(shapes=[[0, 2**62]])),
        "shape 0x4611686018427387904: is too large",
    ),
    "gathered overflow": (
        config(
            graph_sweep({"kind": "uniform", "nodes": 1, "edges": 2**40}, features=[2**40])
            | {"index": ["int64"]}
        ),
        "edges times features exceed",
    ),
    "edges beyond int32": (
        config(graph_sweep({"kind": "uniform", "nodes": 9, "edges": 2283022784})),
        "edge count 2283022784 exceeds int32",
    ),
    "missing graph": (config(graph_sweep({"file": "no.mtx"})), "no.mtx: no such file"),
    "graph for a tensor": (
        config(sweep(shapes=None, graphs=[CYCLIC], features=[1])),
        "'graphs' belongs to ops over graphs; argmax takes tensors",
    ),
    "tensor for a graph": (
        config(sweep(op="csr_max")),
        "'shapes' belongs to ops over tensors; csr_max takes graphs",
    ),
    "missing file": (config(sweep(data={"file": "no.npy"}, shapes=None)), "no.npy"),
}


@pytest.fixture(scope="session")
def program() -> Path:
    if not PROGRAM.is_file():
        pytest.fail(f"{PROGRAM} is not built; build it or set REDUX_BENCH")
    return PROGRAM


def listed(program: Path, path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program, "--list", "--config", path],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def accepted(program: Path, folder: Path, document: dict | str) -> subprocess.CompletedProcess[str]:
    path = folder / "c.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document), "utf-8")
    return listed(program, path)


def schema_fault(document: dict) -> str:
    error = best_match(VALIDATOR.iter_errors(document))
    return "" if error is None else error.message


def test_schema_is_a_schema():
    Draft202012Validator.check_schema(SCHEMA)


def test_comments_are_stripped_outside_strings_only():
    text = '{"a//b": "/* c */ \\" // d", // e "\n "f": 1 /* g // " */ }'
    assert json.loads(strip_comments(text)) == {"a//b": '/* c */ " // d', "f": 1}


def test_there_are_configs():
    assert {"quick", "seed-argmax", "seed-argmax-correctness"} <= {p.stem for p in CONFIGS}


@pytest.mark.parametrize("path", CONFIGS, ids=lambda p: p.stem)
def test_config_follows_the_schema(path: Path):
    document = json.loads(strip_comments(path.read_text(encoding="utf-8")))
    assert schema_fault(document) == ""
    assert document["name"] == path.stem


@pytest.mark.parametrize("path", CONFIGS, ids=lambda p: p.stem)
def test_config_is_accepted(program: Path, path: Path):
    result = listed(program, path)
    assert (result.returncode, result.stderr.count("merged")) == (0, 0), result.stderr
    assert result.stdout.count("host_") >= 2


@pytest.mark.parametrize("name", GOOD)
def test_good_by_both(program: Path, tmp_path: Path, name: str):
    assert schema_fault(GOOD[name]) == ""
    result = accepted(program, tmp_path, GOOD[name])
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("name", BAD)
def test_bad_by_both(program: Path, tmp_path: Path, name: str):
    assert schema_fault(BAD[name]) != ""
    result = accepted(program, tmp_path, BAD[name])
    assert result.returncode == 2, result.stdout
    # The place: file, line, column.
    assert re.search(r"c\.json:1:\d+: ", result.stderr), result.stderr


@pytest.mark.parametrize("name", BEYOND_SCHEMA)
def test_bad_by_the_program_alone(program: Path, tmp_path: Path, name: str):
    document, message = BEYOND_SCHEMA[name]
    parsed = json.loads(document) if isinstance(document, str) else document
    assert schema_fault(parsed) == ""
    result = accepted(program, tmp_path, document)
    assert result.returncode == 2, result.stdout
    assert message in result.stderr
