"""The day of a page where no segment around its title has one in full."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.segmentation.day_segments import other_day

LONG = "It rained on the puddles of the parish until the ducks moved out of the pond. " * 2


def day_of(*texts: str, **options: Any) -> str:
    return other_day([{"text": text} for text in texts], **options)


@pytest.mark.parametrize(
    "texts, day",
    [
        (("Rain", "Source: Gazette 03/05/24-10:30", LONG), "2024-05-03"),
        (("Rain 03.05.24 08:49", LONG), "2024-05-03"),
        (("Rain", "Printer", "Опубликовано 3 мая 24 (14:41)", LONG), "2024-05-03"),
        (("3 maj 24, 11:08", "Rain", LONG), "2024-05-03"),
        (("Rain", "28 ноября, 10:32", LONG, "Snow (29/11/2023)"), "2023-11-28"),
        (("Rain", "28 ноября, 10:32", LONG, "Snow (2/1/2024)"), "2023-11-28"),
        (("Rain", "28 ноября, 10:32", LONG), ""),  # of which year?
        (("Rain", LONG, LONG, LONG, LONG, "03.05.24 08:49"), ""),
        (("Rain", "Version 1.10.12.4", LONG), ""),
    ],
)
def test_years_of_two_digits_and_none(texts: tuple[str, ...], day: str) -> None:
    assert day_of(*texts, place=0 if "Rain" in texts[0] else 1) == day


def test_year_of_the_reading() -> None:
    assert day_of("Rain", "Tuesday, Nov 28", place=0, latest="2024-01-02") == "2023-11-28"
    assert day_of("Rain", "05/03/24", place=0, month_first=True) == "2024-05-03"


def test_elements_named_after_the_day() -> None:
    segments = [
        {"text": "Rain", "path": "body/h1"},
        {"text": LONG, "path": "body/p"},
        {"text": "3 May 2024", "path": "body/div.pubdate"},
        {"text": "9 May 2024", "path": "body/div.clock/span.date"},
    ]
    assert other_day(segments, 0) == "2024-05-03"
    assert other_day([*segments, {"text": "4 May 2024", "path": "body/div.pubdate"}], 0) == ""
    assert other_day([*segments[:2], {"text": "3 May 2024", "path": "body/div.author-details"}], 0) == "2024-05-03"


def test_before_the_text_if_there_is_no_title() -> None:
    texts = ("News", "Gazette 2024-05-03 10:30 Source: Ann Lee", LONG, "2024-05-04")
    assert day_of(*texts, place=None) == "2024-05-03"
    assert day_of(*texts, place=0) == "2024-05-04"  # which is alone
    assert day_of("2024-05-03", "a", "b", "c", "d", "e", "f", LONG, place=None) == "2024-05-03"  # far, but alone
    header = [{"text": "3 May 2024", "path": "body/div#header-time"}, {"text": LONG, "path": "body/p"}]
    assert other_day(header, None) == ""


def test_days_that_are_read_are_bounded() -> None:
    short = [{"text": "Duck pond", "path": "body/p"}] * 500
    day = {"text": "3 May 2024", "path": "body/div.pubdate"}
    assert other_day([{"text": "Rain"}, *short, day], 0) == "2024-05-03"
    assert other_day([{"text": "Rain"}, *[{"text": "In 2023", "path": "body/p"}] * 500, day], 0) == ""


def test_the_day_above_the_page_is_that_of_the_reading() -> None:
    above = {"text": "Monday, 10/4/2013", "path": "body/div.header/div.date"}
    own = {"text": "15:10 6/1/2012", "path": "body/div.left/div.date"}
    far = [{"text": "It rains."}] * 9
    assert other_day([above, *far, {"text": "Rain"}, *far, own], 10) == "2012-01-06"
    assert other_day([above, *far, {"text": "Rain"}], 10) == "2013-04-10"
    assert other_day([above, own, *far, own | {"text": "7/1/2012"}, *far, {"text": "Rain"}], 20) == ""


def test_the_only_day_that_stands_alone() -> None:
    assert day_of("Rain", *["It rained."] * 30, "3 May 2024, 10:30", place=0) == "2024-05-03"
    assert day_of("Rain", *["It rained."] * 30, "3 May 2024", "4 May 2024", place=0) == ""
    assert day_of("Rain", *["It rained."] * 30, "By Ann Lee, 3 May 2024", place=0) == ""
