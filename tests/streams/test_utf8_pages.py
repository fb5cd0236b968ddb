"""UTF-8 as JSON, without strings: the bytes that orjson writes."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ncfilters.streams.utf8_pages import (
    PIECE_BYTES,
    encoded,
    line_with_string,
    pieces_of_line,
    streams_core,
    utf8_is_ascii,
)
from ncfilters.text import compiled_modules

SLOW_MACHINES = settings(deadline=None)
needs_core = pytest.mark.skipif(streams_core() is None, reason="no compiled core: python setup.py build_ext --inplace")
# Bytes of which some are special in JSON, and some are no UTF-8.
_bytes = st.lists(
    st.sampled_from(
        [
            b"a" * 17,
            b"b" * 61,
            b'<a class="b">\n' * 9,
            b'"',
            b"\\",
            b"\n",
            b"\x00",
            b"\x1b",
            b"\x1f",
            b"\x7f",
            b"</p>",
            "é中😀".encode(),
            b"\xff",
            b"\xc3",
        ]
    )
    | st.binary(max_size=4)
).map(b"".join)


def decoded(data: bytes) -> str | None:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


@SLOW_MACHINES
@given(_bytes)
@example(b"\xed\xa0\x80")
@example(b"\xc0\x80")
@example(b"\xf4\x90\x80\x80")
@example(b"a" * 16 + b"\xe4\xb8")
@example(b"a" * 40 + b"\0")
@example(b"a" * 40 + b"\x1b")
@example(b"a" * 40 + b"\x1b" + "é".encode())
@example("é".encode() + b"a" * 40 + b"\0")
def test_what_is_utf8_and_what_ascii(data: bytes) -> None:
    is_plain = decoded(data) is not None and b"\0" not in data and not (data.isascii() and b"\x1b" in data)
    assert utf8_is_ascii(data) is utf8_is_ascii(memoryview(data)) is (data.isascii() if is_plain else None)


def test_what_is_utf8_without_a_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(compiled_modules.VARIABLE, compiled_modules.PYTHON)
    streams_core.cache_clear()
    try:
        assert utf8_is_ascii("é".encode()) is False and utf8_is_ascii(b"e") is True
        assert [utf8_is_ascii(data) for data in (b"\xe9", b"a\0", b"a\x1b$B", b"\xc3\xa9\0")] == [None] * 4
    finally:
        streams_core.cache_clear()


@SLOW_MACHINES
@given(
    st.lists(st.text(max_size=20) | st.sampled_from(["a" * 16, "é" * 40, "中" * 40, "😀" * 40, "b" * 33])).map("".join)
)
@example("é" + "a" * 100)
@example("\u0080" * 17 + "\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff" + "x" * 64)
def test_encoded_text(text: str) -> None:
    assert encoded(text) == text.encode()


@pytest.mark.parametrize("text", ["\ud800", "é" * 50 + "\udfff", "😀\udc00" + "a" * 20])
def test_surrogates_are_an_error(text: str) -> None:
    with pytest.raises(UnicodeEncodeError):
        encoded(text)


@needs_core
@SLOW_MACHINES
@given(_bytes | st.text().map(lambda text: text.encode()), st.sampled_from([{}, {"nc": 1}, {"a": [1], "b": "é"}]))
@example(b"\x01" * 1000, {"nc": 1})
@example(b"\n" * 100 + b"x" * 100 + b"\x02" * 100, {})
def test_lines(data: bytes, after: dict[str, object]) -> None:
    text = decoded(data)
    if text is None:
        assert streams_core().string_part(b"", data, b"") is None
        return
    expected = orjson.dumps({"id": "a", "html": text, **after}) + b"\n"
    assert line_with_string({"id": "a"}, "html", data, after) == expected
    assert line_with_string({"id": "a"}, "html", memoryview(b"?" + data)[1:], after) == expected
    assert b"".join(pieces_of_line({"id": "a"}, "html", data, after)) == expected


@needs_core
@pytest.mark.parametrize("character", ["a", "é", "中", "😀", "\n"])
@pytest.mark.parametrize("shift", range(4))
def test_long_lines_are_cut_between_characters(character: str, shift: int) -> None:
    text = "x" * shift + character * (2 * PIECE_BYTES // len(character.encode()) + 3)
    pieces = [*pieces_of_line({"id": "a"}, "html", text.encode(), {"nc": 1})]
    assert len(pieces) == 3
    assert b"".join(pieces) == orjson.dumps({"id": "a", "html": text, "nc": 1}) + b"\n"
