"""Text, site and name of documents."""

from __future__ import annotations

import pytest

from ncfilters.corpus.documents import language_of, name_of, segments_of, site_of, text_of
from ncfilters.errors import RecordError


def test_text_is_the_field_text_or_that_of_kept_segments() -> None:
    segments = [{"text": "a"}, {"text": "b", "keep": False}, {"text": "c", "keep": True}]
    assert text_of({"text": "x", "segments": segments}) == "x"
    assert text_of({"segments": segments}) == "a\nc"
    assert text_of({"text": ""}) == ""


@pytest.mark.parametrize("document", [{}, {"html": "<p>"}, {"segments": [{}]}, {"segments": ["a"]}])
def test_records_without_text_are_errors(document: dict[str, object]) -> None:
    with pytest.raises(RecordError, match=r"text|segments\.0"):
        text_of(document)


def test_site_and_name() -> None:
    assert site_of({"url": "http://a.example/b"}) == "a.example"
    assert site_of({"url": None}) == ""
    assert [name_of({"id": 0, "url": "u"}), name_of({"id": None, "url": "u"}), name_of({})] == ["0", "u", ""]


def test_paragraphs_are_kept_segments_or_lines_of_text() -> None:
    segments = [{"text": "a", "type": "h"}, {"text": "b", "keep": False}]
    assert segments_of({"segments": segments}) == segments[:1]
    assert segments_of({"segments": segments, "text": "a\n \nb"}) == [
        {"text": "a", "type": "p"},
        {"text": "b", "type": "p"},
    ]
    assert segments_of({"text": ""}) == []


@pytest.mark.parametrize(
    ("document", "language"),
    [
        ({"text": "今天下雨", "lang": "en-GB", "head": {"language": "de"}}, "en"),
        ({"text": "今天下雨", "head": {"language": "deu"}}, "de"),
        ({"text": "今天下雨"}, "zh"),
        ({"text": "12", "lang": "und"}, ""),
    ],
)
def test_the_language_is_declared_or_that_of_the_text(document: dict[str, object], language: str) -> None:
    assert language_of(document) == language
