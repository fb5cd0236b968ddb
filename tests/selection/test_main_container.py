"""The main container: what goes with the text around it."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.selection.main_container import CONTAINER_SCORE, MAX_WORDS, fit_main_container
from ncfilters.selection.scored_table import table_of

PAGE = {"odds": 5.0}


def segment(words: int, path: str, score: float, **more: Any) -> dict[str, Any]:
    return {"text": " ".join(["word"] * words), "type": "p", "path": path, "score": score, **more}


def page(*more: dict[str, Any], words: int = 120) -> list[dict[str, Any]]:
    return [
        segment(3, "body/nav/ul/li", -1.0),
        segment(words, "body/article/p", 3.0),
        *more,
        segment(30, "body/article/p", 3.0),
        segment(3, "body/article/div.share", -1.0),
        segment(3, "body/aside/p", -1.0),
    ]


def decisions(segments: list[dict[str, Any]], about: dict[str, Any] = PAGE) -> list[bool]:
    return fit_main_container(table_of(segments), [segment["score"] > 0 for segment in segments], about)


def test_what_is_before_the_end_of_the_text_goes_with_it() -> None:
    assert decisions(page(segment(2, "body/article/ul/li", -1.0))) == [False, True, True, True, False, False]


@pytest.mark.parametrize(
    "inner",
    [
        segment(1, "body/article/p", -1.0) | {"text": "Advertisement"},
        segment(2, "body/article/ul/li", CONTAINER_SCORE),
        segment(2, "body/article/ul/li", -1.0, rule="links"),
        segment(2, "body/article/ul/li", -1.0, role="related"),
        segment(90, "body/article/div/p", -1.0),  # most of the container is something else
        segment(2, "body/div/ul/li", -1.0),
    ],
)
def test_other_segments_do_not(inner: dict[str, Any]) -> None:
    segments = page(inner, words=70 if len(inner["text"]) > 99 else 120)
    assert decisions(segments) == [segment["score"] > 0 for segment in segments]


def test_large_pages_are_left_alone_except_documentation() -> None:
    segments = page(segment(2, "body/article/ul/li", -1.0), words=MAX_WORDS)
    assert not decisions(segments)[2]
    assert decisions(segments, {"odds": 5.0, "types": {"documentation": 0.6, "article": 0.4}})[2]


def test_pages_without_text_or_paths() -> None:
    assert fit_main_container(table_of([]), [], PAGE) == []
    assert fit_main_container(table_of(page()), [False] * 5, PAGE) == [False] * 5
    plain = [{"text": "word " * 120, "type": "p", "score": 3.0}, {"text": "word", "type": "p", "score": -1.0}]
    assert fit_main_container(table_of(plain), [True, False], PAGE) == [True, False]
