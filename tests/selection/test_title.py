"""The title of a page: which segment it is, its copies, the title in the head without the name of the site."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.selection.scored_table import table_of
from ncfilters.selection.title import (
    find_title,
    head_title,
    keep_title,
    title_first,
    title_key,
    with_head_title,
    without_site_name,
)

HEAD = {"head": {"title": "The Bridge Is Closed | The Gazette"}}


def segment(text: str, role: str = "text", probability: float = 0.8, **more: Any) -> dict[str, Any]:
    return {"text": text, "type": "p", "path": "body/p", "role": role, "role_probability": probability} | {
        "score": 0.0,
        **more,
    }


def heading(text: str, *about: Any, level: int = 2) -> dict[str, Any]:
    return segment(text, *about, type="h", path=f"body/h{level}")


def found(page: list[dict[str, Any]], document: dict[str, Any] | None = None) -> str | None:
    index = find_title(table_of(page), document or {})
    return None if index is None else page[index]["text"]


def test_the_most_probable_title_is_the_title() -> None:
    page = [heading("Another story", "title", 0.5), heading("The bridge is closed", "title", 0.6), segment("It rained")]
    assert found(page) == "The bridge is closed"
    assert found(page[2:]) is None
    assert found([]) is None


def test_the_title_in_the_head_and_h1_count() -> None:
    page = [heading("A bridge too far", "title", 0.6), heading("The bridge is closed", "title", 0.5)]
    assert found(page, HEAD) == "The bridge is closed"
    page = [heading("The Gazette", "title", 0.55), heading("It rained", "title", 0.5, level=1)]
    assert found(page) == "It rained"


@pytest.mark.parametrize(("probability", "expected"), [(0.84, "The bridge is closed"), (0.86, "It rained")])
def test_evidence_in_the_head_is_less_than_a_higher_probability(probability: float, expected: str) -> None:
    page = [heading("It rained", "title", probability), heading("The bridge is closed", "title", 0.5, level=1)]
    assert found(page, {"head": {"title": "The bridge is closed"}}) == expected


@pytest.mark.parametrize(
    "title, score, expected",
    [
        ("Ferries to the islands - The Harbour Handbook", -1.0, "Ferries to the Islands"),
        ("Ferries to the islands - The Harbour Handbook", -3.5, "The Harbour Handbook"),  # a link in a menu
        ("The Harbour Handbook", -1.0, "The Harbour Handbook"),
        ("The Harbour Handbook - Ferries to the islands", -1.0, "The Harbour Handbook"),
    ],
)
def test_the_name_of_a_handbook_is_no_title_of_its_page(title: str, score: float, expected: str) -> None:
    page = [
        segment("The Harbour Handbook", "title", 0.9, type="h", path="body/nav/h1", score=-2.0),
        segment("Ferries to the islands", "title", 0.6, type="l", path="body/nav/ul/li", score=-1.0),
        segment("Ferries to the Islands", "title", 0.5, type="h", path="body/main/h2", score=score),
    ]
    assert found(page, {"head": {"title": title}}) == expected


def test_a_doubtful_title_is_none() -> None:
    assert found([segment("It rained", "title", 0.4)]) is None
    assert found([heading("It rained", "title", 0.4, level=1)]) == "It rained"


def test_a_title_in_a_menu_is_one_if_there_is_no_other() -> None:
    crumb = {**heading("Weather: it rained", "title", 0.9, level=1), "rule": "nav"}
    assert found([crumb, heading("It rained", "title", 0.6)]) == "It rained"
    assert found([crumb, heading("It rained", "title", 0.3)]) == "Weather: it rained"


def test_embedded_segments_are_no_titles() -> None:
    embedded = segment("The bridge is closed", "title", 0.9, origin="json-ld:headline", rule="embedded")
    assert found([embedded]) is None
    assert found([{**embedded, "origin": "noscript"}]) == "The bridge is closed"


@pytest.mark.parametrize("head", [{"head": 7}, {"head": {"title": 7}}, {"head": None}, {"head": {}, "url": None}])
def test_heads_of_wrong_types_are_no_heads(head: dict[str, Any]) -> None:
    assert found([heading("It rained")], head) is None
    assert head_title(head) == ""


def test_copies_of_the_title_are_dropped() -> None:
    page = [segment("THE BRIDGE is closed:"), heading("The bridge is closed"), segment("The bridge is closed again")]
    assert keep_title(table_of(page), [True, False, True], 1) == [False, True, True]
    assert keep_title(table_of(page), [False, False, False], 1) == [False, True, False]
    marks = [segment("* * *", "title"), segment("…")]
    assert keep_title(table_of(marks), [True, True], 0) == [True, True]


def test_the_head_of_a_table_may_be_the_title() -> None:
    page = [{"text": "Rain"}, {"text": "Rain", "path": "body/table/tr/th"}, {"text": "rain"}]
    for fields in ({}, {"table": 1}):  # with markup and without
        assert keep_title(table_of([one | fields for one in page]), [True] * 3, 0) == [True, True, False]


def test_the_title_is_the_first_heading() -> None:
    byline, title = segment("By Ada"), segment("The bridge", "title", marker="*", pre=True)
    out = title_first([byline, title, byline], title)
    assert out == [{"text": "The bridge", "type": "h", "tag": "h1", "path": "body/h1"}, byline, byline]


def test_all_sentences_of_the_title_are_first() -> None:
    sentences = [segment("It rained.", segment=0), segment("Why?", segment=1), segment("Because.", segment=1)]
    assert [s["text"] for s in title_first(sentences, sentences[1])] == ["Why?", "Because.", "It rained."]
    assert [s["segment"] for s in title_first(sentences, sentences[1])] == [1, 1, 0]


def test_a_title_in_the_head_alone_is_a_heading_before_the_text() -> None:
    text = [segment("It rained.")]
    document = {"head": {"title": "The bridge is closed | Gazette"}}
    assert [(s["type"], s["text"]) for s in with_head_title(text, document)] == [
        ("h", "The bridge is closed"),
        ("p", "It rained."),
    ]
    assert with_head_title(text, {}) == text
    for same in (segment("the bridge is closed."), heading("The old bridge is closed")):
        assert with_head_title([same], document) == [same]


@pytest.mark.parametrize(
    ("title", "url", "rest"),
    [
        ("The bridge is closed | The Guardian", "https://www.theguardian.com/a", "The bridge is closed"),
        ("The bridge is closed - BBC News", "https://www.bbc.co.uk/news/a", "The bridge is closed"),
        ("MDN – Bridges", "https://mdn.example/docs", "Bridges"),
        ("Bridges - The New York Times", "https://www.nytimes.com/a", "Bridges"),
        ("The bridge is closed » Gazette", "", "The bridge is closed"),
        ("A | B", "", "A | B"),  # too short without evidence
        ("Bridges - how they are made, by those who know", "", "Bridges - how they are made, by those who know"),
        ("Spider-Man and well-known bridges", "", "Spider-Man and well-known bridges"),
        ("Gazette - News of the river", "https://gazette.example/", "Gazette - News of the river"),  # a front page
        ("The bridge | Gazette", "http://[broken", "The bridge | Gazette"),
        ("", "", ""),
    ],
)
def test_the_name_of_the_site_is_no_title(title: str, url: str, rest: str) -> None:
    assert without_site_name(title, url) == rest


def test_a_key_ignores_case_and_punctuation() -> None:
    assert title_key("“The Bridge” is closed!") == title_key("the bridge is closed")
    assert title_key("Мост закрыт.") == "мост закрыт"


def test_a_title_keeps_its_markup() -> None:
    title = heading("The bridge is closed", "title", 0.9) | {"level": 2, "spans": [[4, 10, "em"]], "depth": 1}
    (first, _) = title_first([segment("It rained"), title], title)
    assert first == {
        "text": "The bridge is closed",
        "type": "h",
        "tag": "h2",
        "path": "body/h2",
        "level": 2,
        "spans": [[4, 10, "em"]],
    }
