"""The page's diagnosis in headless Chromium."""

from __future__ import annotations


def test_what_is_wrong_is_told_and_opens_its_case(open_page):
    page = open_page("real")
    found = page.locator("#findings tbody tr")
    assert found.first.inner_text().split()[:2] == ["idle", "thread_per_row"]
    assert page.locator("#findings > table tbody tr").count() == 8  # the others are folded
    found.first.get_by_role("button").click()
    assert page.input_value("#case") == "argmax/thread_per_row/float32/1x16777216"
    assert "latency-bound, idle device: 1 block for 132 SMs" in page.inner_text("#case-facts")


def test_the_rest_of_the_diagnosis_unfolds(open_page):
    page = open_page("real")
    for title, id_ in (
        ("What holds the cases down", "classes"),
        ("Exponents of time against size", "exponents"),
        ("Regret of auto", "regrets"),
    ):
        assert not page.locator(f"#{id_} table").is_visible()
        page.locator("summary", has_text=title).click()
        assert page.locator(f"#{id_} table tbody tr").count() >= 5
        assert page.locator(f"#{id_} table").is_visible()
    assert page.locator("#exponents tr", has_text="idle and linear").count() >= 4
    assert page.inner_text("#regret-note").startswith("Geometric mean 0.69% over 17 shapes")


def test_without_a_measured_case_the_diagnosis_says_so(open_page):
    page = open_page("bare")
    assert page.inner_text("#findings") == "Nothing was measured for this choice."
