"""One token per line, exactly."""

from __future__ import annotations

from typing import Any

import pytest
from made_segments import DOCUMENT, Segment, h, p

from ncfilters.selection.forms.vertical import vertical


def text(*segments: Segment, **document: Any) -> str:
    return vertical(list(segments), document)


def test_vertical_is_a_token_a_line() -> None:
    assert text(h("A title"), p("It's 3.5 % of <x>, isn't it?"), **DOCUMENT) == "\n".join(
        [
            '<doc id="a&quot;b" url="http://example.org/?a&amp;b=&lt;c&gt;">',
            '<p type="h">',
            "A",
            "title",
            "</p>",
            '<p type="p">',
            *["It's", "3.5", "%", "of", "&lt;", "x", "&gt;", ",", "isn't", "it", "?"],
            "</p>",
            "</doc>",
        ]
    )


@pytest.mark.parametrize(
    ("plain", "tokens"),
    [
        ("well-known AT&T’s U.S. base", ["well-known", "AT&amp;T’s", "U.S", ".", "base"]),
        ("1,234.56 at 10:30", ["1,234.56", "at", "10:30"]),
        ("Wait... what?!", ["Wait", "...", "what", "?", "!"]),
        ("“Łódź” – Ωμέγα", ["“", "Łódź", "”", "–", "Ωμέγα"]),
        ("a\tb\nc\u00a0d\u3000e", ["a", "b", "c", "d", "e"]),
        ("", []),
    ],
)
def test_vertical_tokens(plain: str, tokens: list[str]) -> None:
    assert text(p(plain)).split("\n") == ["<doc>", '<p type="p">', *tokens, "</p>", "</doc>"]


@pytest.mark.parametrize("plain", ["1st", "3rd", "90s", "4G", "2nd-hand", "1,000.50", "1,000.50kg"])
def test_vertical_a_word_may_begin_with_a_digit(plain: str) -> None:
    assert text(p(plain)).split("\n")[2:-2] == [plain]


@pytest.mark.parametrize("plain", ["हिन्दी", "தமிழ்", "e\u0301te\u0301", "עִבְרִית"])
def test_vertical_marks_stay_with_their_letters(plain: str) -> None:
    assert text(p(plain)).split("\n")[2:-2] == [plain]


def test_vertical_an_empty_document() -> None:
    assert text(id=0) == '<doc id="0">\n</doc>'
    assert text(id=None, url=None) == "<doc>\n</doc>"


def test_vertical_a_tag_is_a_line() -> None:
    assert len(text(id="a\nb", url="http://x/\ty\r").splitlines()) == 2
