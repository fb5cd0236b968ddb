"""Cards of a list: what is kept of some is kept of all."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.selection.cards import MIN_CARDS, fit_cards
from ncfilters.selection.page_types import is_list
from ncfilters.selection.scored_table import table_of

PAGE = {"odds": 5.0, "types": {"listing": 0.2, "collection": 0.2, "article": 0.6}}
TEXTS = ("Blue tin kettle", "Red tin kettle", "Old brass kettle", "A teapot with a crack")


def cards(texts: tuple[str, ...] = TEXTS, path: str = "ul/li#item-{}.card-{}/h3", **more: Any) -> list[dict[str, Any]]:
    return [
        {"text": text, "type": "h", "path": f"body/{path.format(number, number)}", **more}
        for number, text in enumerate(texts, 8)
    ]


def decisions(segments: list[dict[str, Any]], kept: list[bool], page: dict[str, Any] = PAGE) -> list[bool]:
    return fit_cards(table_of(segments), kept, page)


def test_what_is_kept_of_some_is_kept_of_all() -> None:
    assert decisions(cards(), [True, False, False, True]) == [True] * 4
    assert decisions(cards(rule="island"), [False, False, True, False]) == [True] * 4
    assert decisions(cards(), [False] * 4) == [False] * 4


def test_few_cards_and_few_that_are_kept_stay() -> None:
    assert decisions(cards(TEXTS[: MIN_CARDS - 1]), [True, False]) == [True, False]
    many = tuple(f"Kettle {letter}{other}" for letter in "abcde" for other in "fghij")
    kept = [number == 3 for number in range(len(many))]
    assert decisions(cards(many), kept) == kept


def test_a_text_that_is_kept_is_not_kept_again() -> None:
    assert decisions(cards((*TEXTS, TEXTS[0])), [True, False, True, True, False]) == [True] * 4 + [False]


@pytest.mark.parametrize(
    "others",
    [
        cards(path="div.filters/ul/li.option/h3"),
        cards(rule="nav"),
        cards(path="{}/h3")[:1] + cards(path="ul/li/p")[1:],  # another path
        [segment | {"type": kind} for segment, kind in zip(cards(), "hppp")],
    ],
)
def test_other_segments_stay(others: list[dict[str, Any]]) -> None:
    kept = [True, False, False, False]
    assert decisions(others, kept) == kept


@pytest.mark.parametrize("types", [None, {}, {"listing": 0.2, "article": 0.8}])
def test_pages_of_other_types_stay(types: Any) -> None:
    page = {"odds": 5.0} | ({} if types is None else {"types": types})
    assert not is_list(page)
    assert decisions(cards(), [True, False, True, True], page) == [True, False, True, True]
