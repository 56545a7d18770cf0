"""Which exit code goes first, and that strict JSON accepts all that JSON is."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redux_tools import strict_json
from redux_tools.exit_codes import ExitCode, first_of

DOCUMENTED_ORDER = [2, 3, 4, 6, 5, 1, 7]


@pytest.mark.parametrize("index", range(len(DOCUMENTED_ORDER)))
def test_the_gravest_code_wins(index):
    held = [ExitCode(code) for code in DOCUMENTED_ORDER[index:]]
    assert first_of(reversed(held)) == DOCUMENTED_ORDER[index]


def test_nothing_held_is_success():
    assert first_of([]) == 0


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON)
def test_strict_json_reads_what_json_writes(value):
    assert strict_json.loads(json.dumps(value)) == value


@given(st.lists(st.text(), min_size=1, max_size=4), st.data())
def test_strict_json_finds_any_repeated_key(keys, data):
    again = data.draw(st.sampled_from(keys))
    members = [f"{json.dumps(key)}: [{{}}, 1]" for key in dict.fromkeys(keys)]
    text = "{" + ", ".join(members) + f", {json.dumps(again)}: 2}}"
    with pytest.raises(strict_json.JsonError) as caught:
        strict_json.loads(text)
    assert caught.value.column == len("{" + ", ".join(members) + ", ") + 1
