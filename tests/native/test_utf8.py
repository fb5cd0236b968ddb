"""UTF-8 of strings of JSON, and the places of its characters."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from types import ModuleType

import orjson
import pytest
from uncompiled import both_forms

from ncfilters.errors import RecordError
from ncfilters.record import PageText
from ncfilters.streams import json_lines

both = both_forms("ncfilters.native.utf8")
FORMS = pytest.mark.parametrize("form", both, ids=lambda form: form.__name__)
TEXTS = ["", "<p>One", 'a"b\\c/\n\t\r\b\f\x01', "é中\U0001f44d" * 7, "0123456789" * 5, "\\" * 9, "\ufffd\x7f", "{[,:]}"]
LINES = [
    json.dumps(record, ensure_ascii=ascii, separators=separators).encode()
    for text in TEXTS
    for record in (
        {"html": text},
        {"id": 1, "html": text, "gold": {"html": [text, {"a": None}]}, "x": [1.5, True]},
        {"a": text, "b": [], "html": text},
    )
    for ascii in (False, True)
    for separators in ((",", ":"), (", ", ": "))
]
PIECES = [
    b'"', b"\\", b"\\u", b"\\ud83d\\udc4d", b"\\ud83d", b"\\udc4d", b"\\/", b"\\x", b"\x00", b"\x1f", b"\x7f", b"\x80",
    b"\xc3\xa9", b"\xc3", b"\xed\xa0\x80", b"\xe0\x80\x80", b"\xf4\x90\x80\x80", b"\xf0\x9f\x91\x8d", b"{", b"}",
    b"[", b"]", b",", b":", b'"html":', b'"html":"x",', b'"ht\\u006dl":"x",', b" ", b"\n", b"1e999", b"-",
    b"99999999999999999999", b"null",
]  # fmt: skip


def expected(line: bytes, start: int) -> tuple[bytes, int] | None:
    """What the function says, by orjson alone."""
    for end in range(start, len(line)):
        if line[end] == ord('"'):
            try:
                return orjson.loads(b'"' + line[start : end + 1]).encode(), end + 1
            except ValueError:
                pass
    return None


def mutated(count: int) -> Iterator[bytes]:
    """Lines, each with some bytes changed, cut out or put in."""
    chance = random.Random(7)
    for _ in range(count):
        line = bytearray(chance.choice(LINES))
        for _ in range(chance.randrange(4)):
            at = chance.randrange(len(line) + 1)
            end = min(at + chance.choice((0, 0, 1, 2, 7)), len(line))
            line[at:end] = chance.choice(PIECES) * chance.choice((1, 1, 3))
        yield bytes(line[: chance.randrange(len(line) + 1)] if chance.random() < 0.1 else line)


@FORMS
def test_strings_are_read_as_orjson_reads_them(form: ModuleType) -> None:
    found = 0
    for line in [*LINES, *mutated(20_000), b"", b'{"html":"', b'{"html":"\\', b'{"html":"\\u00']:
        start = line.find(b'"html"') + 8
        own = form.unescaped(line, start)
        found += own is not None
        assert own == expected(line, start), line
    assert found > 5_000


@FORMS
def test_lines_are_records_as_orjson_reads_them(form: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_lines, "unescaped", form.unescaped)
    pages = 0
    for line in [
        *LINES,
        *mutated(20_000),
        b"",
        b" ",
        b"[]",
        b"1",
        b"{}",
        b'{"html"',
        b'{"html":',
        b'{"html": "\\u0000html"}',
    ]:
        own, wanted = json_lines.parse_page(line), json_lines.parse_line(line)
        if isinstance(wanted, RecordError):
            assert str(own) == str(wanted), line
            continue
        assert isinstance(own, dict)
        pages += isinstance(own.get("html"), PageText)
        assert list(own) == list(wanted), line
        assert {name: str(value) if isinstance(value, PageText) else value for name, value in own.items()} == wanted, (
            line
        )
    assert pages > 5_000


def test_the_html_of_another_object_is_not_that_of_the_record() -> None:
    assert json_lines.parse_page(b'{"n": {"html": "x"}, "html": 7}') == {"n": {"html": "x"}, "html": 7}
    first = json_lines.parse_page(b'{"html": "a", "html": "b"}')
    assert isinstance(first, dict) and str(first["html"]) == "b"
    assert json_lines.parse_page(b'{"a": "\\"html\\": \\"x"}') == {"a": '"html": "x'}
