"""Text, site and name of documents."""

from __future__ import annotations

import pytest

from ncfilters.corpus.documents import host_of, name_of, site_of, text_of
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


@pytest.mark.parametrize(
    ("url", "host"),
    [("https://www.Example.org:80/a?b", "example.org"), ("example.org/a", ""), ("http://[", ""), ("", "")],
)
def test_host(url: str, host: str) -> None:
    assert host_of(url) == host


def test_site_and_name() -> None:
    assert site_of({"url": "http://a.example/b"}) == "a.example"
    assert site_of({"url": None}) == ""
    assert [name_of({"id": 0, "url": "u"}), name_of({"id": None, "url": "u"}), name_of({})] == ["0", "u", ""]
