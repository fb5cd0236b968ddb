"""Which segments of a page are its title."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.dataset.gold import gold_of
from ncfilters.dataset.title_labels import find_titles, title_of
from ncfilters.text.words import words

PROSE = "The old bridge over the river is closed for repairs until the end of the summer."
TITLE = "Bridge closed until autumn"


def _found(segments: list[tuple[str, str]], gold: Any, head: str = "", first: int | None = None) -> Any:
    page = [{"tag": tag, "text": text} for tag, text in segments]
    counts = [len(words(text)) for _, text in segments]
    if first is None:
        first = next(place for place, (_, text) in enumerate(segments) if text == PROSE)
    return find_titles(page, counts, gold_of({"gold": gold}), head, first)


def test_the_gold_standard_names_the_title() -> None:
    assert title_of(gold_of({"gold": {"text": "", "title": TITLE}})) == TITLE
    runs = [{"role": "supplement", "text": "3 May"}, {"role": "headline", "text": TITLE}]
    assert title_of(gold_of({"gold": {"text": "", "roles": runs}})) == TITLE
    assert title_of(gold_of({"gold": TITLE})) == ""


def test_the_headline_is_a_heading_next_to_the_text() -> None:
    segments = [("li", TITLE), ("h1", "The Valley Post"), ("h1", TITLE), ("p", PROSE), ("h3", TITLE)]
    assert _found(segments, {"text": PROSE, "title": TITLE}) == (2, [0, 4])


def test_the_first_line_of_the_gold_text_is_the_title_if_it_is_a_heading_or_in_the_title_of_the_head() -> None:
    gold = f"3 May 2024\n{TITLE}\n{PROSE}"
    assert _found([("h2", TITLE), ("p", PROSE)], gold)[0] == 0
    assert _found([("div", TITLE), ("p", PROSE)], gold, head=f"{TITLE} - The Valley Post")[0] == 0
    assert _found([("div", TITLE), ("p", PROSE)], gold)[0] is None


def test_a_part_of_the_title_of_the_head_is_the_title_if_it_is_near_the_text() -> None:
    segments = [("h1", "The Valley Post online"), *[("li", "Menu")] * 40, ("h2", TITLE), ("p", PROSE)]
    assert _found(segments, PROSE, head=f"The Valley Post online | {TITLE}")[0] == 41


@pytest.mark.parametrize(
    "other", ["Bridge closed until the autumn", "Bridge closed until autumn: what you need to know"]
)
def test_a_heading_may_have_the_title_in_other_words(other: str) -> None:
    assert _found([("h1", other), ("p", PROSE)], {"text": PROSE, "title": TITLE}) == (0, [])
    assert _found([("h1", "Opening hours"), ("p", PROSE)], {"text": PROSE, "title": TITLE}) == (None, [])


def test_the_title_element_in_the_body_is_not_the_headline() -> None:
    assert _found([("title", TITLE), ("p", PROSE)], {"text": PROSE, "title": TITLE}) == (None, [])
