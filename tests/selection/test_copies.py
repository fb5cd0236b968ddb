"""Texts that a page has twice."""

from __future__ import annotations

import pytest

from ncfilters.record import Record
from ncfilters.selection.copies import MIN_COPY, drop_copies, drop_echoes

from .steps import after, assert_linear_step, row

LONG = "word " * MIN_COPY
SHORT = "word " * (MIN_COPY - 1)


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([row(LONG, "body/p"), row(LONG, "body/main/p")], "+-"),
        ([row(LONG, "body/p", -1.0), row(LONG, "body/main/p")], "-+"),  # what is dropped is no copy
        ([row(LONG, "body/p#a.b"), row(LONG, "body/p#c.b"), row(LONG, "body/p.c")], "++-"),  # in one place
        ([row(SHORT, "body/p"), row(SHORT, "body/b")], "++"),
        ([row(LONG, "body/p"), row(LONG + "snow", "body/b")], "++"),
        ([row(LONG, ""), row(LONG, "")], "+-"),  # each has a place of its own
        ([], ""),
    ],
)
def test_the_second_of_equal_texts_is_dropped(rows: list[Record], expected: str) -> None:
    assert after(drop_copies, *rows) == expected


STEPS = [row(f"{place} of the many words of a recipe that stands on its page twice.") for place in range(4)]
OTHER, SERIES = row("Serve it warm."), [row(f"{number} " * 40) for number in range(10, 30)]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([*STEPS, OTHER, *STEPS], "+++++----"),
        ([*STEPS, *STEPS, OTHER, *STEPS], "++++----+----"),
        ([*STEPS, STEPS[1], STEPS[0], STEPS[3], STEPS[2]], "+" * 8),  # in another order
        ([*STEPS[:2], OTHER, *STEPS[:2]], "+" * 5),  # two
        ([*STEPS[:3], OTHER, *STEPS[:3]], "+" * 7),  # of few words
        ([*STEPS, *SERIES, *STEPS], "+" * 28),  # a small share of the page
        ([*STEPS, *({**step, "post": 1} for step in STEPS)], "+" * 8),
        ([*STEPS, *({**step, "pre": True} for step in STEPS)], "+" * 8),
    ],
)
def test_what_is_repeated_in_a_row_is_dropped(rows: list[Record], expected: str) -> None:
    assert after(drop_copies, *rows) == expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("body/div.ssr-variant.hidden-1/div/p", "body/div.ssr-variant.hidden-2/div/p", "++-"),
        ("body/div.ssr-variant.hidden-1/div/p.wet", "body/div.ssr-variant.hidden-1/div/p.wet", "++-"),
        ("body/div/ul.desktop-list/li", "body/div/ul.mobile-list/li", "++-"),
        ("body/div/div.planMobileCopy/p", "body/div/div.planDesktopCopy/p", "++-"),
        ("body/div/div.hide-tablet/p", "body/div/div.show-tablet/p", "++-"),
        ("body/div/h4#mobile-a", "body/div/h4#mobile-b", "+++"),
        ("body/div/li.mobile-a", "body/div/li.mobile-b", "+++"),
        ("body/div.mobile/table/tr", "body/div.desktop/table/tr", "+++"),
        ("body/div/div.a/p.mobile", "body/div/div.b/p.desktop", "+++"),
        ("body/div/div.mobile/p", "body/div/div/p", "+++"),
        ("body/div/div.mobile/p", "body/div/div.mobile/p", "+++"),
        ("body/div/div.automobile/p", "body/div/div.automobiles/p", "+++"),
    ],
)
def test_a_text_for_screens_of_another_width_is_dropped(one: str, other: str, expected: str) -> None:
    rows = row("It rained here", one), row("It was wet", one), row("It rained here", other)
    assert after(drop_echoes, *rows) == expected


LOGO = row("Rain Ltd", "body/ul/li")
CLONE, SNOW = LOGO | {"hidden": "aria"}, row("Snow Ltd", "body/ul/li", hidden="aria")


@pytest.mark.parametrize(
    ("rows", "before", "expected"),
    [
        ([CLONE, SNOW, LOGO, CLONE, LOGO], "+++++", "-++-+"),
        ([CLONE, SNOW, LOGO, CLONE, LOGO], "++-+-", "++-+-"),
        ([LOGO | {"text": "$170"}, CLONE | {"text": "$170"}], "++", "++"),
    ],
)
def test_clones_in_a_carousel_are_dropped(rows: list[Record], before: str, expected: str) -> None:
    assert after(drop_echoes, *rows, before=before) == expected


TITLE, LABEL = row("It rained a lot", "body/div/h2"), row("It rained a lot", "body/div")
NO, NAME = row("No"), row("It rained a lot", "body/p/b", type="h")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([TITLE, LABEL], "+-"),
        ([LABEL, TITLE, LABEL], "-+-"),
        ([TITLE, NO, LABEL], "+++"),
        ([TITLE, NO, NO, NAME], "+++-"),
        ([TITLE, NO, NO, NO, NAME], "+++++"),
        ([LABEL, LABEL], "++"),
        ([row("It rained", "body/div/h2"), row("It rained", "body/div")], "++"),
        ([LABEL, row("It rained a lot", "table/tr/td.b")], "++"),
        ([TITLE, LABEL | {"post": 1}], "++"),
    ],
)
def test_a_text_that_repeats_the_one_before_is_dropped_however_short(rows: list[Record], expected: str) -> None:
    assert after(drop_echoes, *rows) == expected


def test_linear() -> None:
    for step in drop_copies, drop_echoes:
        assert_linear_step(step, lambda size: [*STEPS, CLONE, TITLE, LABEL] * (size // 4))
        assert_linear_step(step, lambda size: [row(LONG, f"body/div.mobile/p{at}") for at in range(size)])
