"""Paragraphs of text and of segments, and documents without some of them."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.corpus.paragraphs import paragraphs_of


@pytest.mark.parametrize(
    ("text", "texts"),
    [
        ("", [""]),
        ("a\nb", ["a", "b"]),
        ("a\nb\n\nc", ["a\nb", "c"]),
        ("a\n\u2022 b\n\u2022 c\nd", ["a", "\u2022 b\n\u2022 c", "d"]),
        ("- a\n\n- b\n\nc", ["- a\n\n- b", "c"]),
        ("1. a\n2. b", ["1. a\n2. b"]),
        (
            "1. a\n\n   more of it\n\n   ```\n   x\n\n   y\n   ```\n\n2. b",
            ["1. a\n\n   more of it\n\n   ```\n   x\n\n   y\n   ```\n\n2. b"],
        ),
        ("```py\na\n\nb\n```\n\nc", ["```py\na\n\nb\n```", "c"]),
        ("~~~~\na\n\n~~~\n\n~~~~\n\nc", ["~~~~\na\n\n~~~\n\n~~~~", "c"]),
        ("```\nnever\n\nclosed", ["```\nnever\n\nclosed"]),
    ],
)
def test_paragraphs_of_text(text: str, texts: list[str]) -> None:
    paragraphs = paragraphs_of({"text": text})
    assert paragraphs.texts == texts
    assert paragraphs.without([False] * len(texts)) == {"text": text}
    assert paragraphs.without([True] * len(texts)) == {"text": ""}


def test_paragraphs_of_segments() -> None:
    segments: list[dict[str, Any]] = [
        {"text": "Title", "type": "h", "tag": "h1"},
        {"text": "one", "type": "l"},
        {"text": "menu", "type": "l", "keep": False},
        {"text": "two", "type": "l"},
        {"text": "x", "type": "p", "table": 1},
        {"text": "y", "type": "p", "table": 1},
        {"text": "p", "type": "p"},
        {"text": "q", "type": "p"},
    ]
    paragraphs = paragraphs_of({"segments": segments})
    assert paragraphs.texts == ["Title", "one\ntwo", "x\ny", "p", "q"]
    left = paragraphs.without([False, True, True, False, False])["segments"]
    assert [one["text"] for one in left] == ["Title", "menu", "p", "q"]
    marked = paragraphs.marked([None, None, {"duplicate": "x"}, None, None])["segments"]
    assert ["duplicate" in one for one in marked] == [False] * 4 + [True] * 2 + [False] * 2
    assert "duplicate" not in segments[4]


@pytest.mark.parametrize(
    ("dropped", "all_dropped"),
    [
        # of: # A, a, ## B, b, # C, # D, d
        ("0100000", "0100000"),
        ("0101000", "1111000"),
        ("0001000", "0011000"),
        ("0000001", "0000011"),
        ("0000000", "0000000"),
        ("1000100", "0000100"),
        ("1110000", "0100000"),
    ],
)
def test_headings_go_with_their_text(dropped: str, all_dropped: str) -> None:
    paragraphs = paragraphs_of({"text": "# A\n\na\n\n## B\n\nb\n\n# C\n\n# D\n\nd"})
    assert paragraphs.with_headings([flag == "1" for flag in dropped]) == [flag == "1" for flag in all_dropped]


def test_marks_have_places_in_the_text() -> None:
    text = "\u00e9\u00e9\nsecond\nthird"
    marked = paragraphs_of({"text": text}).marked([None, {"duplicate": "x"}, None])
    [part] = marked["duplicate_parts"]
    assert text[part["start"] : part["end"]] == "second" and part["duplicate"] == "x"
