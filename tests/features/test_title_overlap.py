"""The words that segments share with the head of their page, and the positions of title and description."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ncfilters.features.document import Head, ModelInput
from ncfilters.features.matrix import feature_matrix
from ncfilters.features.schema import FAMILIES, NAMES
from ncfilters.features.segment_table import build_table
from ncfilters.features.title_overlap import MAX_TEXT_CHARS, distinct_words


def segment(text: str, kind: str = "p", tag: str = "p", **fields: Any) -> dict[str, Any]:
    return {"text": text, "type": kind, "path": f"body/{tag}", "tag": tag, "links": 0, **fields}


PAGE = [
    segment("Floods: bridge closed, trains cancelled", "l", "li", links=39),  # 0
    segment("The old bridge is closed", "h", "h1"),  # 1
    segment("By Ann Miller"),  # 2
    segment("After a week of rain the council has closed the bridge; it may stay so."),  # 3
    segment("Imprint"),  # 4
]
HEAD = Head("The old bridge is closed - The News", "The council has closed the bridge after a week of heavy rain.")


def of(name: str, page: list[dict[str, Any]] = PAGE, head: Head = HEAD) -> list[float]:
    found = feature_matrix(build_table(ModelInput(page, head)))
    return [round(value, 4) for value in found[:, NAMES.index(name)].tolist()]


# the title has 6 different words, the description 7 of four letters or more
EXPECTED = {
    "title_share": [2 / 5, 5 / 5, 0, 3 / 14, 0],
    "title_found": [2 / 6, 5 / 6, 0, 3 / 6, 0],
    "title_both": [4 / 11, 10 / 11, 0, 6 / 20, 0],
    "title_there": [1] * 5,
    "title_is": [0, 1, 0, 0, 0],
    "title_from": [-1 / 25, 0, 1 / 25, 2 / 25, 3 / 25],
    "title_since": [5, 0, math.log(2), math.log(3), math.log(4)],
    "title_before": [1, 0, 0, 0, 0],
    "description_share": [2 / 5, 2 / 5, 0, 6 / 14, 0],
    "description_found": [2 / 7, 2 / 7, 0, 6 / 7, 0],
    "description_is": [0, 0, 0, 1, 0],
    "description_before": [1, 1, 1, 0, 0],
}


@pytest.mark.parametrize("name", EXPECTED)
def test_numbers_of_a_page(name: str) -> None:
    assert of(name) == pytest.approx(EXPECTED[name], abs=1e-3)


def test_pages_without_informative_heads() -> None:
    nothing = {"from": -2.4, "since": 5.0}
    for name in FAMILIES["head"]:
        assert of(name, head=Head()) == [pytest.approx(nothing.get(name.partition("_")[2], 0))] * 5
        assert of(name, head=Head(" - ", "…")) == of(name, head=Head())


def test_the_title_is_the_heading_rather_than_a_link() -> None:
    page = [segment("The old bridge is closed", "l", "a", links=24), *PAGE[1:]]
    assert of("title_is", page) == [0, 1, 0, 0, 0]
    assert of("title_is", [*page, page[1]]) == [0, 1, 0, 0, 0, 0]
    assert of("title_is", [page[0], *PAGE[2:]]) == [1, 0, 0, 0]


def test_one_word_in_common_is_not_enough() -> None:
    assert of("title_there", [segment("Bridge", "h", "h1"), *PAGE[2:]]) == [0] * 4


def test_invisible_segments_are_not_the_title() -> None:
    hidden = segment("The old bridge is closed", "h", "h1", origin="json-ld:headline")
    assert of("title_is", [hidden, *PAGE]) == [0, 0, 1, 0, 0, 0]
    assert of("title_is", [hidden, *PAGE[2:]]) == [0] * 4
    assert of("title_is", [{**hidden, "origin": "noscript"}, *PAGE[2:]]) == [1, 0, 0, 0]


@pytest.mark.parametrize(
    "title, text, share",
    [
        ("Мост закрыт – Новости", "«Мост» ЗАКРЫТ", 1.0),
        ("老橋關閉 - 新聞", "老橋關閉。", 1.0),
        ("Γέφυρα: έκλεισε", "Έκλεισε η γέφυρα", 2 / 3),
        ("Bridge’s end", "BRIDGE'S END", 1.0),
        ("a_b c", "A\0B\nC\ud800", 1.0),
        ("Мост", "Old bridge", 0.0),
    ],
)
def test_words_of_many_scripts(title: str, text: str, share: float) -> None:
    assert of("title_share", [segment(text)], Head(title)) == [pytest.approx(share, abs=1e-3)]


def test_only_the_beginning_of_a_segment_is_read() -> None:
    beginning = "word " * (MAX_TEXT_CHARS // len("word "))
    assert of("title_share", [segment(beginning + "the old bridge is closed"), *PAGE])[0] == 0
    found = of("title_share", [segment("word " * 99_999), *PAGE] * 3)
    assert found[0] == 0 and found[2] == pytest.approx(1)


def test_words_of_a_text_are_distinct() -> None:
    found = distinct_words("It’s 2 o'clock, 東京 time_zone")
    assert found == {"it", "s", "2", "o", "clock", "東", "京", "time", "zone"}
