"""Tokens are all of a text but its white space."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from ncfilters.text.tokens import tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It's 3.5 % of 90s.", ["It's", "3.5", "%", "of", "90s", "."]),
        ("我的書 book", ["我", "的", "書", "book"]),
        ("カ゚ 2月", ["カ゚", "2", "月"]),
        ("กำ", ["ก", "ำ"]),
        ("Wait... what…", ["Wait", "...", "what", "…"]),
        (" \n\u3000", []),
        ("", []),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@given(st.text())
def test_nothing_but_white_space_is_left_out(text: str) -> None:
    assert "".join(tokens(text)) == regex.sub(r"\s", "", text)


@pytest.mark.parametrize("piece", ["a'", "1,", "a1.", "'a", "1a-"])
def test_a_token_of_many_parts_takes_little_memory(piece: str) -> None:
    found = tokens(piece * 1_000_000)
    assert sum(map(len, found)) == len(piece) * 1_000_000
    assert len(found) < 10_000
