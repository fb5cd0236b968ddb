"""Markdown, exactly."""

from __future__ import annotations

from typing import Any

import pytest
from made_segments import SOME, Segment, code, h, item, p, row

from ncfilters.selection.forms.markdown import markdown


def text(*segments: Segment, **document: Any) -> str:
    return markdown(list(segments), document)


def test_whole() -> None:
    assert text(*SOME) == (
        "# A title\n\nFirst & \\<last>.\n\n- one\n- two\n\n| a | b |\n| --- | --- |\n\n```\nx = 1\n  y\n```"
    )


@pytest.mark.parametrize("level", range(1, 7))
def test_headings_have_their_level(level: int) -> None:
    assert text(h("Title", level)) == "#" * level + " Title"
    named = {**h("Title"), "path": f"body/div#h9.h1-like/h{level}#h8.big/span"}
    assert text(named) == "#" * level + " Title"


def test_headings_without_an_element_are_bold_where_the_page_is() -> None:
    assert text(h("Bold")) == "Bold"
    assert text({**h("Bold"), "bold": True}) == "**Bold**"
    assert text({**h("Bold"), "bold": True, "path": "body/div#h1.h2/p"}) == "**Bold**"
    assert text({**h("a Bold"), "bold": True, "spans": [[2, 6, "strong"]]}) == "a **Bold**"


def test_lists() -> None:
    assert text(p("Before"), item("one"), item("two"), p("After")) == "Before\n\n- one\n- two\n\nAfter"
    numbered = [item("one", 1, "1.", "ol"), item("two", 1, "2.", "ol"), item("ten", 1, "10.", "ol")]
    assert text(*numbered) == "1. one\n2. two\n10. ten"
    assert text({"text": "by its looks", "type": "l"}) == "- by its looks"


def test_lists_nest() -> None:
    segments = [item("a"), item("b", 2), item("c", 3), item("d", 2, "1.", "ol"), item("e")]
    assert text(*segments) == "- a\n    - b\n        - c\n    1. d\n- e"


def test_class_names_do_not_nest_lists() -> None:
    segments = {**item("a"), "path": "body/div.ul-x/ul#ol.menu/li/ul-element"}
    assert text(segments) == "- a"


def test_an_inner_list_whose_outer_one_is_not_selected() -> None:
    assert text(p("Text"), item("a", 2), item("b", 2)) == "Text\n\n- a\n- b"
    assert text(item("a", 2), item("b"), item("c", 3), item("d", 2)) == "- a\n- b\n    - c\n    - d"
    assert text(item("a", 1, "100.", "ol"), item("b", 2)) == "100. a\n     - b"


def test_tables() -> None:
    assert text(row("Name", "Age"), row("Ada", "36", "x"), row("Bob")) == (
        "| Name | Age |  |\n| --- | --- | --- |\n| Ada | 36 | x |\n| Bob |  |  |"
    )
    assert text(row("a|b", "c")) == "| a\\|b | c |\n| --- | --- |"


def test_code_keeps_its_lines() -> None:
    source = "def f():\n    return '<b>'  # | *x*\n\n# end"
    assert text(code(source)) == f"```\n{source}\n```"
    assert text(code("a"), code("b")) == "```\na\n```\n\n```\nb\n```"


@pytest.mark.parametrize(
    ("inside", "fence"), [("`x`", "```"), ("``` a", "````"), ("a ```` b ``` c", "`````"), ("~~~", "```")]
)
def test_fences_are_longer_than_what_they_hold(inside: str, fence: str) -> None:
    assert text(code(inside)) == f"{fence}\n{inside}\n{fence}"


@pytest.mark.parametrize(
    "start", ["# no heading", "> no quotation", "- no item", "+ no item", "-", "* no item", "| --- |", "[ ] x"]
)
def test_a_paragraph_stays_one(start: str) -> None:
    assert text(p(start)) == "\\" + start


@pytest.mark.parametrize(
    "plain",
    [
        "-5 degrees",
        "#hash",
        "5*",
        "a ~ b",
        "x_",
        "[edit]",
        "C:\\a",
        "[a] (b)",
        "+1 for that",
        "10.5 miles",
        "no # here",
        "a - b",
        "– dash",
    ],
)
def test_what_is_no_markup_is_left_alone(plain: str) -> None:
    assert text(p(plain)) == plain


@pytest.mark.parametrize(
    ("plain", "escaped"), [("1. Then", "1\\. Then"), ("2026. Year", "2026\\. Year"), ("3) x", "3\\) x")]
)
def test_a_number_is_escaped_behind_it(plain: str, escaped: str) -> None:
    assert text(p(plain)) == escaped


@pytest.mark.parametrize("plain", ["* no item", "*", "```", "---", "***", "* * *", "___", "==="])
def test_other_markup_of_lines_is_escaped(plain: str) -> None:
    assert text(p("before"), p(plain)).removeprefix("before\n\n").startswith("\\")


@pytest.mark.parametrize("plain", ["<div> is <a> tag", "see [a](b)", "2*3*4 and a*b*c", "`code`", "a &lt; b"])
def test_markup_within_a_line_is_escaped(plain: str) -> None:
    assert plain not in text(p(plain))


@pytest.mark.parametrize(
    ("plain", "escaped"),
    [
        ("a * b_c _d_ __e__", "a * b_c \\_d\\_ \\_\\_e\\_\\_"),
        ("C:\\a \\. [1] `x`", "C:\\a \\\\. [1] \\`x\\`"),
        ("[a](b) [^c] ^[d] ~~e~~", "[a\\](b) \\[^c] \\^[d] \\~\\~e\\~\\~"),
        ("1 < 2 <3 <b </b <!x <?x", "1 < 2 <3 \\<b \\</b \\<!x \\<?x"),
        ("AT&T & co; &amp; &#38; &#x26; &;", "AT&T & co; \\&amp; \\&#38; \\&#x26; &;"),
    ],
)
def test_escapes_what_would_change_and_no_more(plain: str, escaped: str) -> None:
    assert text(p(plain)) == escaped
    assert text(h(plain, 2)) == f"## {escaped}"
    assert text(h(plain)) == escaped
    assert text(item(plain)) == f"- {escaped}"
    assert text(row(plain)).startswith(f"| {escaped} |\n")


def test_items_and_headings_hold_no_other_block() -> None:
    assert text(item("# a"), item("1. b"), item("- c")) == "- \\# a\n\n1. b\n\n- \\- c"
    assert text(h("C #", 1), h("F#", 1), h("##", 1)) == "# C \\#\n\n# F#\n\n# \\##"


def test_lines_within_a_segment_are_hard_breaks() -> None:
    lines = {"lines": True}
    segments = [p("a\n- b", **lines), h("c\nd", 2, **lines), {**item("e\nf"), **lines}, p("g\nh")]
    assert text(*segments) == "a\\\n\\- b\n\n## c d\n\n- e\\\n  f\n\ng h"
