"""A line of JSON of which one field is long."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import orjson
import pytest
from uncompiled import both_forms

both = both_forms("ncfilters.native.record_json")
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


def expected(line: bytes) -> Any:
    """What the two functions say of a line, by orjson alone; the message of an error."""
    try:
        record = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        return str(error)
    if isinstance(record, dict) and isinstance(text := record.get("html"), str):
        return record | {"html": ""}, text.encode()
    return record, None


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
def test_lines_are_read_as_orjson_reads_them(form: ModuleType) -> None:
    found = 0
    for line in [*LINES, *mutated(20_000), b"", b" ", b"[]", b"1", b"{}", b'{"html"', b'{"html":', b'{"html":"']:
        try:
            own = form.record_and_text(line, "html")
            found += own[1] is not None
            assert orjson.dumps(own[0]) == orjson.dumps(expected(line)[0]), line  # in the same order
        except orjson.JSONDecodeError as error:
            own = str(error)
        assert own == expected(line), line
    assert found > 5_000


@FORMS
def test_the_text_is_apart(form: ModuleType) -> None:
    line = b'{"id": 1, "html": "<p>\\u00e9\\ud83d\\udc4d\\n", "n": {"html": "x"}}\n'
    record, text = form.record_and_text(line, "html")
    assert record == {"id": 1, "html": "", "n": {"html": "x"}} and text == "<p>é\U0001f44d\n".encode()
    assert form.record_and_text(line, "id") == (orjson.loads(line), None)
    assert form.record_and_text(b'{"html": "a", "html": "b"}', "html") == ({"html": ""}, b"b")
