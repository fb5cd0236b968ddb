"""Inputs that begin with a tag."""

from __future__ import annotations

import pytest

from ncfilters.streams.first_tag import begins_with_tag, plain_ascii


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b"<!DOCTYPE html>", True),
        (b"\xef\xbb\xbf \r\n<p>", True),
        ("<p>It rained.".encode("utf-16"), True),
        ("<p>It rained.".encode("utf-16-be"), True),
        (b'{"html": "<p>"}', False),
        (b"It rained <b>", False),
        (b"", False),
    ],
)
def test_what_begins_with_a_tag(head: bytes, expected: bool) -> None:
    assert begins_with_tag(head) is expected


def test_the_ascii_of_utf16() -> None:
    assert plain_ascii("\ufeff  WARC/1.0".encode("utf-16-le")) == b"WARC/1.0"
