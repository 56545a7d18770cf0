"""JSON as RFC 8259 has it, and no key twice: what Python's own reader lets pass is refused here.

Python's `json` accepts NaN and Infinity, turns 1e999 into infinity and keeps the last of two equal
keys, each without a word.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)|-?\d[\d.eE+-]*|[{}\[\],:]|true|false|null'
)

# An escape for half of a pair, with the other half not beside it; after a backslash that is itself
# escaped it is none, so that what is found has to be looked at again.
HALF_PAIR = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])"
    r"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)


class JsonError(Exception):
    """`column` counts from 1."""

    def __init__(self, column: int, message: str) -> None:
        super().__init__(message)
        self.column = column


class _Refused(Exception):
    """Raised inside the decoder, which does not say where it is."""


def _refuse_constant(token: str) -> NoReturn:
    raise _Refused(token)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = dict(pairs)
    if len(keys) != len(pairs):
        raise _Refused("duplicate")
    return keys


def _locate(text: str) -> JsonError:
    """The first non-finite number or repeated key of `text`, which the decoder has refused."""
    # One entry an open bracket: the keys seen (None for an array) and what we are in, for the path.
    keys_seen: list[set[str] | None] = []
    path: list[str] = []
    expect_key = False
    for match in TOKEN.finditer(text):
        token, column = match.group(), match.start() + 1
        if token in ("NaN", "-NaN", "Infinity", "-Infinity"):
            return JsonError(column, f"{token} is not JSON; a number or null is allowed")
        if token[0] in "-0123456789":
            if not math.isfinite(float(token)):
                return JsonError(column, f"{token} does not fit a 64-bit float")
        elif token in "{[":
            keys_seen.append(set() if token == "{" else None)
            path.append("")
            expect_key = token == "{"
        elif token in "}]":
            keys_seen.pop()
            path.pop()
            expect_key = False
        elif token == ",":
            expect_key = keys_seen[-1] is not None
        elif token == ":":
            expect_key = False
        elif expect_key and keys_seen and (keys := keys_seen[-1]) is not None:
            key = json.loads(token)
            path[-1] = key
            if key in keys:
                where = ".".join(part for part in path if part)
                return JsonError(column, f"key '{where}' is there twice")
            keys.add(key)
    return JsonError(1, "not accepted")


# Numbers are left to the decoder's own C code: a function of ours for each would take most of the
# time that a file takes. One decoder for all lines, since making it costs as much as a short line.
_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, object_pairs_hook=_unique_keys)


def _check_finite(value: Any) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise _Refused(repr(value))
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list):
        return
    for inner in value:
        _check_finite(inner)


def require_finite(text: str, value: Any) -> None:
    """Raises JsonError where `value`, read from `text`, holds a number that no float can.

    Apart from `loads`, since looking at every number takes as long as reading them all: a reader
    calls it where a number that it uses turned out to be infinite.
    """
    try:
        _check_finite(value)
    except _Refused:
        raise _locate(text) from None


def _require_characters(text: str, value: Any) -> None:
    """Raises JsonError where a string holds half of a surrogate pair: no file can be written of it.

    Only an escape can say one, and few lines have any.
    """
    half = HALF_PAIR.search(text)
    if half is None:
        return
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise JsonError(half.start() + 1, "half of a surrogate pair stands alone") from None


def loads(text: str) -> Any:
    """The value of `text`. Raises JsonError with the column of the first fault.

    A number too big for a float is infinite in it; see `require_finite`.
    """
    try:
        value = _DECODER.decode(text)
        _require_characters(text, value)
        return value
    except json.JSONDecodeError as error:
        raise JsonError(error.pos + 1, f"not JSON: {error.msg}") from None
    except _Refused:
        raise _locate(text) from None
    except RecursionError:
        raise JsonError(1, "nested too deeply") from None
    except ValueError as error:  # an integer of more digits than Python converts
        raise JsonError(1, f"not accepted: {error}") from None
