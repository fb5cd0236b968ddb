"""References to other articles in the text of one."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.selection.further_reading import without_references
from ncfilters.selection.policies import policy
from ncfilters.selection.scored_table import table_of

PAGE: dict[str, Any] = {"odds": 5.0, "types": {"article": 0.7, "listing": 0.3}}


def segment(text: str, link: str = "", path: str = "body/article/p") -> dict[str, Any]:
    return {"text": text + link, "type": "p", "path": path, "links": len(link), "score": 3.0}


def kept(*segments: dict[str, Any], page: dict[str, Any] = PAGE) -> list[bool]:
    return without_references(table_of([*segments]), [True] * len(segments), page)


@pytest.mark.parametrize(
    "label",
    ["Read also: ", "[READ MORE : ", "💡 Related: ", "Lesen Sie auch: ", "À lire aussi » ", "Lea más: ", "Czytaj też: "]
    + ["Читайте также: ", "Les også: ", "ALSO READ | "],
)
def test_a_label_with_a_link_goes(label: str) -> None:
    assert kept(segment("It rained all day."), segment(label, "Snow in May")) == [True, False]


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("Read also: it says here that all of the snow in May had melted by noon.", ""),
        ("“More!”", ""),
        ("Recommended:", ""),
        ("Read more books: ", "Snow in May"),
        ("Readers write: ", "Snow in May"),
        ("Weather: ", "Snow in May"),
        ("Read also what we wrote of it, ", "Snow in May"),
    ],
)
def test_other_texts_stay(text: str, link: str) -> None:
    assert kept(segment(text, link), segment("It rained all day.")) == [True, True]


def test_a_label_goes_with_the_links_below_it() -> None:
    links = [segment("", "Snow in May", "body/article/ul/li"), segment("", "Hail in June", "body/article/ul/li")]
    after = segment("It rained all day.")
    assert kept(segment("Das könnte Sie auch interessieren:"), *links, after, links[0]) == [False] * 3 + [True] * 2


def test_a_word_alone_needs_links_below() -> None:
    link = segment("", "Snow in May")
    assert kept(segment("More:"), link) == [False, False]
    assert kept(segment("More on snow:"), segment("It rained all day.")) == [False, True]


def test_a_label_goes_with_links_that_are_dropped() -> None:
    link = segment("", "Snow in May", "body/article/ul/li") | {"type": "l"}
    for label in segment("Related:"), segment("Related", path="body/article/h2") | {"type": "h"}:
        table = table_of([segment("It rained all day."), label, link, segment("Then it stopped.")])
        assert without_references(table, [True, True, False, True], PAGE) == [True, False, False, True]


@pytest.mark.parametrize(
    ("label", "number", "is_text"),
    [
        (segment("More world stories from us:"), 2, False),
        (segment("Jump to ↓"), 2, False),
        (segment("Weather:"), 1, True),
        (segment("Weather:", path="body/article/div.card/span"), 2, True),
        (segment("Weather"), 2, True),
    ],
)
def test_what_announces_links_goes_with_them(label: dict[str, Any], number: int, is_text: bool) -> None:
    texts = [segment("It rained all day."), label, *[segment("", "Snow in May")] * number, segment("Then it snowed.")]
    kept = [True, True, *[False] * number, True]
    assert without_references(table_of(texts), kept, PAGE) == [True, is_text, *[False] * number, True]


def test_a_label_stays_with_the_list_of_texts_below_it() -> None:
    item = segment("A guide to snow, by the office for weather: ", "download", "body/article/ul/li") | {"type": "l"}
    assert kept(segment("More on snow:"), item, item) == [True, True, True]


def test_a_section_with_a_heading_stays() -> None:
    assert kept(segment("See also", path="body/article/h2"), segment("", "Snow in May")) == [True, True]


def test_pages_that_are_no_articles_stay_as_they_are() -> None:
    reference = segment("See also: ", "Snow in May")
    for types in {"documentation": 0.6, "article": 0.4}, {}:
        page = {"odds": 5.0} | ({"types": types} if types else {})
        assert kept(reference, segment("It rained."), page=page) == [bool(types), True]


def test_nothing_is_kept_that_was_not() -> None:
    assert without_references(table_of([]), [], PAGE) == []
    table = table_of([segment("Read also: ", "Snow"), segment("", "Hail")])
    assert without_references(table, [False, False], PAGE) == [False, False]
    assert without_references(table, [False, True], PAGE) == [False, True]


def test_those_who_ask_for_related_texts_get_them() -> None:
    roles = {"role": "text", "role_probability": 0.9}
    segments = [segment("It rained all day. " * 9) | roles, segment("Read also: ", "Snow in May") | roles]
    options = policy().options
    for included, expected in (frozenset(), False), (frozenset(["related"]), True):
        content = options.content._replace(included=included)
        assert policy(options._replace(content=content))(table_of(segments), PAGE) == [True, expected]


BUTTON = segment("", "Get the free guide today", "body/article/div.cta")
TEXT = segment("It rained all day, and all of the night. " * 5)


def test_a_link_alone_in_a_box_goes() -> None:
    assert kept(TEXT, BUTTON, TEXT) == [True, False, True]
    assert kept(TEXT, {**BUTTON, "path": "body/article/span"}, TEXT) == [True, False, True]


@pytest.mark.parametrize(
    "changed",
    [
        {"path": "body/article/p"},
        {"path": "body/article/div/ul/li"},
        {"path": "body/article/section/h2/div"},
        {"type": "l"},
        {"role": "byline"},
        {"post": 1},
        {"links": 12},
        {"text": "https://example.org/rain", "links": 24},
        {"text": "And the roof?", "links": 13},
        {"text": "It rained all day, " * 6, "links": 114},
    ],
)
def test_other_links_stay(changed: dict[str, Any]) -> None:
    assert kept(TEXT, {**BUTTON, **changed}, TEXT) == [True, True, True]


@pytest.mark.parametrize("before", [segment("Download the map here:"), segment("Sources", path="body/article/h2")])
def test_links_that_are_announced_stay(before: dict[str, Any]) -> None:
    assert kept(TEXT, before, BUTTON, BUTTON, TEXT, BUTTON) == [True] * 5 + [False]


def test_links_in_boxes_stay_where_they_are_much_of_the_text() -> None:
    assert kept(segment("It rained all day."), BUTTON) == [True, True]
