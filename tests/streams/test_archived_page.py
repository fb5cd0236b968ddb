"""Pages of archives: which are selected, and what they are when they are decoded."""

from __future__ import annotations

import gzip
import pickle
from typing import Any

import pytest
from archives import HTML, http

from ncfilters.errors import RecordError
from ncfilters.streams.archived_page import ArchivedPage, select_page, select_response
from ncfilters.streams.html_pages import PageSelection

LIMIT = 1 << 16
SELECTION = PageSelection(LIMIT)


def test_a_response_is_decoded_where_it_is_needed() -> None:
    page = select_response({"id": "a"}, http(gzip.compress(HTML.encode()), content_encoding="gzip"), SELECTION)
    assert page and page.payload.startswith(b"\x1f\x8b") and "html" not in page.record
    sent: ArchivedPage = pickle.loads(pickle.dumps(page))
    record = sent.decoded(LIMIT)
    assert not isinstance(record, RecordError)
    assert record == {
        "id": "a",
        "status": 200,
        "content_type": "text/html; charset=utf-8",
        "encoding": {"name": "utf-8", "evidence": "http"},
        "html": HTML,
    }


@pytest.mark.parametrize(
    ("content_type", "payload", "selected"),
    [
        ("text/html", "x", True),
        ("application/xhtml+xml; charset=utf-8", "x", True),
        ("image/png", "<html>", False),
        (None, "<html> page", True),
        (None, "no page", False),
    ],
)
def test_content_types_and_payloads_without_one(content_type: str | None, payload: str, selected: bool) -> None:
    page = select_response({}, http(payload, content_type), SELECTION)
    assert (page is not None) == selected
    if page:
        record: Any = page.decoded(LIMIT)
        assert (record["html"], record["content_type"]) == (payload, content_type or "text/html")


def test_a_conversion_without_a_content_type_is_text_if_it_is_utf8() -> None:
    page = ArchivedPage({"id": "a"}, "Żółw".encode(), {}, is_conversion=True)
    found = select_page(page, SELECTION)
    assert found
    record = found.decoded(LIMIT)
    assert isinstance(record, dict) and (record["text"], record["content_type"]) == ("Żółw", "text/plain")
    assert select_page(page, PageSelection(LIMIT, ("text/html",))) is None
    with pytest.raises(ValueError, match="Content-Type: missing"):
        select_page(page._replace(block=b"\x89PNG\xff"), SELECTION)
    html = select_page(page._replace(block=b"<p>Text."), SELECTION)
    assert html and "html" in html.decoded(LIMIT)


def test_conversions_are_utf8_and_may_be_text() -> None:
    page = ArchivedPage({}, "Żółw".encode(), {"content-type": "text/plain"}, is_conversion=True)
    assert select_page(page, SELECTION) == page
    assert page.decoded(LIMIT) == {
        "content_type": "text/plain",
        "encoding": {"name": "utf-8", "evidence": "content"},
        "text": "Żółw",
    }
    assert select_page(page._replace(is_conversion=False), SELECTION) is None


def test_what_cannot_be_decoded_is_an_error_with_its_place() -> None:
    packed = gzip.compress(b"x" * (LIMIT + 1))
    for payload, message in ((packed[:-20], "truncated"), (packed, "more than 65,536 bytes")):
        page = select_response({"id": "a"}, http(payload, content_encoding="gzip"), SELECTION)
        assert page
        error = page._replace(place="a.warc: byte 7: ").decoded(LIMIT)
        assert isinstance(error, RecordError)
        assert str(error).startswith("a.warc: byte 7: ") and message in str(error)
        assert error.record["id"] == "a"
    page = select_response({"id": "a"}, http(b"%PDF-1.7\n"), SELECTION)  # declared as text/html
    assert page and str(page.decoded(LIMIT)) == "a PDF document, not an HTML page"
    with pytest.raises(ValueError, match="not an HTTP response"):
        select_response({}, b"no head", SELECTION)
