"""The page in headless Chromium: it starts without a complaint, and what it offers works."""

from __future__ import annotations

import page_files
import pytest


def rows(page):
    return page.locator("#table tbody tr")


def column(page, index):
    cells = page.locator(f"#table tbody tr td:nth-child({index})")
    return cells.all_inner_texts()


@pytest.mark.parametrize("name", ["plain", "verdict", "bare", "graphs", "one", "real"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_starts_without_a_complaint(open_page, name, scheme):
    page = open_page(name, color_scheme=scheme)
    assert page.get_attribute("html", "data-theme") == scheme
    assert page.locator("h1").is_visible()
    for chart in ("heat", "lines", "speed", "iso", "roof", "dist"):
        assert page.locator(f"#{chart} > *").count() >= 1
    assert rows(page).count() >= 1


def test_it_looks_as_it_should(open_page, tmp_path):
    """Its look is for a person to judge; here: it is not empty, and fits windows of any width."""
    page = open_page("real")
    picture = tmp_path / "page.png"
    page.screenshot(path=picture, full_page=True)
    assert picture.stat().st_size > 50_000
    over = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(over) == 0
    page.set_viewport_size({"width": 400, "height": 800})
    assert page.evaluate(over) == 0


def test_sorting_by_a_column_there_and_back(open_page):
    page = open_page()
    head = page.locator("#table thead th", has_text="median us")
    head.get_by_role("button").click()
    values = [float(text) for text in column(page, 3) if text != "-"]
    assert values == sorted(values)
    assert head.get_attribute("aria-sort") == "ascending"
    assert column(page, 3)[-1] == "-"  # what has no time goes last
    head.get_by_role("button").click()
    values = [float(text) for text in column(page, 3) if text != "-"]
    assert values == sorted(values, reverse=True)
    assert head.get_attribute("aria-sort") == "descending"
    assert column(page, 3)[-1] == "-"


def test_filtering_by_words_and_by_a_regular_expression(open_page):
    page = open_page()
    before = rows(page).count()
    page.fill("#filter", "WARP 1x")
    found = column(page, 1)
    assert found and all("warp_per_row" in text and "1x" in text for text in found)
    assert len(found) < before
    assert page.inner_text("#count").startswith(f"{len(found)} of ")
    page.fill("#filter", "/^argmax.single_pass.*1x(4096|65536) /")
    assert len(column(page, 1)) == 2
    page.fill("#filter", "/(/")  # half typed: said, and nothing is hidden
    assert rows(page).count() == before
    assert page.get_attribute("#filter", "aria-invalid") == "true"
    page.fill("#filter", "nothing like it")
    assert page.inner_text("#count").startswith("0 of ")
    page.fill("#filter", "")
    assert rows(page).count() == before
    page.check("#everything")
    assert rows(page).count() > before


def test_it_can_be_used_by_keyboard_alone(open_page):
    page = open_page()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "table-section"
    button = page.locator("#table thead button", has_text="median us")
    button.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "median us"
    assert page.locator("#table th[aria-sort]").inner_text().startswith("median us")


def test_arrow_keys_read_the_points_of_a_chart(open_page):
    page = open_page()
    page.locator("#lines svg").focus()
    page.keyboard.press("ArrowRight")
    first = page.inner_text("#live")
    assert "us" in first and ":" in first
    page.keyboard.press("ArrowRight")
    second = page.inner_text("#live")
    assert second != first and second.split(":")[0] == first.split(":")[0]
    page.keyboard.press("ArrowDown")
    assert page.inner_text("#live").split(":")[0] != second.split(":")[0]
    assert page.locator("#tip").is_visible()


def test_a_chart_says_its_numbers_as_a_table(open_page):
    page = open_page()
    details = page.locator("#lines details.data")
    details.locator("summary").click()
    table = details.locator("table")
    table.wait_for()  # it is made when the browser says that it was opened
    assert table.locator("tbody tr").count() > 3
    assert "single_pass" in table.inner_text()


def test_a_cell_of_the_heat_map_opens_its_case(open_page):
    page = open_page()
    cell = page.locator("#heat button").first
    said = cell.get_attribute("aria-label")
    assert "single_pass" in said and "of the ceiling" in said
    assert not any("auto" in text for text in page.locator("#heat button").all_inner_texts())
    cell.click()
    assert page.evaluate("document.activeElement.id") == "case"
    assert "single_pass" in page.inner_text("#case-facts")
    assert "redux-bench --config" in page.inner_text("#case-facts")


def test_variants_can_be_hidden_everywhere(open_page):
    page = open_page()
    before = page.locator("#lines .series").count()
    toggle = page.locator('#legend [data-variant="single_pass"]')
    toggle.click()
    assert (
        page.locator('#legend [data-variant="single_pass"]').get_attribute("aria-pressed")
        == "false"
    )
    assert page.locator("#lines .series").count() == before - 1
    assert "single_pass" not in page.inner_text("#heat")


def test_no_two_variants_look_alike(open_page):
    page = open_page("real")
    looks = page.eval_on_selector_all("#legend svg", "all => all.map(one => one.innerHTML)")
    assert len(looks) == len(set(looks)) > 8
    without_colour = page.eval_on_selector_all(
        "#legend svg", "all => all.map(one => one.innerHTML.replaceAll(/stroke:[^;]*/g, ''))"
    )
    assert len(without_colour) == len(set(without_colour))


def test_another_op_and_timing_are_shown_when_chosen(open_page):
    page = open_page()
    page.select_option("#op", "cummax")
    assert all(text.startswith("cummax/") for text in column(page, 1))
    page.select_option("#metric", "stream/warm")
    assert set(column(page, 2)) == {"stream/warm"}
    assert "of the ceiling" not in (page.locator("#heat button").first.get_attribute("aria-label"))


def test_equal_work_says_the_cliff_ratio(open_page):
    page = open_page()
    assert "thread_per_row 1x over 4" in page.inner_text("#cliff")
    assert page.locator("#work option").all_inner_texts() == ["64Ki"]


def test_graphs_are_told_by_nodes_edges_and_features(open_page):
    page = open_page("graphs")
    assert page.inner_text("#heat thead tr").split("\t") == ["graph \\ features", "16", "64"]
    first = page.locator("#heat tbody th").all_inner_texts()
    assert first[:3] == ["hub-4000-e8000", "ogbn", "uniform-1000-8"]
    offered = page.locator("#slice option").all_inner_texts()
    assert "uniform, 64 features, by nodes" in offered and "ogbn, by features" in offered
    assert offered[-1] == "every graph, by edges x features"
    page.select_option("#slice", label="uniform-1000-8, by features")
    assert page.locator("#lines .series").count() == 2
    assert page.locator("#work option").all_inner_texts() == ["500Ki", "125Ki"]
    assert "edges a node" in page.inner_text("#iso")
    page.locator("#heat button").first.click()
    assert "GB/s gathered" in page.inner_text("#case-facts")
    assert "gathered GB/s" in page.inner_text("#table thead")


def test_limits_of_one_size_are_drawn_from_side_to_side(open_page):
    page = open_page("one")
    widths = "all => all.map(one => one.getBBox().width)"
    for chart in ("lines", "roof"):
        found = page.eval_on_selector_all(f"#{chart} path.limit", widths)
        assert found and min(found) > 800


def test_columns_that_hold_nothing_are_left_out(open_page):
    assert "gathered" not in open_page().inner_text("#table thead")
    assert "change" not in open_page().inner_text("#table thead")
    assert "change" in open_page("verdict").inner_text("#table thead")


def test_limits_are_drawn(open_page):
    page = open_page()
    assert "floor: an empty call" in page.inner_text("#lines")
    assert "read ceiling" in page.inner_text("#roof")


def test_the_verdict_comes_first_and_names_the_worst(open_page):
    page = open_page("verdict")
    banner = page.inner_text("#banner")
    assert banner.startswith("FAIL: wrong results (exit 3)")
    assert "1 SLOWER" in banner
    assert "SLOWER argmax/thread_per_row/float32/1x4096 graph/cold: +20.0%" in banner
    page.fill("#filter", "slower")
    assert rows(page).count() == 1
    assert "+20.0%" in rows(page).first.inner_text()


def test_what_results_say_is_shown_as_text(open_page):
    page = open_page()
    page.fill("#filter", "4x4")
    assert page_files.HOSTILE in rows(page).first.inner_text()


def test_the_theme_can_be_changed(open_page):
    page = open_page(color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(ground)
    page.click("#theme")
    assert page.evaluate(ground) != before
    assert page.get_attribute("#theme", "aria-pressed") == "true"


def test_every_control_has_a_name(open_page):
    page = open_page()
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("select, input, button")].filter(one =>
             !(one.labels?.length || one.textContent.trim() || one.getAttribute("aria-label")))
             .map(one => one.outerHTML)"""
    )
    assert nameless == []
    levels = page.eval_on_selector_all("h1, h2", "all => all.map(one => one.tagName)")
    assert levels.count("H1") == 1
