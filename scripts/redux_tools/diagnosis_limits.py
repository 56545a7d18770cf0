"""What a diagnosis is failed for: --fail-on cliff=4,regret=5%,idle."""

from __future__ import annotations

import math
from typing import NamedTuple

from redux_tools.diagnosis import Diagnosis, Fault, Limits
from redux_tools.exit_codes import ExitCode, Failure, first_of
from redux_tools.thresholds import parse_threshold

OPTION = "--fail-on"
ALLOWED = "cliff=RATIO, regret=SHARE, idle"


class FailOn(NamedTuple):
    """A ratio above 1, a share, and whether a fault of idleness fails; None: does not fail."""

    cliff: float | None = None
    regret: float | None = None
    idle: bool = False

    @property
    def limits(self) -> Limits:
        usual = Limits()
        return Limits(self.cliff or usual.cliff, self.regret or usual.regret)


def _ratio(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value <= 1:
        message = f"{OPTION}: 'cliff={text}' is no cliff; write a ratio above 1, as cliff=4"
        raise Failure(ExitCode.USAGE, message)
    return value


def parse_fail_on(text: str) -> FailOn:
    """Raises Failure(USAGE) for what is no list of conditions, and for one given twice."""
    found = FailOn()
    seen: set[str] = set()
    for part in text.split(","):
        name, sign, value = (word.strip() for word in part.partition("="))
        if name in seen:
            raise Failure(ExitCode.USAGE, f"{OPTION}: '{name}' is given twice")
        seen.add(name)
        if name == "cliff" and sign:
            found = found._replace(cliff=_ratio(value))
        elif name == "regret" and sign:
            found = found._replace(regret=parse_threshold(f"{OPTION} regret", value))
        elif name == "idle" and not sign:
            found = found._replace(idle=True)
        else:
            raise Failure(ExitCode.USAGE, f"{OPTION}: '{part}' is not one of {ALLOWED}")
    return found


class Judgement(NamedTuple):
    """`failed`: what trips a limit; `unknown`: what could not be judged, which is no pass."""

    code: ExitCode
    failed: list[str]
    unknown: list[str]


def _codes_of_others(found: Diagnosis) -> list[ExitCode]:
    codes = []
    if "wrong" in found.others:
        codes.append(ExitCode.WRONG_RESULT)
    lacking = {"error", "timeout", "invalid_timing", "skipped"} & found.others.keys()
    if lacking or found.incomplete:
        codes.append(ExitCode.NOT_MEASURED)
    return codes


def judge(found: Diagnosis, fail_on: FailOn) -> Judgement:
    """Whether a limit is tripped; a limit that nothing can be held against is no pass either."""
    checks = (
        (
            fail_on.cliff,
            "cliff: no variant was timed in two shapes of as many elements",
            bool(found.cliffs),
            [
                f"cliff: {c.key.op} {c.variant} {c.key.group}, {c.slowest.subject.view.shape}"
                for c in found.cliffs
                if fail_on.cliff is not None and c.ratio > fail_on.cliff
            ],
        ),
        (
            fail_on.regret,
            "regret: no shape was timed with auto and another variant",
            bool(found.audit.choices),
            [
                f"regret: {c.auto.view.id}"
                for c in found.audit.choices
                if fail_on.regret is not None and c.fault(fail_on.regret)
            ],
        ),
        (
            fail_on.idle or None,
            "idle: no case states its grid and the device's SMs",
            any(case.sm_share is not None for case in found.cases),
            [
                f"idle: {f.op} {f.variant} {f.where}"
                for f in found.findings
                if f.fault is Fault.IDLE
            ],
        ),
    )
    asked = [check for check in checks if check[0] is not None]
    failed = [line for _, _, _, lines in asked for line in lines]
    unknown = [lacking for _, lacking, possible, _ in asked if not possible]
    codes = _codes_of_others(found) if asked else []
    codes += [ExitCode.REGRESSION] * bool(failed) + [ExitCode.NOTHING_COMPARABLE] * bool(unknown)
    return Judgement(first_of(codes), failed, unknown)
