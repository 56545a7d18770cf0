"""A diagnosis as JSON: all of it, for other programs and for the page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from redux_tools.compare_options import parse_metric
from redux_tools.diagnosis import Diagnosis, Finding, diagnose, where
from redux_tools.diagnosis_axes import Axis, Cliff, Crossover, GroupKey, Series
from redux_tools.diagnosis_classes import CaseDiagnosis
from redux_tools.diagnosis_limits import FailOn, Judgement
from redux_tools.dispatch_audit import WORST_SHOWN, Audit, Choice, ThresholdTable, choice_said
from redux_tools.exit_codes import Failure
from redux_tools.results import ResultFile
from redux_tools.stats import PowerLaw

SCHEMA = 1


def _key(key: GroupKey) -> dict[str, Any]:
    return {"op": key.op, "group": key.group, "backend": key.backend}


def _axis(axis: Axis) -> dict[str, Any]:
    return {**_key(axis.key), "axis": axis.x, "label": axis.label}


def _fit(fit: PowerLaw | None) -> dict[str, Any] | None:
    return fit and {
        "exponent": fit.exponent,
        "interval_95": [fit.low, fit.high],
        "sizes": fit.sizes,
    }


def finding_json(found: Finding) -> dict[str, Any]:
    return {
        "fault": found.fault.value,
        "op": found.op,
        "variant": found.variant,
        "where": found.where,
        "said": found.said,
        "size": found.size,
        "more": found.more,
        "id": found.case.view.id,
        "repro": found.case.view.repro,
    }


def _case(found: CaseDiagnosis) -> dict[str, Any]:
    subject, rates = found.subject, found.rates
    return {
        "id": subject.view.id,
        "metric": str(subject.metric),
        "us": subject.us,
        "interval_us": [subject.low_us, subject.high_us],
        "class": found.kind.value,
        "evidence": found.evidence,
        "idle_fault": found.idle_fault,
        "mostly_idle": found.mostly_idle,
        "floors": found.floors,
        "excess": found.excess,
        "sm_share": found.sm_share,
        "thread_share": found.thread_share,
        "dram_gbps": rates.dram_gbps,
        "dram_share": rates.dram_share,
        "dram_estimated": rates.dram_estimated,
        "l2_gbps": rates.l2_gbps,
        "l2_share": rates.l2_share,
        "uniform_twin": found.twin and found.twin.view.id,
        "uniform_ratio": found.twin and subject.us / found.twin.us,
    }


def _series(line: Series) -> dict[str, Any]:
    step = line.steepest
    return {
        **_axis(line.axis),
        "variant": line.variant,
        "ids": [case.subject.view.id for case in line.points],
        "fit": _fit(line.fit),
        "idle_fit": _fit(line.idle),
        "linear_while_idle": line.linear_while_idle,
        "steepest_step": step
        and {
            "from": step.before.subject.view.id,
            "to": step.after.subject.view.id,
            "time_ratio": step.time_ratio,
            "size_ratio": step.size_ratio,
        },
    }


def _cliff(cliff: Cliff) -> dict[str, Any]:
    return {
        **_key(cliff.key),
        "variant": cliff.variant,
        "elements": cliff.elements,
        "shapes": cliff.shapes,
        "ratio": cliff.ratio,
        "slowest": cliff.slowest.subject.view.id,
        "slowest_us": cliff.slowest.subject.us,
        "fastest": cliff.fastest.subject.view.id,
        "fastest_us": cliff.fastest.subject.us,
    }


def _crossover(cross: Crossover) -> dict[str, Any]:
    return {
        **_axis(cross.axis),
        "below": cross.below,
        "above": cross.above,
        "size": cross.size,
        "interval": [cross.low, cross.high],
        "of_best": cross.of_best,
    }


def _choice(choice: Choice) -> dict[str, Any]:
    return {
        "id": choice.auto.view.id,
        "picked": choice.auto.view.picked,
        "us": choice.auto.us,
        "best": choice.best.view.variant,
        "best_us": choice.best.us,
        "regret": choice.regret,
        "clear": choice.clear,
        "picked_the_best": choice.right,
        "best_over_graphs_of_these_sizes": choice.robust,
    }


def _table(table: ThresholdTable) -> dict[str, Any]:
    return {
        **_axis(table.axis),
        "ranges": [range_._asdict() for range_ in table.ranges],
        "sizes": table.sizes,
        "regret": table.regret,
        "auto_regret": table.auto_regret,
    }


def _dispatch(found: Audit) -> dict[str, Any]:
    choices = [_choice(choice) for choice in found.choices]
    return {
        "geometric_mean_regret": found.geometric_mean,
        "worst": choices[:WORST_SHOWN],
        "shapes": choices,
        "threshold_tables": [_table(table) for table in found.tables],
    }


def diagnosis_json(found: Diagnosis) -> dict[str, Any]:
    """Times in microseconds, rates in GB/s, shares and regrets as 0.05 for 5%, null for unknown."""
    return {
        "type": "diagnosis",
        "schema": SCHEMA,
        "results": found.path,
        "devices": found.devices,
        "metrics": found.metrics,
        "not_diagnosed": found.others,
        "incomplete": found.incomplete,
        "findings": [finding_json(finding) for finding in found.findings],
        "cases": [_case(case) for case in found.cases],
        "series": [_series(line) for line in found.series],
        "cliffs": [_cliff(cliff) for cliff in found.cliffs],
        "crossovers": [_crossover(cross) for cross in found.crossovers],
        "dispatch": _dispatch(found.audit),
    }


def page_json(file: ResultFile, metrics: Sequence[str]) -> dict[str, Any]:
    """What the page shows, by metric; empty where results are of several devices."""
    shown: dict[str, Any] = {}
    for name in metrics:
        try:
            found = diagnose(file, metric=parse_metric(name))
        except Failure:
            continue
        shown[name] = {
            "findings": [finding_json(finding) for finding in found.findings],
            "cases": {c.subject.view.id: [c.kind.value, c.evidence] for c in found.cases},
            "series": [
                {
                    "op": line.axis.key.op,
                    "variant": line.variant,
                    "where": where(line.axis.key, line.axis.label),
                    "fit": _fit(line.fit),
                    "idle": _fit(line.idle),
                    "flagged": line.linear_while_idle,
                }
                for line in found.series
            ],
            "choices": [
                {**_choice(choice), "op": choice.auto.view.op, "said": choice_said(choice)}
                for choice in found.audit.choices
            ],
        }
    return shown


def render_json(found: Diagnosis, fail_on: FailOn, judgement: Judgement) -> str:
    verdict = {
        "fail_on": fail_on._asdict(),
        "exit_code": int(judgement.code),
        "failed": judgement.failed,
        "not_judged": judgement.unknown,
    }
    return json.dumps({**diagnosis_json(found), **verdict}, allow_nan=False, indent=1) + "\n"
