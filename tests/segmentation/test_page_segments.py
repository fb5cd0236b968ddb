"""Segments of a page that are looked for: its title, its headings, those around a place."""

from __future__ import annotations

import pytest

from ncfilters.segmentation.page_segments import (
    Around,
    first_heading,
    first_long,
    first_part,
    numbers_around,
    places_of_title,
    short_around,
)

SEGMENTS = [
    {"text": text, "tag": tag}
    for text, tag in (
        ("Snow", "p"),
        ("It rained.", "p"),
        ("It rained", "h2"),
        ("ÉTÉ", "h1"),
        ("The rain in É, which is long", "p"),
        ("ﬁnd", "h3"),
        ("Posted today", "h1"),
    )
]


@pytest.mark.parametrize(
    ("title", "places"),
    [
        ("It rained!", (2, 1)),
        ("snow", (0, None)),
        ("été", (3, None)),
        ("find", (5, None)),
        ("the rain in é which is long", (4, None)),
        ("rain", (None, None)),
        ("", (None, None)),
        ("…", (None, None)),
    ],
)
def test_a_heading_is_the_title_and_not_what_is_before_it(title: str, places: tuple[int | None, int | None]) -> None:
    assert places_of_title(SEGMENTS, title) == places


def test_titles_are_much_longer_than_no_segment() -> None:
    assert places_of_title([{"text": "Rain" + " ! " * 20}], "Rain") == (None, None)
    assert places_of_title([{"text": "Rain" + " ! " * 20}], "Rain" + " " * 40) == (0, None)


def test_the_first_of_some_parts() -> None:
    assert first_part(SEGMENTS, ["rain", "été", "snow"], 3) == ("été", 3)
    assert first_part(SEGMENTS, ["rain", "été", "snow"], 4) == ("snow", 0)
    assert first_part(SEGMENTS, ["rain", ""], 0) is None


def test_the_first_heading_and_the_first_text() -> None:
    assert first_heading(SEGMENTS) == 3 and first_heading([{"text": "a"}]) is None
    assert first_long(SEGMENTS, 20) == 4 and first_long(SEGMENTS, 99) is None


def test_segments_around_one_begin_with_what_follows() -> None:
    assert numbers_around(SEGMENTS, 2, Around(before=2, after=3, most=9)) == [3, 4, 5, 1, 0]
    assert numbers_around(SEGMENTS, 6, Around(before=1, after=9, most=9)) == [5]
    assert short_around(SEGMENTS, 2, Around(before=2, after=3, most=9, least=4)) == [0]
