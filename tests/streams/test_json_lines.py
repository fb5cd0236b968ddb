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


@pytest.mark.parametrize(
    "names", [(b'"\\ud800"', b'"\\udfff"'), (b'"x\xff"', b'"x\xfe"'), (b'"\\ud800"', b'"\\ufffd"')]
)
@pytest.mark.parametrize("place", [b'{"id": "a", %s: 1, %s: 2}', b'{"id": "a", "x": [{%s: 1, "y": 3, %s: 2}]}'])
def test_two_names_that_become_one_are_an_error(names: tuple[bytes, bytes], place: bytes) -> None:
    error = parse_line(place % names)
    assert isinstance(error, RecordError)
    assert "two field names become" in str(error)
    assert error.record == {"id": "a"}


@pytest.mark.parametrize("line", [b'{"\\ud800": 1, "b": {"\\ud800": 2}}', b'{"\\ud800": 1, "a": 2, "a": 3}'])
def test_one_name_without_surrogates_is_none(line: bytes) -> None:
    assert isinstance(parse_line(line), dict)
