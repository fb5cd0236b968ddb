"""The markup of spans in Markdown."""

from __future__ import annotations

from typing import Any

import pytest
from made_segments import p

from ncfilters.selection.forms.markdown_text import Escapes, MarkdownText
from ncfilters.selection.forms.notes import NO_NOTES, Notes
from ncfilters.selection.forms.spans import inline_nodes


def written(text: str, *spans: list[Any], **more: Any) -> str:
    return MarkdownText(NO_NOTES).block(p(text, spans=list(spans), **more))


def test_kinds() -> None:
    kinds = {"em": "*b*", "strong": "**b**", "code": "`b`", "del": "~~b~~", "mark": "b", "other": "b"}
    assert {kind: written("a b c", [2, 3, kind]) for kind in kinds} == {kind: f"a {b} c" for kind, b in kinds.items()}


def test_links_and_images() -> None:
    image = {"src": "https://x/i.png", "alt": "An [odd] *image*"}
    assert written("see this", [4, 8, "link", "https://x/"]) == "see [this](https://x/)"
    assert written("see [x]", [4, 7, "link", "https://x/"]) == "see [\\[x\\]](https://x/)"
    assert written("[edit]", [1, 5, "link", "https://x/"]) == "[[edit](https://x/)]"
    assert written("a b", [2, 2, "image", image]) == "a ![An \\[odd\\] \\*image\\*](https://x/i.png) b"
    assert written("a", [1, 1, "link", "https://x/"], [1, 1, "image", image]) == (
        "a[![An \\[odd\\] \\*image\\*](https://x/i.png)](https://x/)"
    )
    assert written("a b", [2, 3, "link", "javascript:x"], [0, 0, "image", {"src": "data:x"}]) == "a b"
    assert written("wow!x", [4, 5, "link", "u"]) == "wow\\![x](u)"


def test_code_with_a_link_is_a_link_with_code() -> None:
    assert written("use open() or", [4, 10, "code"], [4, 10, "link", "u"]) == "use [`open()`](u) or"
    assert written("use open() or", [0, 10, "code"], [4, 8, "link", "u"]) == "`use` [`open`](u)`()` or"


@pytest.mark.parametrize(("text", "start", "end", "expected"), [
    ("intraword", 2, 5, "in**tra**word"), ("a(b)c", 1, 4, "a(**b**)c"), ("中文。中文", 0, 3, "**中文**。中文"),
    ("（中）文", 0, 3, "**（中**）文"), ("a “b” c", 2, 5, "a **“b”** c"), ("a.b", 1, 2, "a.b"), ("5€x", 1, 2, "5€x"),
])  # fmt: skip
def test_emphasis_where_parsers_see_it(text: str, start: int, end: int, expected: str) -> None:
    assert written(text, [start, end, "strong"]) == expected


def test_emphasis_in_and_beside_emphasis() -> None:
    assert written("ab", [0, 2, "strong"], [0, 1, "em"]) == "***a*b**"
    assert written("ab", [0, 1, "em"], [1, 2, "strong"]) == "*a***b**"
    assert written("abc", [0, 2, "em"], [0, 2, "strong"], [2, 3, "strong"]) == "***ab***c"


def test_superscripts_belong_to_a_word() -> None:
    assert written("10-3 m2 [1]", [3, 4, "sup"], [6, 7, "sup"], [8, 11, "sup"]) == "10-3 m<sup>2</sup> [1]"
    assert written("x²", [1, 2, "sup", "2"]) == "x²"


def test_formulas() -> None:
    tex = MarkdownText(NO_NOTES, Escapes(has_math=True))
    formula = p("So E=mc2 costs $5", spans=[[3, 8, "math", "E=mc^2"]])
    assert tex.block(formula) == "So $E=mc^2$ costs \\$5"
    shown = p("So: E.", spans=[[4, 5, "math", "E\n= m", "display"]])
    assert tex.block(shown) == "So:\n\n$$E = m$$\n\n."
    assert tex.heading(shown) == "So: $E = m$."
    assert tex.block(p("ab", spans=[[1, 1, "math", "x"], [1, 1, "math", "y"]])) == "a$x$ $y$b"
    assert tex.block(p("ab", spans=[[0, 1, "math", "x$"], [1, 2, "math", ""]])) == "ab"


def test_a_space_on_both_sides_of_what_has_no_text() -> None:
    assert written("of length at", [10, 10, "math", "1"]) == "of length $1$ at"
    assert written("of length, at", [9, 9, "math", "1"]) == "of length$1$, at"
    assert written("a b", [2, 2, "image", {"src": "https://x/"}]) == "a ![](https://x/) b"


