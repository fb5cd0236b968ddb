"""Headings go with their text."""

from __future__ import annotations

from typing import Any

import pytest
from uncompiled import both_forms

from ncfilters.selection.headings import LOWEST_LEVEL, fit_headings, heading_level
from ncfilters.selection.scored_table import table_of

Segment = dict[str, Any]


def segment(text: str, score: float, path: str, kind: str = "p", **more: Any) -> Segment:
    return {"text": text, "type": kind, "score": score, "path": path, **more}


def heading(text: str, score: float, path: str = "body/main/h2") -> Segment:
    return segment(text, score, path, "h")


def row(text: str, score: float, path: str = "body/main/table/tbody/tr") -> Segment:
    return segment(text, score, path, "l", tag="tr")


PARAGRAPH = segment("It rained all day, and the bridge was closed.", 4.0, "body/main/p")
BOILERPLATE = segment("More stories from the region", -5.0, "body/main/div")


def fitted(*segments: Segment) -> list[str]:
    """The first words of the segments that are kept, where those above 0 bits are kept by score."""
    page = list(segments)
    table, by_score = table_of(page), [part["score"] > 0 for part in page]
    kept = fit_headings(table, by_score)
    assert all(form.fit_headings(table, by_score) == kept for form in both_forms("ncfilters.selection.headings"))
    return [part["text"].split()[0] for part, keep in zip(page, kept) if keep]


# ---- headings


@pytest.mark.parametrize(
    ("path", "level"),
    [("body/h1", 1), ("body/div/h6.x", 6), ("body/header/p", LOWEST_LEVEL), ("body/p.h1", LOWEST_LEVEL)],
)
def test_the_level_of_a_heading_is_that_of_its_element(path: str, level: int) -> None:
    assert heading_level(path) == level


def test_a_heading_is_kept_with_the_text_below_it() -> None:
    assert fitted(heading("Weather", -2.0), PARAGRAPH) == ["Weather", "It"]


@pytest.mark.parametrize(
    ("above", "below"),
    [
        (heading("Related", -3.5), PARAGRAPH),  # strongly negative
        (heading("Elsewhere", -1.0, "body/aside/div/div/h2"), PARAGRAPH),
        (heading("Bold", -1.0, "body/main/p"), PARAGRAPH),
    ],
)
def test_other_headings_stay_dropped(above: Segment, below: Segment) -> None:
    assert fitted(above, below) == ["It"]


def test_labels_of_advertisements_are_no_headings() -> None:
    assert fitted(PARAGRAPH, heading("Advertisement", -0.2, "body/main/h3"), PARAGRAPH) == ["It", "It"]


def test_what_ends_a_text_is_no_heading_of_the_next_one() -> None:
    name = heading("Nina", 0.5, "body/main/figure/cite")
    assert fitted(PARAGRAPH, name, heading("Weather", 1.0), PARAGRAPH) == ["It", "Nina", "Weather", "It"]
    assert fitted(PARAGRAPH, heading("Nina", 0.5, "body/main/div/h3"), heading("Weather", 1.0), PARAGRAPH) == [
        *("It", "Weather", "It")
    ]
    for path in ("table/tbody/tr/td/p", "ul/li", "dl/dd.price", "blockquote/p"):
        value = segment("$800", 0.5, f"body/main/{path}", "h")
        other = {**value, "text": "$630"}
        assert fitted(other, value, heading("Weather", 1.0), PARAGRAPH) == ["$630", "$800", "Weather", "It"]
        assert fitted(BOILERPLATE, value, heading("Weather", 1.0), PARAGRAPH) == ["Weather", "It"]
    assert fitted(BOILERPLATE, name, heading("Weather", 1.0), PARAGRAPH) == ["Weather", "It"]


def test_a_heading_goes_with_the_one_of_its_first_part() -> None:
    part = heading("Autumn", 1.0, "body/main/h3")
    assert fitted(heading("Weather", -1.0), part, PARAGRAPH) == ["Weather", "Autumn", "It"]
    assert fitted(heading("Weather", -1.0), heading("Autumn", 1.0), PARAGRAPH) == ["Autumn", "It"]  # of its own level
    assert fitted(heading("Weather", -1.0, "body/aside/div/h2"), part, PARAGRAPH) == ["Autumn", "It"]


def test_a_short_text_between_headings_stays() -> None:
    price, label = segment("From $29", 0.5, "body/main/p", "h"), heading("Price", 1.0, "body/main/h3")
    assert fitted(label, price, heading("Weather", 1.0), PARAGRAPH) == ["Price", "From", "Weather", "It"]
    above = heading("Every day", 0.5, "body/main/h6")
    assert fitted(PARAGRAPH, above, heading("Weather", 1.0), PARAGRAPH) == ["It", "Every", "Weather", "It"]
    assert fitted(PARAGRAPH, above, heading("Weather", -4.0), BOILERPLATE) == ["It"]


