"""Lines that look like bylines and dates."""

from __future__ import annotations

import pytest

from ncfilters.dataset.byline_forms import days, forms, is_dated, other_words


@pytest.mark.parametrize(
    "text",
    [
        "3 May 2024",
        "Last updated at 8:37 AM on 12th January 2012",
        "Posted : Fri, 11 Jan 2008 11:01:23 GMT",
        "08/01/2008 11:13",
        "2012年1月17日 10:25",
        "Środa, 11 stycznia 2012",
        "// 09.12.2011 // 10:19 //",
    ],
)
def test_a_line_with_a_date_and_nothing_else_is_a_date(text: str) -> None:
    assert forms(text) == {"date"}
    assert is_dated(text)


@pytest.mark.parametrize(
    "text",
    ["By Ann Lee", "by AL ALEXANDER The Patriot Ledger", "Written by: Jo Ray", "Author : Sports Desk", "記者陳木隆"],
)
def test_a_line_that_says_by_whom_is_a_byline(text: str) -> None:
    assert forms(text) == {"byline"}


def test_a_line_may_be_both() -> None:
    assert forms("By Ann Lee, 3 May 2024") == {"byline", "date"}
    assert other_words("Ann Lee | May 3, 2024") == ["ann", "lee"]


@pytest.mark.parametrize(
    "text",
    [
        "by the river the road is closed",
        "EDITORS",
        "May we come in?",
        "12 34 56",
        "Home",
        "The bridge closed on 3 May 2024",
    ],
)
def test_other_lines_are_neither(text: str) -> None:
    assert forms(text) == set()


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("May 3, 2024", (2024, 5, 3)),
        ("3. Mai 2024", (2024, 5, 3)),
        ("2024-05-03", (2024, 5, 3)),
        ("17/01/08", (2008, 1, 17)),
    ],
)
def test_days(text: str, day: tuple[int, int, int]) -> None:
    assert day in days(text)
    assert not days("room 12, floor 3")