def test_an_image_has_the_link_that_has_no_text() -> None:
    image = {"src": "https://x/i.png", "alt": "I", "link": "https://x/y_(z)"}
    assert written("a b", [2, 2, "image", image]) == "a [![I](https://x/i.png)](https://x/y_(z)) b"
    assert written("a!b", [2, 2, "image", image]) == "a\\![![I](https://x/i.png)](https://x/y_(z))b"
    assert written("a!", [2, 2, "image", image]) == "a! [![I](https://x/i.png)](https://x/y_(z))"
    assert (
        written("Flag", [0, 4, "link", "https://y/"], [0, 0, "image", image])
        == "[![I](https://x/i.png) Flag](https://y/)"
    )
    for link in ("javascript:x", image["src"], 3):
        assert written("a b", [2, 2, "image", {**image, "link": link}]) == "a ![I](https://x/i.png) b"


def test_an_image_at_the_start_of_a_link_does_not_touch_its_text() -> None:
    image = [0, 0, "image", {"src": "https://x/"}]
    assert written("Flag", [0, 4, "link", "https://y/"], image) == "[![](https://x/) Flag](https://y/)"
    assert written("Flag", image) == "![](https://x/) Flag"
    assert written("Flag", [0, 4, "em"], image) == "*![](https://x/) Flag*"
    assert written("a Flag", [2, 2, "image", {"src": "https://x/"}]) == "a ![](https://x/) Flag"
    in_link = [2, 6, "link", "https://y/"], [2, 2, "image", {"src": "https://x/"}]
    assert written("a Flag", *in_link) == "a [![](https://x/) Flag](https://y/)"
    assert written("a.Flag", *in_link) == "a.[![](https://x/)Flag](https://y/)"


def test_punctuation_alone_is_not_emphasised() -> None:
    spans = [[0, 4, "strong"], [0, 1, "em"], [1, 2, "em"], [3, 4, "em"]]
    assert written("a, b", [1, 2, "em"]) == "a, b"
    assert written("a, b", [0, 1, "link", "https://x/"], *spans) == "**[*a*](https://x/), *b***"


def test_displayed_formulas_in_emphasis_are_inline() -> None:
    assert written("a E b", [0, 5, "em"], [2, 3, "math", "E", "display"]) == "*a $E$ b*"


def test_references() -> None:
    text = MarkdownText(NO_NOTES, Escapes(has_references=True))
    page = p("a b [1]", spans=[[0, 1, "reference", "u"], [2, 3, "reference", "v"]])
    assert text.block(page) == "[a][1] [b][2] \\[1]"
    assert text.references == {"u": 1, "v": 2}
    notes = MarkdownText(Notes({"n": "7"}))
    assert notes.block(p("so: x", spans=[[0, 2, "note", "n"]])) == "[^7]\\: x"
    assert notes.cell(inline_nodes(p("a|b", spans=[[3, 3, "note", "n"]]))) == "a\\|b[^7]"


def test_lines_and_starts() -> None:
    assert written("# a\nb\n- c", [4, 5, "em"], lines=True) == "\\# a\\\n*b*\\\n\\- c"
    assert written("1. a", [3, 4, "em"]) == "1\\. *a*"
    assert MarkdownText(NO_NOTES).block(p("a\nb", lines=True), bold=True) == "**a\\\nb**"


def test_code_in_a_link_that_would_define_it() -> None:
    assert written("]: a", [0, 4, "link", "u"], [0, 2, "code"]) == "`]:` a"


def test_many_spans_in_linear_time() -> None:
    text = "a.b" * 3000
    spans = [[at, at + 2, "em"] for at in range(0, len(text) - 3, 3)]
    assert written(text, *spans).replace("*", "") == text


def test_a_delimiter_that_would_end_emphasis_around_it_is_left_out() -> None:
    assert written("a:/b).(c.d", [2, 10, "strong"], [2, 4, "em"], [6, 8, "em"]) == "a:***/b*).(c.d**"


def test_code_on_both_sides_of_an_image_that_is_not_written_is_one() -> None:
    image = {"src": "mailto:a@b.c", "alt": "x"}
    assert written("rain", [0, 4, "code"], [2, 2, "image", image]) == "`rain`"


def test_a_formula_at_the_ends_of_the_text_does_not_touch_it() -> None:
    assert written("a b", [3, 3, "math", "x"]) == "a b $x$"
    assert written("a b", [0, 0, "math", "x"]) == "$x$ a b"
