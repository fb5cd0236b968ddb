"""Names in maps that are no strings: found at any depth, and named."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.streams.map_names import MAX_PLACE, all_are_text, place_of_wrong_name


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
