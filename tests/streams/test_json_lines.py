"""Lines of JSON, of any program."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.streams.json_lines import parse_line


@pytest.mark.parametrize(
    ("line", "record"),
    [
        (b'{"a": "\\ud83d\\ude00 \\ud83d"}', {"a": "😀 \ufffd"}),
        (b'{"a": "\xff"}', {"a": "\ufffd"}),
        (b'{"a": {"$base64": "aGk="}}', {"a": b"hi"}),
        (b'{"a": "\xff", "b": 123456789012345678901}', {"a": "\ufffd", "b": 123456789012345678901.0}),
        (b'{"a": [{"$base64": "?"}]}', {"a": [{"$base64": "?"}]}),
    ],
)
def test_a_line_is_read_as_far_as_it_can_be(line: bytes, record: dict[str, Any]) -> None:
    assert parse_line(line) == record


@pytest.mark.parametrize(
    "line", [b"[1]", b"1", b'"x"', b"null", b"{", b'{"a": NaN}', b'{"a": "\xff" x}', b'{"\xff": 1e999}']
)
def test_a_line_that_is_no_object_is_an_error(line: bytes) -> None:
    assert isinstance(parse_line(line), RecordError)
