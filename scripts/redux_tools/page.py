"""The page: data, styles and scripts in one file that asks the network for nothing."""

from __future__ import annotations

import html
import json
from pathlib import Path

from redux_tools.page_data import PageData

ASSETS = Path(__file__).parent / "page_assets"
# In the order in which they use each other.
SCRIPTS = (
    "dom.js",
    "scales.js",
    "plot.js",
    "slices.js",
    "views.js",
    "diagnosis.js",
    "table.js",
    "main.js",
)
# Nothing may be loaded from anywhere, whatever a results file made the page hold.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


def _embedded(data: PageData) -> str:
    """JSON that stays inside its element: no tag, comment or end of one can be in it."""
    text = json.dumps(data.as_json(), allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _asset(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def render_page(data: PageData) -> str:
    """The whole HTML document."""
    scripts = "\n".join(_asset(name) for name in SCRIPTS)
    replacements = {
        "{{policy}}": html.escape(POLICY),
        "{{title}}": html.escape(data.title),
        "{{style}}": _asset("style.css"),
        # One scope for all of them, and none for the page's global names.
        "{{scripts}}": f'"use strict";\n(() => {{\n{scripts}\n}})();',
        "{{data}}": _embedded(data),
    }
    page = _asset("page.html")
    # Parted at the marks, so that no text put in is searched for marks again.
    for mark in replacements:
        page = page.replace(mark, f"\0{mark}\0")
    return "".join(replacements.get(part, part) for part in page.split("\0"))
