"""The report's pages in headless Chromium, for the tests that open them."""

from __future__ import annotations

import shutil

import page_files
import pytest
import result_files as rf
from redux_tools import report_cli

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)


@pytest.fixture(scope="session")
def pages_made(tmp_path_factory):
    """A page without a verdict, one with, and one of a single case that was not measured."""
    folder = tmp_path_factory.mktemp("pages")
    results = page_files.write(folder / "results.jsonl")
    slow = page_files.write(folder / "slow.jsonl", slower=1.2)
    bare = rf.write(folder / "bare.jsonl", rf.segment([rf.case("a/b/c/1x1", status="error")]))
    graphs = page_files.write_graphs(folder / "graphs.jsonl")
    one = page_files.write_graphs(folder / "one.jsonl", page_files.GRAPHS[:1], (64,))
    made = {}
    for name, words in (
        ("plain", [results]),
        ("verdict", [slow, "--baseline", results]),
        ("bare", [bare]),
        ("graphs", [graphs]),
        ("one", [one]),
        ("real", [rf.ROOT / "baselines" / "nvidia-h200" / "seed-argmax.jsonl"]),
    ):
        made[name] = folder / f"{name}.html"
        assert report_cli.main([*map(str, words), "-o", str(made[name])]) == 0
    return made


@pytest.fixture(scope="module")
def browser():
    assert CHROMIUM, "needs Chromium, which scripts/test.sh installs"
    from playwright.sync_api import sync_playwright

    # As root, and in containers, Chromium's own sandbox cannot be set up.
    how = {"executable_path": CHROMIUM, "args": ["--no-sandbox"]}
    with sync_playwright() as playwright, playwright.chromium.launch(**how) as started:
        yield started


@pytest.fixture
def open_page(browser, pages_made):
    complaints = []
    pages = []

    def start(name="plain", **how):
        page = browser.new_page(viewport={"width": 1200, "height": 900}, **how)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(pages_made[name].as_uri())
        page.wait_for_selector("html[data-ready]")
        pages.append(page)
        return page

    requests = []
    yield start
    for page in pages:
        page.close()
    assert complaints == []
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
