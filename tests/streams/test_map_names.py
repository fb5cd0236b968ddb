"""Names in maps that are no strings: found at any depth, by both cores, and named."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ncfilters.streams import map_names
from ncfilters.streams.map_names import MAX_PLACE, all_are_text, place_of_wrong_name
from ncfilters.streams.utf8_pages import streams_core

_names = st.text(max_size=2) | st.integers() | st.none() | st.just("\ufffd")
_values = st.recursive(
    _names | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_names, inner, max_size=3),
    max_leaves=12,
)


@pytest.mark.parametrize(
    "value, place",
    [
        ({"a": 1, "b": [{"c": {}}]}, None),
        ({1: 2}, ""),
        ({"a": {None: 1}}, "a"),
        ({"a": [[], [{"b": {b"c": 1}}]]}, "a[1][0].b"),
        ({"a": {True: 1}, "b": {1.5: 1}}, "a"),
        ({"two\nlines": {1: 1}}, "'two\\nlines'"),
    ],
)
def test_the_place_of_the_first(value: Any, place: str | None) -> None:
    assert place_of_wrong_name(value) == place
    assert all_are_text(value) is (place is None)


def test_a_long_place_is_cut() -> None:
    value: Any = {1: 2}
    for _ in range(1000):
        value = {"name" * 100: [value]}
    place = place_of_wrong_name(value)
    assert place is not None and 0 < len(place) < 3 * MAX_PLACE
    assert not all_are_text(value)


@pytest.mark.parametrize("value", [{"a\ufffd": 1}, {"a": [{"\U0001f600\ufffd": 1}]}])
def test_what_may_stand_for_anything_is_no_text(value: Any) -> None:
    assert place_of_wrong_name(value) is None
    assert not all_are_text(value)


@pytest.mark.skipif(streams_core() is None, reason="no compiled core: python setup.py build_ext --inplace")
@settings(deadline=None)
@given(_values)
def test_both_cores_find_the_same(value: Any) -> None:
    compiled = all_are_text(value)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(map_names, "streams_core", lambda: None)
        assert all_are_text(value) is compiled
