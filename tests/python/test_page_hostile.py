"""The page of a results file that was made to attack whoever opens it: all of it is shown as text.

No dialog, no element that is not the page's own, no request; conftest.py's `open_page` fails for a
request or a complaint of the console.
"""

from __future__ import annotations

import copy
import json

import hostile_values as hv
import pytest
import result_files as rf
from redux_tools import report_cli

ATTACKS = (
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' onmouseover='alert(1)",
    "javascript:alert(1)",
    "<!--<script>",
    "]]><iframe src=//example.invalid></iframe>",
    "&lt;script&gt;\u2028alert(1)",
    "${alert(1)}`{{data}}\0{{scripts}}",
    "<a href=javascript:alert(1)>x</a><style>*{display:none}</style>",
    "constructor",
    "__proto__",
)
# What only a few words may stand in, or what tells rounds apart.
FIXED = {"type", "status", "mode", "cache", "run_id"}
OWN = "document.querySelectorAll('{}').length"
# Of page.html: no other may come into being.
OWN_ELEMENTS = {"script": 2, "style": 1, "meta": 3, "link": 1, "a": 1} | dict.fromkeys(
    ("img", "iframe", "object", "embed", "base", "form", "audio", "video"), 0
)


def attacked(attack):
    """Every text of a file is the attack, or ends in it."""
    lines = hv.lines()
    for line in lines:
        for path in hv.paths(line):
            value = line
            for key in path:
                value = value[key]
            if isinstance(value, str) and path[-1] not in FIXED:
                # Ids have to differ, and their parts are what the page groups by.
                hv.put(line, path, value + attack if path == ("id",) else attack)
        if line["type"] == "run":
            line["config"]["gate"]["overrides"] = []
    return lines


def visible(text):
    """As a browser shows it, but for where it breaks lines."""
    return " ".join(text.replace("\0", "\ufffd").split())


@pytest.mark.parametrize("index", range(len(ATTACKS)))
def test_every_text_is_shown_as_text(open_page, pages_made, tmp_path, index):
    attack = ATTACKS[index]
    results = rf.write(tmp_path / "hostile.jsonl", attacked(attack))
    baseline = copy.deepcopy(attacked(attack))
    for line in baseline:
        for timing in line.get("timings", []):
            timing["median_us"] /= 2
    before = rf.write(tmp_path / "before.jsonl", baseline)
    made = pages_made["hostile"] = tmp_path / "hostile.html"
    words = [results, "--baseline", before, "--title", attack, "-o", made]
    assert report_cli.main([*map(str, words)]) == 0
    page = open_page("hostile")
    dialogs = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message) or dialog.dismiss())
    counts = {tag: page.evaluate(OWN.format(tag)) for tag in OWN_ELEMENTS}
    assert counts == OWN_ELEMENTS
    handlers = "[...document.querySelectorAll('*')].flatMap((e) => e.getAttributeNames())"
    assert [a for a in page.evaluate(handlers) if a.startswith("on")] == []
    # It is there, as text, and the page goes on working.
    page.check("#everything")
    assert visible(attack) in visible(page.inner_text("#table tbody"))
    page.locator("#table tbody tr td:first-child button").first.click()
    page.select_option("#metric", index=1)
    assert dialogs == []


def test_a_verdict_that_somebody_made(open_page, pages_made, tmp_path):
    """gate.json is a file like any other."""
    results = rf.write(tmp_path / "r.jsonl", hv.lines())
    made = tmp_path / "compared.json"
    assert rf.compare(results, results, "--json", made).returncode == 3
    verdict = json.loads(made.read_text())
    attack = ATTACKS[1]
    verdict["verdict"] = attack
    verdict["notices"] = verdict["warnings"] = [attack]
    verdict["counts"] = {attack: 1}
    for row in verdict["rows"]:
        row |= {"reason": attack, "repro": attack, "verdict": attack, "exit_code": 1}
    made.write_text(json.dumps(verdict))
    pages_made["made"] = tmp_path / "made.html"
    words = [str(results), "--gate", str(made), "-o", str(pages_made["made"])]
    assert report_cli.main(words) == 0
    page = open_page("made")
    assert attack in page.inner_text("#banner")
    assert page.evaluate(OWN.format("img")) == 0
