"""Heads of records that a flipped bit has made something else."""

from __future__ import annotations

import gzip
import io

import pytest
from archives import archived, http

from ncfilters.errors import RecordError
from ncfilters.streams.html_pages import PageSelection
from ncfilters.streams.warc_damage import damaged_id, damaged_type, is_nearly, record_kind
from ncfilters.streams.warc_reader import WarcReader

HTML = ("text/html", "application/xhtml+xml")
UUID = "urn:uuid:00000000-0000-4000-8000-0000000000ff"


def read(data: bytes) -> list[object]:
    return list(WarcReader([("test", io.BytesIO(data))], PageSelection(1 << 20)))  # type: ignore[list-item]


@pytest.mark.parametrize("kind", ["response", "Response", " revisit\t", "warcinfo"])
def test_known_kinds(kind: str) -> None:
    assert record_kind({"WARC-Type": kind}.get) == kind.strip().lower()


@pytest.mark.parametrize("kind", ["screenshot", "respond", "x-response"])
def test_other_kinds_are_ignored(kind: str) -> None:
    assert record_kind({"WARC-Type": kind}.get) == kind
    assert read(archived(1, http(), kind)) == []


@pytest.mark.parametrize(
    "kind", ["", " ", "sesponse", "!response", "r\xe5sponse", "response\nContent-Type: x", "2evisit"]
)
def test_damaged_kinds_are_told(kind: str) -> None:
    with pytest.raises(ValueError, match="WARC-Type"):
        record_kind({"WARC-Type": kind}.get)


def test_a_head_without_a_kind_is_told_and_reading_goes_on() -> None:
    for pack in (bytes, gzip.compress):
        data = pack(archived(1, http()).replace(b"WARC-Type", b"UARC-Type")) + pack(archived(2, http()))
        damaged, page = read(data)
        assert isinstance(damaged, RecordError) and "test: byte 0: WARC-Type: missing" in str(damaged)
        assert isinstance(page, dict) and page["id"] == "urn:uuid:2"


def test_names_of_fields_are_in_any_case() -> None:
    (page,) = read(archived(1, http()).replace(b"WARC-Type", b"warc-type"))
    assert isinstance(page, dict) and page["status"] == 200


@pytest.mark.parametrize("value", [f"<{UUID}>", UUID, "<http://a/b?c>", "<1>", f"<{UUID.upper()}>"])
def test_ids(value: str) -> None:
    assert damaged_id(value) == ""


@pytest.mark.parametrize(
    "value",
    [None, "", "<urn:1", "urn:1>", "<urn: 1>", "<urn:\x01>", "<urn:\xe9>", f"<{UUID[:-1]}g>", f"<{UUID[:-1]}v>"],
)
def test_damaged_ids_are_told(value: str | None) -> None:
    assert damaged_id(value).startswith("WARC-Record-ID: ")


def test_a_page_with_a_damaged_id_comes_out_with_an_error_beside_it() -> None:
    page, damage = read(archived(1, http()).replace(b"<urn:uuid:1>", b"<urn\x1auuid:1>"))
    assert isinstance(page, dict) and page["status"] == 200
    assert isinstance(damage, RecordError) and damage.record == {}


@pytest.mark.parametrize("value", ["text/htmm", "text/html{ charset=utf-8", "!text/html", "uext/html; charset=x"])
def test_damaged_content_types_are_told(value: str) -> None:
    assert damaged_type(value, HTML).endswith("is text/html with a bit flipped")
    (damage,) = read(archived(1, http(content_type=value)))
    assert isinstance(damage, RecordError) and "with a bit flipped" in str(damage)


@pytest.mark.parametrize(
    "value", ["", "text/plain", "image/png", "text/css", "text/html-x", "text", "textxhtmx", "*/*"]
)
def test_other_content_types_are_left_out(value: str) -> None:
    assert damaged_type(value, HTML) == ""


def test_one_bit() -> None:
    assert is_nearly("a", "c") and is_nearly("\ufffd", "a")
    assert not is_nearly("a", "b") and not is_nearly("a", "a") and not is_nearly("aa", "a")
