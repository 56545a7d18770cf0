"""Configs and data files made to exhaust the machine: refused with a message, and cheaply."""

import resource

import pytest
from conftest import cases_of, read_results, strict_json

# Less than any of these files asks for, and enough for the program itself.
MEMORY_BYTES = 2 << 30


def bounded():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def refused(bench, text, *words):
    """The message with which a config is refused, with little memory to read it in."""
    (bench.folder / "c.json").write_text(text)
    done = bench("-c", "c.json", "--backend", "host", *(words or ["--dry-run"]), preexec_fn=bounded)
    assert done.returncode == 2, (done.returncode, done.stderr)
    assert done.stdout == ""
    return done.stderr.removeprefix("redux-bench: ").rstrip("\n")


def config(sweep):
    return '{"version":1,"name":"c","sweeps":[' + sweep + "]}"


@pytest.mark.parametrize("words", [["--dry-run"], ["--list"], ["--verify-only", "-o", "o.jsonl"]])
def test_too_many_cases_are_counted_and_not_made(bench, words):
    """Nine quintillion cases in two gibibytes: none of them can have been made."""
    sweep = (
        '{"op":"argmax","variants":["host_serial"],"dtypes":["float32","int32"],"grid":[%s,[1,2]]}'
    )
    message = refused(bench, config(sweep % '{"linear":[1,250001,1]}'), *words)
    assert message == "c.json:1:34: /sweeps: expands to 1000004 cases; at most 1000000 are allowed"
    message = refused(bench, config(sweep % '{"linear":[1,2305843009213693950,1]}'), *words)
    assert "expands to 9223372036854775800 cases; at most 1000000" in message
    assert not (bench.folder / "o.jsonl").exists()


def test_F08_extents_beyond_32_bits_are_kept(bench):
    """Without the eleven gigabytes: the id, what it needs, and what comes of it where they lack."""
    name = bench.config(dtypes=["bfloat16"], shapes=[[1, 5_500_000_000]])
    listed = bench("-c", name, "--dry-run", "--format", "json")
    (case,) = strict_json(listed.stdout)["cases"]
    assert case["id"] == "argmax/host_serial/bfloat16/1x5500000000"
    assert case["memory_bytes"] == 11_000_000_008
    done = bench("-c", name, "--verify-only", "-o", "o.jsonl", "--quiet", preexec_fn=bounded)
    assert done.returncode == 4
    (case,) = cases_of(read_results(bench.folder / "o.jsonl"))
    assert case["id"] == "argmax/host_serial/bfloat16/1x5500000000"
    assert case["shape"] == [1, 5_500_000_000]
    assert case["status"] in ("skipped", "error") and case["timings"] == []


def test_F14_a_dtype_that_a_variant_lacks_is_no_other_dtype(hooks):
    name = hooks.config(variants=["hook_unsupported"], dtypes=["bfloat16"])
    done = hooks("-c", name, "-o", "o.jsonl")
    assert done.returncode == 5
    (case,) = cases_of(read_results(hooks.folder / "o.jsonl"))
    assert (case["dtype"], case["status"], case["timings"]) == ("bfloat16", "unsupported", [])


def test_deep_nesting_has_its_place(bench):
    text = config('{"op":"argmax","grid":' + "\n[" * 1_000_000)
    assert refused(bench, text).startswith("c.json:32:1: /sweeps/0/grid/0/0/0/")
    assert refused(bench, text).endswith("nested deeper than 32 levels")


def test_a_file_without_end_is_no_config(bench):
    done = bench("-c", "/dev/zero", "--list", preexec_fn=bounded)
    assert done.returncode == 2
    assert done.stderr == (
        "redux-bench: /dev/zero: a config file has at most 16777216 bytes; this one has more\n"
    )


def graph(files):
    return config(
        '{"op":"csr_max","variants":["host_serial"],"dtypes":["float32"],"features":[1],'
        '"index":["int64"],"graphs":[' + files + "]}"
    )


MATRIX = "%%MatrixMarket matrix coordinate pattern general\n"


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("9223372036854775807 9223372036854775807 0", "at most 268435456 are read"),
        ("268435457 268435457 0", "268435457 rows and columns; at most 268435456 are read"),
        ("-1 -1 0", "a negative size"),
        ("3 3 9223372036854775807", "the file ends after 0 of 9223372036854775807 entries"),
        ("268435456 268435456 0", "g.mtx: does not fit the memory of this machine"),
    ],
)
def test_a_matrix_may_announce_anything(bench, header, message):
    (bench.folder / "g.mtx").write_text(MATRIX + header + "\n")
    assert message in refused(bench, graph('{"file":"g.mtx"}'))


def npy(descr, shape):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ("(9223372036854775807,)", "exceeds 2^63 - 1 bytes"),
        ("(4294967296, 4294967296)", "exceeds 2^63 - 1 bytes"),
        ("(9223372036854775808,)", "an extent that exceeds 2^63 - 1"),
        ("(1099511627776,)", "0 bytes of data where shape 1099511627776 of float32 takes"),
        ("(-1,)", "a negative extent, -1"),
    ],
)
def test_an_array_may_announce_anything(bench, shape, message):
    (bench.folder / "x.npy").write_bytes(npy("<f4", shape))
    assert message in refused(bench, config('{"op":"argmax","data":[{"file":"x.npy"}]}'))


def test_files_with_holes_hold_no_more_than_fits(bench):
    """A terabyte that takes no room on the disk."""
    for name, lead in (("g.mtx", MATRIX.encode()), ("r.npy", npy("<i4", "(274877906944,)"))):
        with (bench.folder / name).open("wb") as file:
            file.write(lead)
            file.truncate((1 << 40) + (len(lead) if name == "r.npy" else 0))
    (bench.folder / "c.npy").write_bytes(npy("<i4", "(0,)"))
    message = refused(bench, graph('{"file":"g.mtx"}'))
    assert "g.mtx: does not fit the memory of this machine" in message
    message = refused(bench, graph('{"row_ptr":"r.npy","col_idx":"c.npy"}'))
    assert "r.npy: does not fit the memory of this machine" in message


def test_messages_hold_no_terminal_escapes(bench):
    """A name from a file, repeated in a message, must not steer the terminal."""
    text = config('{"op":"\\u001b]0;owned\\u0007","dtypes":["\\u001b[2J"],"\\u009b31m":1}')
    assert not any((ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 for c in refused(bench, text))
