"""The title of a page: which segment it is, its copies, the title in the head alone."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.record import Record
from ncfilters.selection.title import find_title, head_title, keep_title, title_first, with_head_title

from .steps import after, content, page_with, row

HEAD = "The Bridge Is Closed | The Gazette"


def of(text: str, probability: float = 0.8, path: str = "body/p", role: str = "title", **fields: Any) -> Record:
    return row(text, path, 0.0, role=role, role_probability=probability, **fields)


def heading(text: str, probability: float = 0.8, level: int = 2, **fields: Any) -> Record:
    return of(text, probability, f"body/h{level}", **fields)


CLOSED, TEXT = heading("The bridge is closed", 0.5), of("It rained", role="text")
CRUMB = heading("Weather: it rained", 0.9, level=1, rule="nav")
EMBEDDED = of("The bridge is closed", 0.9, origin="json-ld:headline", rule="embedded")


@pytest.mark.parametrize(
    ("rows", "head", "title"),
    [
        ([], "", -1),
        ([TEXT], "", -1),
        ([heading("Another story", 0.55), heading("The bridge is closed", 0.6), TEXT], "", 1),
        # the title in the head and h1 count, but less than a higher probability
        ([heading("A bridge too far", 0.6), CLOSED], HEAD, 1),
        ([heading("The Gazette", 0.55), heading("It rained", 0.5, level=1)], "", 1),
        ([heading("It rained", 0.84), heading("The bridge is closed", 0.5, level=1)], "The bridge is closed", 1),
        ([heading("It rained", 0.86), heading("The bridge is closed", 0.5, level=1)], "The bridge is closed", 0),
        # doubtful
        ([of("It rained", 0.4)], "", -1),
        ([heading("It rained", 0.4, level=1)], "", 0),
        # in a menu
        ([CRUMB, heading("It rained", 0.6)], "", 1),
        ([CRUMB, heading("It rained", 0.3)], "", 0),
        ([CRUMB], "", 0),
        ([EMBEDDED], "", -1),
        ([EMBEDDED | {"origin": "noscript"}], "", 0),
    ],
)
def test_the_segment_that_is_the_title(rows: list[Record], head: str, title: int) -> None:
    page = page_with(*rows)
    page.document = {"head": {"title": head}} if head else {}
    assert find_title(page) == title


@pytest.mark.parametrize("head", [{"head": 7}, {"head": {"title": 7}}, {"head": None}, {"head": {}, "url": None}])
def test_heads_of_wrong_types_are_no_heads(head: Record) -> None:
    page = page_with(heading("It rained", 0.3), heading("It rained", 0.3))
    page.document = head
    assert find_title(page) == -1 and head_title(head) == ""


CLOSED_ROWS = [of("THE BRIDGE is closed:", role="text"), heading("The bridge is closed")]
CLOSED_ROWS.append(of("The bridge is closed again", role="text"))
RAIN = [heading("Rain"), of("Rain", path="body/table/tr/th", role="text"), of("rain", role="text")]


@pytest.mark.parametrize(
    ("rows", "before", "expected"),
    [
        (CLOSED_ROWS, "+-+", "-++"),
        (CLOSED_ROWS, "---", "---"),  # of a page without text
        ([of("* * *"), of("…", role="text")], "++", "++"),
        (RAIN, "+++", "++-"),  # the head of a table may be the title
        ([one | {"table": 1} for one in RAIN], "+++", "++-"),
        ([heading("It rained"), *[of(text, role="text") for text in ("Rained it", "It rained all day", "IT RAINED!")]]
         , "++++", "+++-"),
    ],
)  # fmt: skip
def test_copies_of_the_title_are_dropped(rows: list[Record], before: str, expected: str) -> None:
    assert after(keep_title, *rows, before=before) == expected


def test_a_title_that_is_excluded_goes_with_its_copies_and_not_all_that_looks_like_it() -> None:
    rows = [heading("Rain", 0.9), heading("A Coat", 0.6), of("Rain", 0.5), TEXT]
    assert after(keep_title, *rows, before="++++") == "++-+"
    assert after(keep_title, *rows, before="++++", options=content(excluded="title")) == "-+-+"


def test_the_title_is_the_first_heading() -> None:
    byline, title = of("By Ada"), of("The bridge", marker="*", pre=True)
    out = title_first([byline, title, byline], title)
    assert out == [{"text": "The bridge", "type": "h", "tag": "h1", "path": "body/h1"}, byline, byline]


def test_all_sentences_of_the_title_are_first() -> None:
    sentences = [of("It rained.", segment=0), of("Why?", segment=1), of("Because.", segment=1)]
    assert [s["text"] for s in title_first(sentences, sentences[1])] == ["Why?", "Because.", "It rained."]
    assert [s["segment"] for s in title_first(sentences, sentences[1])] == [1, 1, 0]


def test_a_title_in_the_head_alone_is_a_heading_before_the_text() -> None:
    text = [of("It rained.")]
    document = {"head": {"title": "The bridge is closed | Gazette"}}
    assert [(s["type"], s["text"]) for s in with_head_title(text, document)] == [
        ("h", "The bridge is closed"),
        ("p", "It rained."),
    ]
    assert with_head_title(text, {}) == text
    for same in (of("the bridge is closed."), heading("The old bridge is closed")):
        assert with_head_title([same], document) == [same]


def test_a_title_keeps_its_markup() -> None:
    title = heading("The bridge is closed", 0.9) | {"level": 2, "spans": [[4, 10, "em"]], "depth": 1}
    (first, _) = title_first([of("It rained"), title], title)
    assert first == {
        "text": "The bridge is closed",
        "type": "h",
        "tag": "h2",
        "path": "body/h2",
        "level": 2,
        "spans": [[4, 10, "em"]],
    }
