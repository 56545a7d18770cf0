"""The comparison as JSON: all of it, for other programs."""

from __future__ import annotations

import json
import math
from typing import Any

from redux_tools import summary
from redux_tools.comparison import Comparison
from redux_tools.verdict import Row

SCHEMA = 1


def _share(log_ratio: float | None) -> float | None:
    """A log ratio as a share: 0.05 for 5% more time. Beyond what a float holds: None."""
    try:
        return None if log_ratio is None else math.expm1(log_ratio)
    except OverflowError:
        return None


def _finite_share(log_ratio: float) -> float | None:
    share = _share(log_ratio) if math.isfinite(log_ratio) else None
    return share if share is not None and math.isfinite(share) else None


def row_json(row: Row) -> dict[str, Any]:
    """Times in microseconds, changes as shares (0.05: 5% more time), null where not known."""
    interval = row.interval and [_share(end) for end in row.interval]
    found = row.confirmation
    return {
        "id": row.id,
        "metric": str(row.metric) if row.metric else None,
        "verdict": row.verdict.value,
        "reason": row.reason,
        "baseline_us": row.baseline_us,
        "current_us": row.current_us,
        "change": _share(row.log_ratio),
        "interval_90": interval,
        "noise": row.sigma,
        "threshold": row.threshold,
        "candidate": row.candidate,
        "confirmation": found
        and {
            "change": _share(found.estimate),
            "interval_90": [_finite_share(end) for end in found.interval],
            "p_value": found.p_value,
            "blocks": found.blocks,
        },
        "exit_code": int(row.code),
        "repro": row.repro,
    }


def comparison_json(result: Comparison) -> dict[str, Any]:
    return {
        "type": "comparison",
        "schema": SCHEMA,
        "baseline": result.baseline_path,
        "current": result.current_path,
        "verdict": summary.headline(result),
        "exit_code": int(result.exit_code),
        "gate": result.gate,
        "counts": {verdict.value: count for verdict, count in result.counts().items()},
        "notices": result.notices,
        "warnings": result.warnings,
        "rows": [row_json(row) for row in summary.worst_first(result)],
        "unsupported": [{"id": id_, "reason": why} for id_, why in result.unsupported],
    }


def render_json(result: Comparison) -> str:
    return json.dumps(comparison_json(result), allow_nan=False, indent=1) + "\n"
