"""One token per line, exactly."""

from __future__ import annotations

import re
from typing import Any

import pytest
from made_segments import DOCUMENT, Segment, h, p

from ncfilters.selection.forms.vertical import registry, vertical, vertical_sentences


def text(*segments: Segment, **document: Any) -> str:
    return vertical(list(segments), document)


def test_vertical_is_a_token_a_line() -> None:
    assert text(h("A title"), p("It's 3.5 % of <x>, isn't it?"), **DOCUMENT) == "\n".join(
        [
            '<doc id="a&quot;b" url="http://example.org/?a&amp;b=&lt;c&gt;" site="example.org">',
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
        ("我的 book", ["我", "的", "book"]),
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


def test_vertical_has_the_metadata_of_the_page() -> None:
    head = {"title": "A <b>", "author": ["Ann", "Bob"], "date": "2024-05-06", "language": "en"}
    assert text(head=head) == '<doc title="A &lt;b&gt;" author="Ann; Bob" date="2024-05-06" lang="en">\n</doc>'


def test_vertical_with_sentences() -> None:
    made = vertical_sentences([p("It rained. Stop!"), h("A <b>"), p("今天。明天。")], {"id": "a"})
    assert made.replace("\n", " ") == (
        '<doc id="a"> <p type="p"> <s> It rained <g/> . </s> <s> Stop <g/> ! </s> </p> '
        '<p type="h"> <s> A &lt; <g/> b <g/> &gt; </s> </p> '
        '<p type="p"> <s> 今 <g/> 天 <g/> 。 </s> <g/> <s> 明 <g/> 天 <g/> 。 </s> </p> </doc>'
    )
    assert vertical_sentences([{"text": ""}], {}) == '<doc>\n<p type="p">\n</p>\n</doc>'


def test_a_registry_names_all_structures_and_attributes() -> None:
    head = {"title": "A", "author": ["Ann"], "date": "2024-05-06"}
    document = {"id": 1, "url": "http://a.example/", "head": head, "lang": "en"}
    made = vertical_sentences([p("It rained.")], document)
    configured = registry("web")
    for tag, attributes in re.findall(r"^<(\w+)([^>]*)>$", made, re.M):
        structure = re.search(rf"^STRUCTURE {tag}\b(?: {{\n([^}}]*)}})?$", configured, re.M)
        assert structure
        assert re.findall(r"ATTRIBUTE (\w+)", structure[1] or "") == re.findall(r"(\w+)=", attributes)
    assert 'VERTICAL "web.vert"' in configured
    assert "\nSTRUCTURE g {\n" in configured


def test_vertical_a_tag_is_a_line() -> None:
    assert len(text(id="a\nb", url="http://x/\ty\r").splitlines()) == 2
