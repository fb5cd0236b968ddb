"""The page on a line of JSON."""

from __future__ import annotations

import json

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ncfilters.page.compiled_core import core
from ncfilters.page.page_lines import page_of_line
from ncfilters.streams.json_lines import parse_line

NEEDS_CORE = pytest.mark.skipif(core() is None, reason="no compiled core")

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
USUAL = (
    r"""{"id": "a\u0107", "html": "<p class=\"a\">\u0107\n\/ \ud83d\udc4d ć", "url": "b", "head": {"x": [1.50, {}]}}"""
)


@NEEDS_CORE
def test_the_html_and_the_other_fields_are_read() -> None:
    found = page_of_line(f" {USUAL}\r\n".encode())
    assert found is not None
    record, source = found
    assert source.text == '<p class="a">\u0107\n/ \U0001f44d \u0107'
    assert list(record.items()) == [("id", "a\u0107"), ("url", "b"), ("head", {"x": [1.5, {}]})]


@NEEDS_CORE
@pytest.mark.parametrize("part", [r"\n", r"\\", r"\"", r"\u0107", r"\ud83d\udc4d", "ć", "中", "👍", r"\n\"ć\\", "\x7f"])
@pytest.mark.parametrize("between", ["", "a", "b" * 15, "c" * 31, "d" * 63])
def test_strings_are_read_alike_wherever_an_escape_stands(part: str, between: str) -> None:
    for before in range(130):
        line = f'{{"html": "{"x" * before}{(part + between) * 9}"}}'
        found = page_of_line(line.encode())
        assert found is not None
        assert found[1].text == orjson.loads(line)["html"]


@NEEDS_CORE
@pytest.mark.parametrize("part", [b"\xff", b"\xe4\xb8", b"\xed\xa0\xbd", b"\x1f", rb"\x", rb"\ud83d", b"\0"])
def test_what_is_no_string_is_found_wherever_it_stands(part: bytes) -> None:
    for before in range(130):
        assert page_of_line(b'{"html": "%b%b%b"}' % (b"x" * before, part, b"y" * 130)) is None


@pytest.mark.parametrize(
    "line",
    [
        '{"id": 1}',
        '{"html": "a", "html": "b"}',
        r'{"html": "a", "\u0068tml": "b"}',
        '{"html": null}',
        '{"html": ["a"]}',
        '{"html": {"$base64": "YQ=="}}',
        '{"html": "a"',
        '{"html": "a",}',
        '{"html": "a"} {}',
        '{"html": "a\tb"}',
        r'{"html": "\ud83d"}',
        r'{"html": "\x"}',
        r'{"html": "\u12"}',
        r'{"html": "a\"}',
        '{"html": "a", "b": 01}',
        '{"html": "a", "b": {"$base64": "YQ=="}}',
        '["html", "a"]',
        "",
    ],
)
def test_unusual_lines_are_left(line: str) -> None:
    assert page_of_line(line.encode()) is None


@pytest.mark.parametrize("html", [b"\xff", b"a\xc3", b"\xed\xa0\x80", b"\xc0\x80 and more than sixteen bytes"])
def test_lines_that_are_not_utf8_are_left(html: bytes) -> None:
    assert page_of_line(b'{"html": "' + html + b'"}') is None


@NEEDS_CORE
@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=4), st.text(), st.integers(0, 4), st.booleans())
def test_lines_are_read_as_by_orjson(fields: dict[str, object], html: str, place: int, is_ascii: bool) -> None:
    items = [(name, value) for name, value in fields.items() if name != "html"]
    record = dict([*items[:place], ("html", html), *items[place:]])
    try:
        line = json.dumps(record).encode() if is_ascii else orjson.dumps(record)
    except orjson.JSONEncodeError:  # lone surrogates
        return
    parsed, found = parse_line(line), page_of_line(line)
    assert isinstance(parsed, dict)
    if found is None:
        assert "\\ud" in line.decode() or any(type(value) in (float, list, dict) for value in record.values())
        return
    assert list(found[0].items()) == [item for item in parsed.items() if item[0] != "html"]
    assert found[1].text == parsed["html"]


@NEEDS_CORE
@given(st.binary(max_size=40))
def test_damaged_lines_are_read_as_by_orjson_or_left(more: bytes) -> None:
    line = b'{"id": 1, "html": "<p>' + more + b'", "url": "a"}'
    found = page_of_line(line)
    if found is not None:
        assert orjson.loads(line) == {**found[0], "html": found[1].text}
