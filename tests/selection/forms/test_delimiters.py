"""Delimiters of emphasis that parsers see."""

from __future__ import annotations

import pytest

from ncfilters.selection.forms.delimiters import Token, flanked


def around(mark: str, *content: Token) -> list[Token]:
    opener = Token("open", mark)
    opener.partner = Token("close", mark, opener)
    return [opener, *content, opener.partner]


def text(content: str) -> Token:
    return Token("text", content)


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ([text("a "), *around("*", text("b")), text(" c")], "a *b* c"),
        ([text("a"), *around("**", text("(b)")), text("c")], "a(**b**)c"),
        ([*around("**", text("[1/5]")), text("Ann")], "[1/5]Ann"),
        ([text("a "), *around("*", text("not (")), text("b)")], "a *not* (b)"),
        ([text("a"), *around("*", text("!")), text("b")], "a!b"),
        ([text("a "), *around("**", *around("*", text("b")), text(" c"))], "a ***b* c**"),
        ([text("a "), text("b")], "a b"),
        ([Token("raw", "["), *around("*", text("b")), Token("raw", "](x)")], "[*b*](x)"),
    ],
)
def test_what_parsers_see(tokens: list[Token], expected: str) -> None:
    assert "".join(token.text for token in flanked(tokens)) == expected


def test_an_opener_that_would_end_emphasis_around_it_is_left_out() -> None:
    inner = [text("a"), *around("*", text("b")), text("c")]
    assert "".join(token.text for token in flanked([text("x "), *around("*", *inner), text(" y")])) == "x *abc* y"
