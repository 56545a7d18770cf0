"""Files and options that compare.py refuses, and what it says of them."""

from __future__ import annotations

import json
import locale
import os
import subprocess
import sys

import pytest
import result_files as rf
from redux_tools import strict_json
from redux_tools.report_markdown import WORST_SHOWN
from redux_tools.tables import escaped

NAMES = rf.ids(3)


@pytest.fixture
def good(tmp_path):
    return rf.write(tmp_path / "good.jsonl", rf.segment([rf.case(name) for name in NAMES]))


def refused(done, *said):
    assert done.returncode == 2, done.stdout + done.stderr
    assert done.stdout == ""
    for text in said:
        assert text in done.stderr


@pytest.mark.parametrize("token", ["NaN", "Infinity", "-Infinity", "nan", "-nan", "inf", "1e999"])
@pytest.mark.parametrize("side", ["baseline", "current"])
def test_b17_non_finite_tokens_are_refused_with_their_place(tmp_path, good, token, side):
    bad = tmp_path / "bad.jsonl"
    lines = good.read_text().splitlines()
    lines[2] = lines[2].replace('"median_us": 10.0', f'"median_us": {token}')
    bad.write_text("\n".join(lines))
    column = lines[2].index(f": {token}") + 3
    done = rf.compare(bad, good) if side == "baseline" else rf.compare(good, bad)
    refused(done, f"{bad}:3:{column}: ")


@pytest.mark.parametrize("side", ["baseline", "current"])
def test_b13_duplicate_ids_are_refused(tmp_path, good, side):
    twice = [rf.case("X", rf.timing(217.0)), rf.case("X", rf.timing(0.052))]
    bad = rf.write(tmp_path / "bad.jsonl", rf.segment(twice))
    done = rf.compare(bad, good) if side == "baseline" else rf.compare(good, bad)
    refused(done, f"{bad}:3:1: duplicate id X")


def test_b13_a_second_segment_of_one_run_and_config_may_not_repeat_an_id(tmp_path, good):
    cases = [rf.case(name) for name in NAMES]
    again = rf.write(tmp_path / "again", rf.segment(cases), rf.segment(cases))
    refused(rf.compare(good, again), f"duplicate id {NAMES[0]}")
    rounds = rf.write(tmp_path / "rounds", rf.segment(cases), rf.segment(cases, run_id="r2"))
    assert rf.compare(good, rounds).returncode == 0


def test_b14_order_blanks_and_integers_do_not_matter(tmp_path, good):
    mixed = tmp_path / "mixed.jsonl"
    written = []
    for line in good.read_text().splitlines():
        turned = dict(reversed(json.loads(line).items()))
        text = json.dumps(turned, separators=(" , ", " :  "))
        written.append("  " + text.replace("10.0", "10").replace("64", "64.0"))
    mixed.write_text("\r\n".join(written) + "\n\n")
    done = rf.compare(good, mixed)
    assert done.returncode == 0, done.stderr
    assert "3 SAME" in done.stdout


def test_f03_duplicate_keys_are_refused_and_sibling_keys_are_not(tmp_path, good):
    bad = tmp_path / "bad.jsonl"
    lines = good.read_text().splitlines()
    lines[1] = lines[1].replace('"mode": "graph"', '"mode": "graph", "mode": "stream"')
    bad.write_text("\n".join(lines))
    column = lines[1].index('"mode": "stream"') + 1
    refused(rf.compare(good, bad), f"{bad}:2:{column}: key 'timings.mode' is there twice")
    bad.write_text('{"type": "run", "type": "run", "schema": 1}')
    refused(rf.compare(good, bad), f"{bad}:1:17: key 'type' is there twice")
    assert strict_json.loads('{"a": {"k": 1}, "b": {"k": 2}}') == {"a": {"k": 1}, "b": {"k": 2}}


