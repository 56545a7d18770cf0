"""The options that compare.py and gate.py share: thresholds, what is compared, what is strict."""

from __future__ import annotations

import argparse

from redux_tools.comparison import Options
from redux_tools.exit_codes import ExitCode, Failure
from redux_tools.results import CACHES, MODES, Metric
from redux_tools.thresholds import (
    Thresholds,
    compile_regex,
    parse_threshold,
    parse_threshold_for,
)


def add_comparison_options(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--threshold", metavar="SHARE", help="0.05 or 5%%; default: the config's, else 5%%")
    add(
        "--threshold-for",
        metavar="REGEX=SHARE",
        action="append",
        default=[],
        help="a threshold for the ids that match; repeatable, the last match wins",
    )
    add("--filter", metavar="REGEX", help="only the cases whose id matches")
    add(
        "--metric",
        metavar="MODE/CACHE",
        action="append",
        default=[],
        help="only this timing, e.g. graph/cold; repeatable",
    )
    add("--subset", action="store_true", help="cases missing from the current run do not fail")
    add("--strict", action="store_true", help="inconclusive and incomparable cases fail (7)")
    add("--strict-new", action="store_true", help="cases that the baseline lacks fail (4)")
    add("--strict-env", action="store_true", help="another driver, CUDA, host ... fails (6)")


def parse_metric(text: str) -> Metric:
    """Raises Failure(USAGE) for what is no MODE/CACHE."""
    mode, _, cache = text.partition("/")
    if mode not in MODES or cache not in CACHES:
        allowed = ", ".join(f"{m}/{c}" for m in MODES for c in CACHES)
        raise Failure(ExitCode.USAGE, f"--metric '{text}' is not one of {allowed}")
    return Metric(mode, cache)


def comparison_options(
    arguments: argparse.Namespace, allow_different_device: bool = False
) -> Options:
    """Raises Failure(USAGE) for a value that is none."""
    fixed = arguments.threshold
    pattern = arguments.filter
    return Options(
        thresholds=Thresholds(
            None if fixed is None else parse_threshold("--threshold", fixed),
            tuple(parse_threshold_for(text) for text in arguments.threshold_for),
        ),
        filter=None if pattern is None else compile_regex("--filter", pattern),
        metrics=frozenset(parse_metric(text) for text in arguments.metric),
        subset=arguments.subset,
        strict=arguments.strict,
        strict_new=arguments.strict_new,
        strict_env=arguments.strict_env,
        allow_different_device=allow_different_device,
    )
