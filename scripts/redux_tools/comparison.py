"""The screen: two result files in, a verdict per case and metric and an exit code out."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace

from redux_tools.environment import device_of
from redux_tools.exit_codes import ExitCode, NoBaseline, first_of
from redux_tools.preconditions import preconditions
from redux_tools.results import Metric, ResultFile
from redux_tools.rounds import MeasuredCase, gather, value_of
from redux_tools.thresholds import Thresholds
from redux_tools.verdict import Row, Verdict, judge

COMPARED = (Verdict.SLOWER, Verdict.FASTER, Verdict.SAME, Verdict.INCONCLUSIVE)
# What a comparison with another device's times does not make the script exit with.
NO_GATE = (ExitCode.REGRESSION, ExitCode.INCONCLUSIVE)
# Cases that could not run on this machine or with this variant: listed, and no fault by themselves.
DID_NOT_APPLY = ("skipped", "unsupported")


@dataclass(frozen=True)
class Options:
    thresholds: Thresholds = field(default_factory=Thresholds)
    filter: re.Pattern[str] | None = None
    metrics: frozenset[Metric] = frozenset()  # empty: all
    subset: bool = False
    strict: bool = False
    strict_new: bool = False
    strict_env: bool = False
    allow_different_device: bool = False


@dataclass
class Comparison:
    baseline_path: str
    current_path: str
    rows: list[Row] = field(default_factory=list)
    unsupported: list[tuple[str, str]] = field(default_factory=list)  # (id, why it did not run)
    notices: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    gate: bool = True  # False: of another device, shown and not judged
    strict: bool = False  # inconclusive rows count
    confirmed: bool = False  # candidates were measured again
    other_device: bool = False  # and some cases were therefore not compared
    nothing_measured: bool = False
    codes: set[ExitCode] = field(default_factory=set)  # of the whole, besides those of the rows

    @property
    def exit_code(self) -> ExitCode:
        """Of the whole and of its rows, whose verdicts a confirmation may have changed."""
        held = self.codes | {self.code_of(row) for row in self.rows}
        if self.nothing_measured:
            # Every case missing or failed is one fault, the run's own, and no list of missing ones.
            held -= {ExitCode.NOT_MEASURED}
        return first_of(held)

    def code_of(self, row: Row) -> ExitCode:
        """What `row` alone makes the script exit with."""
        code = row.strict_code if self.strict and row.code is ExitCode.OK else row.code
        return code if self.gate or code not in NO_GATE else ExitCode.OK

    def counts(self) -> dict[Verdict, int]:
        found = Counter(row.verdict for row in self.rows)
        return {verdict: found[verdict] for verdict in Verdict if found[verdict]}


def _whole(case: MeasuredCase, verdict: Verdict, reason: str, code: ExitCode) -> Row:
    strict = ExitCode.INCONCLUSIVE if verdict is Verdict.INCOMPARABLE else ExitCode.OK
    return Row(case.id, None, verdict, reason, repro=case.repro, code=code, strict_code=strict)


def _status(case: MeasuredCase) -> str:
    return f"status {case.status}" + (f": {case.reason}" if case.reason else "")


def _without_baseline(current: MeasuredCase, why: str, options: Options) -> list[Row]:
    """Rows for a case that the baseline has no time of."""
    if current.status == "wrong":
        return [_whole(current, Verdict.WRONG, _status(current), ExitCode.WRONG_RESULT)]
    if current.status in DID_NOT_APPLY:
        return []
    if current.status == "invalid_timing":
        return [_whole(current, Verdict.INVALID, _status(current), ExitCode.NOT_MEASURED)]
    if current.status != "ok":
        reason = f"no measurement: {_status(current)}"
        return [_whole(current, Verdict.NOT_MEASURED, reason, ExitCode.NOT_MEASURED)]
    code = ExitCode.NOT_MEASURED if options.strict_new else ExitCode.OK
    return [_whole(current, Verdict.NEW, why, code)]


def _not_both_ok(baseline: MeasuredCase, current: MeasuredCase, options: Options) -> list[Row]:
    if current.status == "wrong":
        return [_whole(current, Verdict.WRONG, _status(current), ExitCode.WRONG_RESULT)]
    if baseline.status == "invalid_timing":
        reason = f"in the baseline, {_status(baseline)}"
        return [_whole(current, Verdict.INVALID, reason, ExitCode.USAGE)]
    if current.status != "ok":
        if current.status in DID_NOT_APPLY and baseline.status != "ok":
            return []
        if current.status == "invalid_timing":
            return [_whole(current, Verdict.INVALID, _status(current), ExitCode.NOT_MEASURED)]
        reason = f"no measurement: {_status(current)}"
        return [_whole(current, Verdict.NOT_MEASURED, reason, ExitCode.NOT_MEASURED)]
    why = f"the baseline has no time, {_status(baseline)}"
    if baseline.status in DID_NOT_APPLY:
        return _without_baseline(current, why, options)
    return [_whole(current, Verdict.INCOMPARABLE, why, ExitCode.OK)]


def _one_sided(
    metric: Metric, baseline: MeasuredCase, current: MeasuredCase, options: Options
) -> Row:
    """A timing that only one of two measured cases has."""
    if metric in current.rounds:
        code = ExitCode.NOT_MEASURED if options.strict_new else ExitCode.OK
        row = _whole(current, Verdict.NEW, f"the baseline has no {metric} timing", code)
    else:
        code = ExitCode.OK if options.subset else ExitCode.NOT_MEASURED
        row = _whole(current, Verdict.MISSING, f"the current run has no {metric} timing", code)
    return replace(row, metric=metric)


def _both_ok(
    baseline: MeasuredCase, current: MeasuredCase, options: Options, result: Comparison
) -> list[Row]:
    config = current.segment.header.get("config", {})
    threshold = options.thresholds.of(current.id, config.get("gate"), result.current_path)
    rows = []
    shared = baseline.rounds.keys() | current.rounds.keys()
    for metric in sorted(shared, key=str) if len(shared) > 1 else shared:
        if options.metrics and metric not in options.metrics:
            continue
        if metric not in baseline.rounds or metric not in current.rounds:
            rows.append(_one_sided(metric, baseline, current, options))
            continue
        before, now = value_of(baseline.rounds[metric]), value_of(current.rounds[metric])
        if before is None or now is None:
            side = "baseline" if before is None else "current run"
            code = ExitCode.USAGE if before is None else ExitCode.NOT_MEASURED
            reason = f"the {side}'s median is null, zero or negative"
            rows.append(replace(_whole(current, Verdict.INVALID, reason, code), metric=metric))
            continue
        rows.append(judge(current.id, metric, before, now, threshold, current.repro))
    return rows


def _foreign(baseline: MeasuredCase, current: MeasuredCase, options: Options) -> Row | None:
    before = device_of(baseline.segment, baseline.backend)
    now = device_of(current.segment, current.backend)
    if baseline.backend != current.backend:
        reason = f"ran on the backend {baseline.backend} in the baseline, {current.backend} now"
    elif before != now and not options.allow_different_device:
        reason = f"measured on '{before}' in the baseline, on '{now}' now"
    else:
        return None
    return _whole(current, Verdict.INCOMPARABLE, reason, ExitCode.OK)


def _pairs(
    baseline: dict[str, MeasuredCase],
    current: dict[str, MeasuredCase],
    options: Options,
    result: Comparison,
) -> None:
    """Fills in the rows of all cases that either side has."""
    for case_id, before in baseline.items():
        now = current.get(case_id)
        if now is None:
            if before.status in DID_NOT_APPLY:
                continue
            code = ExitCode.OK if options.subset else ExitCode.NOT_MEASURED
            reason = "in the baseline and not in the current run"
            result.rows.append(_whole(before, Verdict.MISSING, reason, code))
        elif now.status != "wrong" and (foreign := _foreign(before, now, options)) is not None:
            result.rows.append(foreign)
        elif before.status == "ok" and now.status == "ok":
            rows = _both_ok(before, now, options, result)
            if not rows and not options.metrics:
                reason = "verified and not timed, on either side"
                rows = [_whole(now, Verdict.NOT_MEASURED, reason, ExitCode.NOT_MEASURED)]
            result.rows.extend(rows)
        else:
            result.rows.extend(_not_both_ok(before, now, options))
    for case_id, now in current.items():
        if case_id not in baseline:
            why = "in the current run and not in the baseline"
            result.rows.extend(_without_baseline(now, why, options))


def compare(baseline: ResultFile, current: ResultFile, options: Options) -> Comparison:
    """Judges every case of both files. Raises NoBaseline where the baseline holds no case."""
    if baseline.case_count == 0:
        raise NoBaseline(f"{baseline.path}: there is no case in this baseline")
    result = Comparison(baseline.path, current.path, strict=options.strict)
    before, now = gather(baseline), gather(current)
    if options.filter is not None:
        before = {key: case for key, case in before.items() if options.filter.search(key)}
        now = {key: case for key, case in now.items() if options.filter.search(key)}
        if not before and not now:
            result.notices.append(f"0 cases matched --filter '{options.filter.pattern}'")
            result.codes.add(ExitCode.NOTHING_COMPARABLE)
            return result
    found = preconditions(baseline, current, options.allow_different_device)
    result.warnings += found.warnings
    result.notices += found.notices
    result.gate, result.other_device = found.gate, found.other_device
    if found.environment_differs and options.strict_env:
        result.codes.add(ExitCode.ENVIRONMENT)
    if not found.comparable:
        result.codes.add(ExitCode.ENVIRONMENT)
        # Told once above: the rows of a run on another card would only say it again.
        before = {key: case for key, case in before.items() if case.backend == "host"}
        now = {k: c for k, c in now.items() if c.backend == "host" or c.status == "wrong"}
    _pairs(before, now, options, result)
    result.unsupported = [
        (case.id, _status(case)) for case in now.values() if case.status in DID_NOT_APPLY
    ]
    _conclude(now, result)
    return result


def _conclude(now: dict[str, MeasuredCase], result: Comparison) -> None:
    """Adds what follows from the rows together."""
    rows = result.rows
    compared = any(row.verdict in COMPARED for row in rows)
    measured = any(case.status in ("ok", "wrong", "invalid_timing") for case in now.values())
    if not measured and ExitCode.ENVIRONMENT not in result.codes:
        result.notices.append("nothing was measured in the current run")
        result.nothing_measured = True
        result.codes.add(ExitCode.NOTHING_COMPARABLE)
    elif not compared:
        result.notices.append("nothing could be compared")
        other = result.other_device
        result.codes.add(ExitCode.ENVIRONMENT if other else ExitCode.NOTHING_COMPARABLE)
    news = [row for row in rows if row.verdict is Verdict.NEW and row.metric is not None]
    if news:
        metrics = ", ".join(sorted({str(row.metric) for row in news}))
        result.notices.append(f"compared on shared timings: the baseline lacks {metrics}")