@pytest.mark.parametrize(
    ("text", "column"),
    [('{"a": "NaN", "b": NaN}', 19), ('{"a": "x, \\"a\\":", "a": 1}', 20), ("[1, -Infinity]", 5)],
)
def test_strict_json_is_not_misled_by_strings(text, column):
    with pytest.raises(strict_json.JsonError) as caught:
        strict_json.loads(text)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "no object"),
        ('{"type": "cse"}', "did you mean 'case'"),
        ('{"type": "case", "id": 3}', "id: 3 is no string"),
        ('{"type": "case", "id": "a", "status": "okay"}', "did you mean 'ok'"),
        ('{"type": "case", "id": "a", "status": "ok", "timings": 1}', "timings: 1 is no array"),
        (
            '{"type": "case", "id": "a", "status": "ok", "timings": '
            '[{"mode": "graph", "cache": "cold", "median_us": "3,5"}]}',
            "timings[0].median_us: '3,5' is neither a number nor null",
        ),
        (
            '{"type": "case", "id": "a", "status": "ok", "timings": '
            '[{"mode": "graph", "cache": "cold", "median_us": ' + "9" * 400 + "}]}",
            "does not fit a 64-bit float",
        ),
    ],
)
def test_lines_that_cannot_be_read_are_named(tmp_path, good, line, said):
    bad = tmp_path / "bad.jsonl"
    bad.write_text(good.read_text().splitlines()[0] + "\n" + line + "\n")
    refused(rf.compare(good, bad), f"{bad}:2:", said)


def test_bytes_that_are_not_utf8_are_named(tmp_path, good):
    bad = tmp_path / "bad.jsonl"
    bad.write_bytes(good.read_bytes().replace(b"Some", b"S\xffme"))
    refused(rf.compare(good, bad), f"{bad}:1:", "not UTF-8")
    bad.write_bytes(good.read_text().encode("utf-16"))
    refused(rf.compare(good, bad), "UTF-16")


def test_a_case_outside_a_run_is_refused(tmp_path, good):
    loose = rf.write(tmp_path / "loose", [rf.case(NAMES[0])])
    refused(rf.compare(good, loose), f"{loose}:1:1:", "'run' line has to come first")
    late = rf.write(tmp_path / "late", [*rf.segment([]), rf.case(NAMES[0])])
    refused(rf.compare(good, late), f"{late}:3:1:")


@pytest.mark.parametrize("schema", [99, None, "1", True])
def test_b24_unknown_and_missing_schemas_are_refused_with_the_versions(tmp_path, good, schema):
    head = rf.header(schema=schema)
    if schema is None:
        del head["schema"]
    bad = rf.write(tmp_path / "bad", [head, rf.case(NAMES[0]), rf.END])
    found = "no schema version" if schema is None else f"schema version {schema!r}"
    refused(rf.compare(bad, good), found, "this reader knows 1")
    refused(rf.compare(good, bad), found)


def test_b19_no_baseline(tmp_path, good):
    missing, empty = tmp_path / "missing.jsonl", tmp_path / "empty.jsonl"
    empty.write_text("")
    caseless = rf.write(tmp_path / "caseless.jsonl", rf.segment([]))
    for path in (missing, empty, caseless):
        done = rf.compare(path, good)
        assert done.returncode == 6
        assert str(path) in done.stderr
        allowed = rf.compare(path, good, "--allow-missing-baseline")
        assert allowed.returncode == 0
        assert "nothing was compared" in allowed.stdout
    refused(rf.compare(tmp_path, good), str(tmp_path), "directory")
    refused(rf.compare(tmp_path, good, "--allow-missing-baseline"), "directory")
    refused(rf.compare(good, missing), str(missing))
    refused(rf.compare(good, empty), str(empty))


def test_b20_a_slower_file_and_the_spellings_of_a_threshold(tmp_path, good):
    slow = rf.write(tmp_path / "s", rf.segment([rf.case(n, rf.timing(20.0)) for n in NAMES]))
    done = rf.compare(good, slow)
    assert done.returncode == 1
    assert "+100.0%" in done.stdout
    same = [rf.compare(good, slow, "--threshold", text).stdout for text in ("5%", "0.05")]
    assert same[0] == same[1]
    for text in ("", "-1", "nan", "inf", "0", "5", "5%%", "x"):
        done = rf.compare(good, slow, f"--threshold={text}")
        refused(done, "--threshold", f"'{text}'")
    assert rf.compare(good, slow, "--threshold", "150%").returncode == 0


