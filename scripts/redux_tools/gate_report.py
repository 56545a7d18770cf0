"""What a gate leaves behind: its folder, and what it prints."""

from __future__ import annotations

import json
from typing import Any

from redux_tools.comparison import Comparison
from redux_tools.gate_confirm import CONFIDENCE, FALSE_DISCOVERY_RATE
from redux_tools.gate_run import GateRun
from redux_tools.outputs import write_text
from redux_tools.page import render_page
from redux_tools.page_data import page_data
from redux_tools.report_github import render_github
from redux_tools.report_json import comparison_json
from redux_tools.report_junit import render_junit
from redux_tools.report_markdown import render_markdown
from redux_tools.results import merged, read_results


def gate_json(run: GateRun, seconds: float, interrupted: bool) -> dict[str, Any]:
    """The comparison with how it came about; `comparison` is null before the screen was done."""
    plan = run.plan
    control = run.control
    return {
        "type": "gate",
        "schema": 1,
        "interrupted": interrupted,
        "seconds": round(seconds, 1),
        "binary": plan.new.command(),
        "base_binary": plan.base.command() if plan.base else None,
        "rounds": {"planned": plan.rounds, "done": run.rounds_done},
        "confirmation": {
            "candidates": run.candidates,
            "confirmed": run.confirmed,
            "blocks": {"planned": run.blocks_needed, "done": len(run.blocks)},
            "false_discovery_rate": FALSE_DISCOVERY_RATE,
            "confidence": CONFIDENCE,
            "control": control and {"tested": control.tested, "flagged": list(control.flagged)},
        },
        "comparison": run.result and comparison_json(run.result),
    }


def write_artefacts(run: GateRun, seconds: float, interrupted: bool) -> None:
    """gate.json always; the reports where there is a comparison."""
    folder = run.plan.folder
    text = json.dumps(gate_json(run, seconds, interrupted), allow_nan=False, indent=1) + "\n"
    write_text("", folder / "gate.json", text)
    if run.result is None:
        return
    write_text("", folder / "report.md", render_markdown(run.result))
    write_text("", folder / "junit.xml", render_junit(run.result))
    write_text("", folder / "annotations.txt", render_github(run.result))
    write_text("", folder / "report.html", _page(run, run.result))


def _page(run: GateRun, result: Comparison) -> str:
    """The current rounds, read once more: with their samples, which the gate has no use for."""
    assert run.current is not None
    paths = sorted((run.plan.folder / "rounds").glob("current-*.jsonl"))
    files = [read_results(str(path), whole=True) for path in paths[: run.rounds_done]]
    data = page_data(merged("rounds", files))
    data.verdict = comparison_json(result)
    return render_page(data)
