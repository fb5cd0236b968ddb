"""What stands after the end of an article."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.selection.article_end import MIN_WORDS, without_tail
from ncfilters.selection.scored_table import table_of

PAGE: dict[str, Any] = {"odds": 5.0, "types": {"article": 0.7, "listing": 0.1, "service": 0.2}}


def segment(
    path: str, score: float, words: int = 4, kind: str = "p", role: str = "text", **more: Any
) -> dict[str, Any]:
    text = " ".join(["word"] * words)
    return {"text": text, "type": kind, "path": f"body/{path}", "score": score, "role": role} | more


def tail_of(
    *tail: dict[str, Any], words: int = MIN_WORDS, score: float = 5.0, page: dict[str, Any] = PAGE
) -> list[bool]:
    """What is kept of what follows an article."""
    segments = [
        segment("main/div/h1", 1.0, kind="h", role="title"),
        segment("main/article/p", score, words),
        segment("main/article/div/p", score - 1.0, 16),
        *tail,
    ]
    out = without_tail(table_of(segments), [True] * len(segments), page)
    assert all(out[:3])
    return out[3:]


def test_text_of_low_scores_outside_of_the_article_goes() -> None:
    tail = [
        segment("main/aside/h3", 0.5, kind="h"),
        segment("main/aside/p", 1.9),
        segment("footer/p", 1.0, role="related"),
    ]
    assert tail_of(*tail) == [False] * 3
    assert tail_of(*tail, page={"odds": 5.0}) == [False] * 3  # by a model that predicts no types


def test_the_segments_of_a_model_without_roles() -> None:
    segments = [segment("main/article/p", 5.0, MIN_WORDS), segment("main/aside/p", 0.5)]
    for each in segments:
        del each["role"]
    assert without_tail(table_of(segments), [True, True], PAGE) == [True, False]


def test_text_in_the_article_and_text_of_high_scores_stay() -> None:
    assert tail_of(segment("main/article/p", 0.5), segment("main/div/p", 2.1)) == [True] * 2


def test_what_is_before_the_last_text_stays() -> None:
    assert tail_of(segment("main/aside/p", 0.5), segment("main/article/p", 4.0, 20)) == [True] * 2


@pytest.mark.parametrize(
    "supplement",
    [
        segment("main/div/p", 0.5, role="comment"),
        segment("main/div/p", 0.5, role="byline"),
        segment("main/div/h3", 0.5, kind="h", text="Does it rain there in the summer?"),
        segment("main/ol.references/li", 0.5, kind="l"),
    ],
)
def test_supplements_stay(supplement: dict[str, Any]) -> None:
    assert tail_of(supplement) == [True]


@pytest.mark.parametrize(
    "other",
    [
        {"words": MIN_WORDS - 17},  # no article
        {"score": 0.9},  # perhaps none
        {"page": {"odds": 5.0, "types": {"article": 0.4, "service": 0.6}}},
        {"page": {"odds": 5.0, "types": {"article": 0.5, "listing": 0.3, "forum": 0.2}}},
    ],
)
def test_other_pages_stay(other: dict[str, Any]) -> None:
    assert tail_of(segment("main/aside/p", 0.3), **other) == [True]


def test_a_page_of_which_the_article_is_a_small_part_stays() -> None:
    assert tail_of(segment("main/aside/p", 0.5, 200)) == [True]


def test_pages_without_text() -> None:
    assert without_tail(table_of([]), [], PAGE) == []
    assert without_tail(table_of([segment("p", -1.0)]), [False], PAGE) == [False]