def test_thresholds_by_case(tmp_path, good):
    slow = [rf.case(n, rf.timing(10.8)) for n in NAMES]
    config = {
        "name": "demo",
        "sha256": "00",
        "gate": {"threshold": 0.05, "overrides": [{"match": "1x1001$", "threshold": 0.2}]},
    }
    path = rf.write(tmp_path / "s", rf.segment(slow, config=config))
    assert "2 SLOWER, 1 SAME" in rf.compare(good, path).stdout
    one = rf.compare(good, path, "--threshold-for", r"1x100[01]=20%")
    assert "1 SLOWER, 2 SAME" in one.stdout
    assert rf.compare(good, path, "--threshold-for", r"(?=argmax)=20%").returncode == 0
    assert rf.compare(good, path, "--threshold", "3%").stdout.count("3 SLOWER") == 1
    refused(rf.compare(good, path, "--threshold-for", "1x1"), "REGEX=SHARE")
    refused(rf.compare(good, path, "--threshold-for", "(=5%"), "no regular expression")


def test_markdown_has_the_verdict_first_and_stays_small(tmp_path):
    names = [f"argmax/v|{'x' * 200}/float32/1x{i}" for i in range(5000)]
    base = rf.write(tmp_path / "b", rf.segment([rf.case(n) for n in names]))
    slow = rf.write(tmp_path / "c", rf.segment([rf.case(n, rf.timing(20.0)) for n in names]))
    out = tmp_path / "out.md"
    assert rf.compare(base, slow, "--markdown", out).returncode == 1
    text = out.read_text()
    assert text.startswith("## FAIL: slower than the baseline allows (exit 1)\n\n5000 SLOWER.\n")
    assert len(text.encode()) < 1 << 20
    assert "more rows left out for size" in text
    head, _, folded = text.partition("<details>")
    assert head.count("| SLOWER |") == WORST_SHOWN
    assert folded.count("| SLOWER |") > 1000
    assert "v\\|x" in head
    assert "    redux-bench --config c.json --filter" in head


def test_markdown_that_cannot_be_written(tmp_path, good):
    done = rf.compare(good, good, "--markdown", tmp_path / "no" / "out.md")
    assert done.returncode == 2
    assert "cannot be written" in done.stderr


def test_markdown_says_that_there_is_no_baseline(tmp_path, good):
    out = tmp_path / "out.md"
    options = ("--allow-missing-baseline", "--markdown", out)
    assert rf.compare(tmp_path / "none.jsonl", good, *options).returncode == 0
    assert "none.jsonl: there is no such baseline" in out.read_text()


def test_a_reader_that_goes_away_does_not_change_the_exit_code(tmp_path):
    names = rf.ids(2000)
    many = rf.write(tmp_path / "many", rf.segment([rf.case(n) for n in names]))
    slow = rf.write(tmp_path / "slow", rf.segment([rf.case(n, rf.timing(20.0)) for n in names]))
    script = rf.ROOT / "scripts" / "compare.py"
    for current, code in ((many, 0), (slow, 1)):
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(
            [sys.executable, str(script), str(many), str(current)],
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
        )
        os.close(writing)
        assert (done.returncode, done.stderr) == (code, "")


def test_markdown_cells_hold_no_markup():
    assert escaped("a|b`c\n<d>") == "a\\|b\\`c \\<d\\>"


def _has_locale(name: str) -> bool:
    try:
        locale.setlocale(locale.LC_NUMERIC, name)
    except locale.Error:
        return False
    finally:
        locale.setlocale(locale.LC_NUMERIC, "C")
    return True


@pytest.mark.parametrize("name", ["de_DE.UTF-8", "fr_FR.UTF-8"])
def test_r09_a_comma_locale_changes_no_byte(tmp_path, good, name):
    assert _has_locale(name), f"the locale {name} is missing; scripts/test.sh makes it"
    slow = rf.write(tmp_path / "s", rf.segment([rf.case(n, rf.timing(12.345)) for n in NAMES]))
    runs = []
    for lang in ("C", name):
        outputs = [tmp_path / f"{lang}.{kind}" for kind in ("md", "json", "xml")]
        options = ("--markdown", "--json", "--junit")
        words = [word for pair in zip(options, outputs, strict=True) for word in pair]
        done = rf.run_script("compare.py", good, slow, "--threshold", "0.05", *words, LC_ALL=lang)
        written = [path.read_bytes() for path in outputs]
        runs.append((done.returncode, done.stdout, *written))
    assert runs[0] == runs[1]
    assert runs[0][0] == 1
    assert "12.35" in runs[0][1]