@pytest.mark.parametrize("path", ["body/main/h2", "body/main/header/h2", "body/h2"])
def test_a_heading_may_be_wrapped(path: str) -> None:
    assert fitted(heading("Weather", -1.0, path), PARAGRAPH) == ["Weather", "It"]


QUESTION, ANSWER = "How wet was it?", segment("Very.", 0.1, "body/main/div.item/div.panel/p")


@pytest.mark.parametrize(
    "above",
    [
        segment(QUESTION, -2.5, "body/main/div.item/div.head/button.open"),
        segment(QUESTION, -2.5, "body/main/div.item/button"),
        segment("そうですか？", -2.5, "body/main/div.item/summary"),
        segment("Wetness", -2.5, "body/main/div.item/h3.q/button", "h"),
    ],
)
def test_what_opens_an_answer_is_kept_with_it(above: Segment) -> None:
    assert fitted(above, ANSWER, PARAGRAPH) == [above["text"].split()[0], "Very.", "It"]
    assert fitted(above, {**ANSWER, "score": -0.1}, PARAGRAPH) == ["It"]


@pytest.mark.parametrize(
    "above",
    [
        segment("Wetness", -2.5, "body/main/div.item/button"),
        segment(QUESTION, -3.5, "body/main/div.item/button"),
        segment(QUESTION, -2.5, "body/main/div.item/p"),
        segment(QUESTION, -2.5, "body/main/form/div/div/button"),
        segment(QUESTION, -2.5, "body/main/div.item/button-bar"),
        segment(QUESTION, -2.5, "body/main/div.item/button", rule="menu"),
    ],
)
def test_other_buttons_stay_dropped(above: Segment) -> None:
    assert fitted(above, ANSWER, PARAGRAPH) == ["Very.", "It"]


def test_a_number_beside_the_heading_of_a_button_stays_dropped() -> None:
    number = segment("2", -1.5, "body/main/div.item/h3/button#a.b/div/div")
    assert fitted(number, heading("Writers", 3.0, "body/main/div.item/h3/button#a.b/div/h4"), PARAGRAPH) == [
        "Writers",
        "It",
    ]


def test_a_heading_over_dropped_text_is_dropped() -> None:
    assert fitted(PARAGRAPH, heading("More", 0.5), BOILERPLATE) == ["It"]
    assert fitted(PARAGRAPH, heading("More", 0.5)) == ["It"]  # over nothing
    assert fitted(PARAGRAPH, heading("Sure", 2.5), BOILERPLATE) == ["It", "Sure"]


@pytest.mark.parametrize(
    ("text", "links", "is_text"), [("Bridge closed by rain", 21, True), ("View details", 12, False)]
)
def test_a_headline_that_is_a_link_stays(text: str, links: int, is_text: bool) -> None:
    card = {**heading(text, 0.5), "links": links}
    assert fitted(PARAGRAPH, card, BOILERPLATE) == ["It", *text.split()[:is_text]]
    assert fitted(PARAGRAPH, {**card, "links": 0}, BOILERPLATE) == ["It"]


def test_a_section_ends_before_a_heading_of_its_level() -> None:
    inner = heading("Inner", 0.5, "body/main/div/h3")
    assert fitted(heading("Outer", 0.5), inner, PARAGRAPH) == ["Outer", "Inner", "It"]
    assert fitted(inner, heading("Outer", 0.5), PARAGRAPH) == ["Outer", "It"]
    assert fitted(heading("Empty", 0.5), BOILERPLATE, heading("Full", 0.5), PARAGRAPH) == ["Full", "It"]


def test_headings_in_a_row_are_items() -> None:
    products = [heading(name, 0.5) for name in ("Kettle", "Toaster", "Oven")]
    assert fitted(*products, PARAGRAPH) == ["Kettle", "Toaster", "Oven", "It"]


def test_a_page_of_headings_keeps_them() -> None:
    assert fitted(heading("Lost", 0.5), BOILERPLATE) == ["Lost"]


def test_embedded_segments_are_in_no_section() -> None:
    embedded = {**PARAGRAPH, "rule": "embedded", "score": 5.0}
    assert fitted(PARAGRAPH, heading("More", 0.5), embedded, BOILERPLATE) == ["It", "It"]


def test_pages_without_text_stay_so() -> None:
    assert fit_headings(table_of([]), []) == []
    assert fitted(heading("Weather", -1.0), BOILERPLATE) == []
