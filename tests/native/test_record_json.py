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


def mutated(count: int, lines: list[bytes] = LINES) -> Iterator[bytes]:
    """Lines, each with some bytes changed, cut out or put in."""
    chance = random.Random(7)
    for _ in range(count):
        line = bytearray(chance.choice(lines))
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


ROWS: list[Any] = [
    {"text": "Home", "path": "body/nav", "links": 4, "score": -1.25, "keep": True},
    {"text": "Home", "path": "body/nav", "links": 10**14, "score": 0.001, "keep": False},
    {"text": 'a "b" \\ \t\u4e2d', "path": "body/p", "links": -7, "score": 1e-9, "type": "p"},
    {"path": "body/p", "text": "\U0001f44d" * 9, "score": 123456789.123, "spans": [[0, 1, "link", {"a": [None]}]]},
    {"links": 0, "score": 12345678901234567890, "text": "", "x" * 300: "y" * 300},
    {"score": -0.0, "text": "Home", "path": "body/p"},
    {},
]
ROW_LINES = [
    json.dumps(record, ensure_ascii=ascii, separators=separators).encode()
    for rows in (ROWS, ROWS[:2], ROWS[2:3] * 3, [], ROWS * 3)
    for record in ({"html": rows}, {"id": "a", "n": {"html": rows, "b": []}, "html": rows, "z": None})
    for ascii in (False, True)
    for separators in ((",", ":"), (", ", ": "))
]


def read_rows(form: ModuleType, line: bytes) -> Any:
    """The record of a line with its rows as dictionaries, and whether they came as columns; the message of an error."""
    try:
        record, found = form.record_and_rows(line, "html")
    except orjson.JSONDecodeError as error:
        return str(error), False
    if found is None:
        return record, False
    columns, types, names = found
    assert list(types.items()) == [(name, {*map(type, column)}) for name, column in columns.items()]
    assert record["html"] == [] and {len(column) for column in columns.values()} <= {len(names)}
    record["html"] = [{name: columns[name][row] for name in own} for row, own in enumerate(names)]
    for name, column in columns.items():
        assert all((value is None) == (name not in own) for value, own in zip(column, names, strict=True))
    return record, True


@FORMS
def test_rows_are_read_as_orjson_reads_them(form: ModuleType) -> None:
    found = 0
    for line in [
        *ROW_LINES,
        *mutated(30_000, ROW_LINES),
        *LINES,
        *mutated(2_000),
        b"",
        b"{}",
        b'{"html":[',
        b'{"html":[{',
    ]:
        record, are_columns = read_rows(form, line)
        found += are_columns
        try:
            wanted = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            assert record == str(error), line
            continue
        assert repr(record) == repr(wanted), line  # the same types, in the same order
    assert found > 5_000


@FORMS
def test_usual_rows_are_columns(form: ModuleType) -> None:
    for line in ROW_LINES:
        assert read_rows(form, line)[1]
    line = b'{"html":[{"a":"x","path":"body/p"},{"a":"y","path":"body/p"}],"html2":1}'
    assert form.record_and_rows(line, "html") == (
        {"html": [], "html2": 1},
        ({"a": ["x", "y"], "path": ["body/p"] * 2}, {"a": {str}, "path": {str}}, [("a", "path")] * 2),
    )
    assert form.record_and_rows(b'{"html":[{"a":null}]}', "html") == ({"html": [{"a": None}]}, None)


@FORMS
def test_many_names_and_deep_values(form: ModuleType) -> None:
    many = [{f"n{at}": at for at in range(200)}]
    sets = [{f"n{bit}": 1 for bit in range(9) if number >> bit & 1} for number in range(512)]
    for rows in (many, sets):
        assert read_rows(form, orjson.dumps({"html": rows}))[0] == {"html": rows}
    for depth in (90, 200, 400, 1100, 5000):
        line = b'{"html":[{"a":' + b"[" * depth + b"]" * depth + b"}]}"
        try:
            wanted = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            wanted = str(error)
        assert read_rows(form, line)[0] == wanted


@FORMS
def test_rows_are_written_as_orjson_writes_them(form: ModuleType) -> None:
    chance = random.Random(3)
    numbers = [0.0, -0.0, 0.001, -0.001, 0.0005, 1e-9, 1e16, 1e22, 5e-324, 999999999.999, 1e9, -7.63, 0.1 + 0.2, 2.675]
    numbers += [chance.uniform(-10, 10) for _ in range(200)]
    numbers += [chance.randrange(-99999, 99999) / 1000 for _ in range(999)]
    texts = [*TEXTS, *map(chr, range(256)), "\u2028", "x" * 7 + '"', "x" * 8 + "\x1f", "\U0001f44d" * 3]
    integers = [0, 7, -7, 10**12, -(10**12), 10**12 - 1, 1 - 10**12, 2**63 - 1, 2**64 - 1, -(2**63)]
    values: list[Any] = [*numbers, *texts, *integers, True, False, [], {"a": [None, 1.5, "é"]}]
    rows = [{"a": value, 'é"': value} if number % 3 else {"b": value} for number, value in enumerate(values)]
    for items in ([], [{}], [{}, {"a": 1}], rows, ROWS):
        columns: dict[str, list[Any]] = {
            name: [item.get(name) for item in items] for name in {k for i in items for k in i}
        }
        assert form.rows_json(columns, list(map(tuple, items)), orjson.dumps) == orjson.dumps(items)
    with pytest.raises((UnicodeEncodeError, TypeError)):
        form.rows_json({"a": ["\ud800"]}, [("a",)], orjson.dumps)
