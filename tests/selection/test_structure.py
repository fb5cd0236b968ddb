"""Headings go with their text; tables, definitions and lists are kept or dropped whole."""

from __future__ import annotations

from typing import Any

import pytest
from uncompiled import both_forms

from ncfilters.selection.scored_table import table_of
from ncfilters.selection.structure import LOWEST_LEVEL, fit_structure, heading_level

Segment = dict[str, Any]


def segment(text: str, score: float, path: str, kind: str = "p", **more: Any) -> Segment:
    return {"text": text, "type": kind, "score": score, "path": path, **more}


def heading(text: str, score: float, path: str = "body/main/h2") -> Segment:
    return segment(text, score, path, "h")


def item(text: str, score: float, path: str = "body/ul/li") -> Segment:
    return segment(text, score, path, "l", marker="*")


def row(text: str, score: float, path: str = "body/main/table/tbody/tr") -> Segment:
    return segment(text, score, path, "l", tag="tr")


PARAGRAPH = segment("It rained all day, and the bridge was closed.", 4.0, "body/main/p")
BOILERPLATE = segment("More stories from the region", -5.0, "body/main/div")


def fitted(*segments: Segment) -> list[str]:
    """The first words of the segments that are kept, where those above 0 bits are kept by score."""
    page = list(segments)
    table, by_score = table_of(page), [part["score"] > 0 for part in page]
    kept = fit_structure(table, by_score)
    assert all(form.fit_structure(table, by_score) == kept for form in both_forms("ncfilters.selection.structure"))
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
        (heading("Doubtful", -1.0), {**PARAGRAPH, "score": 0.5}),
        (heading("Elsewhere", -1.0, "body/aside/div/div/h2"), PARAGRAPH),
        (heading("Bold", -1.0, "body/main/p"), PARAGRAPH),
    ],
)
def test_other_headings_stay_dropped(above: Segment, below: Segment) -> None:
    assert fitted(above, below) == ["It"]


@pytest.mark.parametrize("path", ["body/main/h2", "body/main/header/h2", "body/h2"])
def test_a_heading_may_be_wrapped(path: str) -> None:
    assert fitted(heading("Weather", -1.0, path), PARAGRAPH) == ["Weather", "It"]


def test_a_heading_over_dropped_text_is_dropped() -> None:
    assert fitted(PARAGRAPH, heading("More", 0.5), BOILERPLATE) == ["It"]
    assert fitted(PARAGRAPH, heading("More", 0.5)) == ["It"]  # over nothing
    assert fitted(PARAGRAPH, heading("Sure", 2.5), BOILERPLATE) == ["It", "Sure"]


def test_a_section_ends_before_a_heading_of_its_level() -> None:
    inner = heading("Inner", 0.5, "body/main/h3")
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


# ---- tables


def test_a_table_is_kept_or_dropped_whole() -> None:
    rows = [row("Year\tRain", -0.5), row("1994\t612 mm", 2.0), row("1995\t700 mm", 2.0)]
    prose = {**PARAGRAPH, "text": PARAGRAPH["text"] * 3}
    assert fitted(prose, *rows) == ["It", "Year", "1994", "1995"]
    assert fitted(prose, *[{**part, "score": -part["score"]} for part in rows]) == ["It"]


def test_a_caption_belongs_to_its_table() -> None:
    path = "body/main/table.rain"
    caption = segment("Rain by year", -0.5, f"{path}/caption")
    rows = [row(f"{year}\tmuch rain", 2.0, f"{path}/tbody/tr") for year in (1994, 1995)]
    assert fitted(PARAGRAPH, PARAGRAPH, caption, *rows) == ["It", "It", "Rain", "1994", "1995"]


def test_a_table_for_layout_is_not_one_table() -> None:
    cells = [segment("Home", -4.0, "body/table/tbody/tr/td"), {**PARAGRAPH, "path": "body/table/tbody/tr/td"}]
    assert fitted(*cells) == ["It"]
    whole_page = [row("Home\tNews", -4.0), row("It rained\tall day", 2.0), row("It stopped\tat night", 2.0)]
    assert fitted(*whole_page) == ["It", "It"]


# ---- lists and definitions


def test_a_list_follows_most_of_its_items() -> None:
    bread = [item(f"{name} of a kind that bakers like", score) for name, score in zip("abcd", (2.0, 2.0, -0.5, 2.0))]
    assert fitted(PARAGRAPH, *bread) == ["It", "a", "b", "c", "d"]
    assert fitted(PARAGRAPH, *[{**part, "score": -part["score"]} for part in bread]) == ["It"]


def test_a_list_whose_items_differ_is_not_decided_as_one() -> None:
    halves = [item(f"{name} of a kind", score) for name, score in zip("abcd", (2.0, 2.0, -2.0, -2.0))]
    assert fitted(PARAGRAPH, *halves) == ["It", "a", "b"]
    few_words = [item("a " * 40, 2.0), item("b", -2.0), item("c", -2.0), item("d", -2.0)]
    assert fitted(PARAGRAPH, *few_words) == ["It", "a"]


def test_items_of_several_paragraphs_are_decided_one_by_one() -> None:
    posts = [item("a post", 2.0), item("b post", 2.0), item("c post", 2.0), segment("Reply", -3.0, "body/ul/li/div")]
    assert fitted(PARAGRAPH, *posts) == ["It", "a", "b", "c"]


def test_a_term_goes_with_its_definitions() -> None:
    def glossary(term: float, definition: float) -> list[Segment]:
        return [
            segment("Ferry", term, "body/dl/dt"),
            segment("A boat that crosses a river", definition, "body/dl/dd"),
            segment("at fixed hours", definition, "body/dl/dd/p"),
            segment("Bridge", 2.0, "body/dl/dt"),
            segment("What spans it", 2.0, "body/dl/dd"),
        ]

    assert fitted(PARAGRAPH, *glossary(-1.0, 2.0)) == ["It", "Ferry", "A", "at", "Bridge", "What"]
    assert fitted(PARAGRAPH, *glossary(1.0, -2.0)) == ["It", "Bridge", "What"]


@pytest.mark.parametrize("path", ["body/dl/dd", "body/dl", "body/dl/dt"])
def test_lists_of_definitions_may_be_odd(path: str) -> None:
    odd = [segment("a", 2.0, path), segment("b", -2.0, path), segment("c", 2.0, "body/dl/div/dd")]
    assert fitted(PARAGRAPH, *odd) == ["It", "a", "c"]


# ---- all


def test_pages_without_text_stay_so() -> None:
    assert fit_structure(table_of([]), []) == []
    assert fitted(heading("Weather", -1.0), BOILERPLATE) == []


def test_plain_text_has_no_containers() -> None:
    page = [{"text": name, "type": "p", "score": 1.0} for name in "ab"]
    assert fit_structure(table_of(page), [True, False]) == [True, False]
