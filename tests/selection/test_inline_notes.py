"""Footnotes in sentences become segments."""

# ruff: noqa: E501
from __future__ import annotations

from typing import Any

import pytest

from ncfilters.selection.inline_notes import pull_notes


@pytest.mark.parametrize(
    "text, spans, expected",
    [
        ("It rains. Or snows. Often.", [[10, 19, "footnote", "a"]], [("It rains. Often.", [[9, 9, "note", "a"]]), ("Or snows.", None)]),
        ("Rain1Snow", [[4, 5, "note", "a"], [5, 9, "footnote", "a"]], [("Rain1", [[4, 5, "note", "a"]]), ("Snow", None)]),
        (
            "Ab cd, ef gh.",
            [[0, 2, "em"], [3, 5, "footnote", "a"], [7, 9, "footnote", "b"], [7, 9, "em"], [10, 12, "strong"]],
            [
                ("Ab , gh.", [[0, 2, "em"], [2, 2, "note", "a"], [4, 4, "note", "b"], [5, 7, "strong"]]),
                ("cd", None),
                ("ef", [[0, 2, "em"]]),
            ],
        ),
        ("Snow Rain", [[0, 4, "footnote", "a"], [5, 9, "em"]], [("Rain", [[0, 0, "note", "a"], [0, 4, "em"]]), ("Snow", None)]),
        (
            "Rain Snow", [[0, 0, "image", {}], [5, 5, "image", {}], [5, 9, "footnote", "a"], [9, 9, "image", {}]],
            [("Rain", [[0, 0, "image", {}], [4, 4, "note", "a"], [4, 4, "image", {}]]), ("Snow", [[0, 0, "image", {}]])],
        ),
        ("Rain", [[0, 4, "em"]], [("Rain", [[0, 4, "em"]])]),
    ],
)  # fmt: skip
def test_notes(text: str, spans: list[Any], expected: list[Any]) -> None:
    segments = pull_notes([{"text": text, "type": "l", "marker": "*", "spans": spans}])
    assert [(segment["text"], segment.get("spans")) for segment in segments] == expected
    assert [segment.get("note") for segment in segments[1:]] == [{"id": name} for name in "ab"[: len(segments) - 1]]
    assert ["marker" in segment for segment in segments] == [True] + [False] * (len(segments) - 1)
