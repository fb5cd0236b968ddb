"""Output forms of selected text, exactly."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest

from ncfilters.selection.formats import OUTPUT_FORMS, plain_with_bullets

Segment = dict[str, Any]

DOCUMENT = {"id": 'a"b', "url": "http://example.org/?a&b=<c>"}


def p(text: str, **more: Any) -> Segment:
    return {"text": text, "type": "p", **more}


def h(text: str, level: int | None = None, **more: Any) -> Segment:
    return {"text": text, "type": "h", **({"path": f"body/main/h{level}"} if level else {}), **more}


def item(text: str, depth: int = 1, marker: str = "*", kind: str = "ul") -> Segment:
    return {"text": text, "type": "l", "path": "body" + f"/{kind}/li" * depth, "marker": marker, "tag": "li"}


def row(*cells: str) -> Segment:
    return {"text": "\t".join(cells), "type": "l", "tag": "tr", "path": "body/table/tbody/tr"}


def code(text: str) -> Segment:
    return {"text": text, "type": "p", "tag": "pre", "path": "body/pre", "pre": True}


def text(form: str, *segments: Segment, **document: Any) -> str:
    return OUTPUT_FORMS[form].text(list(segments), document)


SOME = [h("A title", 1), p("First & <last>."), item("one"), item("two"), row("a", "b"), code("x = 1\n  y")]


# ---- plain and CleanEval --------------------------------------------------------------------------------------


def test_plain_is_a_paragraph_a_line() -> None:
    assert text("plain", *SOME) == "A title\nFirst & <last>.\none\ntwo\na\tb\nx = 1\n  y"


def test_plain_keeps_lines() -> None:
    assert (
        text("plain", p("Roses are red,\nViolets are blue.", lines=True), p("Next"))
        == "Roses are red,\nViolets are blue.\nNext"
    )
    assert text("plain", p("no lines of\r\n\nthe page")) == "no lines of the page"
    assert text("plain", code("if x:\n\n\ty")) == "if x:\n\n\ty"


def bulleted(*segments: dict[str, Any]) -> str:
    return plain_with_bullets(list(segments), {})


def test_plain_with_bullets() -> None:
    assert bulleted(p("Before"), item("one"), item("two", 1, "3.", "ol"), p("x")) == "Before\n- one\n3. two\nx"
    assert bulleted(item("a"), item("b", 2), item("c", 2, "10.", "ol"), item("d")) == "- a\n  - b\n  10. c\n- d"


def test_plain_bullets_are_not_doubled() -> None:
    assert bulleted(item("• one"), item("1) two"), row("a", "b"), {"text": "x", "type": "l"}) == (
        "• one\n1) two\na\tb\nx"
    )
    assert bulleted({**item("A heading"), "type": "h"}) == "A heading"
    assert bulleted({"text": "plain text", "type": "l", "marker": "*"}, p("x")) == "- plain text\nx"


def test_plain_further_lines_of_an_item_are_indented() -> None:
    inner = {**p("more"), "path": item("a")["path"] + "/p"}
    assert bulleted({**item("a\nb"), "lines": True}, inner, p("x"), inner) == "- a\n  b\n  more\nx\nmore"
    assert bulleted(item("a"), item("b", 2), inner) == "- a\n  - b\n  more"
    assert bulleted(item("a", 1, "10.", "ol"), {**code("if x:\n    y"), "path": "body/ol/li/pre"}) == (
        "10. a\n    if x:\n        y"
    )


def test_cleaneval_has_a_marker_before_each_segment() -> None:
    assert text("cleaneval", *SOME) == ("<h>A title\n<p>First & <last>.\n<l>one\n<l>two\n<l>a\tb\n<p>x = 1 y")


@pytest.mark.parametrize("form", ["plain", "cleaneval", "markdown"])
def test_nothing_is_empty(form: str) -> None:
    assert text(form) == ""


# ---- Markdown -------------------------------------------------------------------------------------------------


def test_markdown_whole() -> None:
    assert text("markdown", *SOME) == (
        "# A title\n\nFirst & \\<last>.\n\n- one\n- two\n\n| a | b |\n| --- | --- |\n\n```\nx = 1\n  y\n```"
    )


@pytest.mark.parametrize("level", range(1, 7))
def test_markdown_headings_have_their_level(level: int) -> None:
    assert text("markdown", h("Title", level)) == "#" * level + " Title"
    named = {**h("Title"), "path": f"body/div#h9.h1-like/h{level}#h8.big/span"}
    assert text("markdown", named) == "#" * level + " Title"


def test_markdown_headings_without_an_element_are_bold() -> None:
    assert text("markdown", h("Bold")) == "**Bold**"
    assert text("markdown", {**h("Bold"), "path": "body/div#h1.h2/p"}) == "**Bold**"
    assert text("markdown", h("**Bold**")) == "**Bold**"


def test_markdown_lists() -> None:
    assert text("markdown", p("Before"), item("one"), item("two"), p("After")) == "Before\n\n- one\n- two\n\nAfter"
    numbered = [item("one", 1, "1.", "ol"), item("two", 1, "2.", "ol"), item("ten", 1, "10.", "ol")]
    assert text("markdown", *numbered) == "1. one\n2. two\n10. ten"
    assert text("markdown", {"text": "by its looks", "type": "l"}) == "- by its looks"


def test_markdown_lists_nest() -> None:
    segments = [item("a"), item("b", 2), item("c", 3), item("d", 2, "1.", "ol"), item("e")]
    assert text("markdown", *segments) == "- a\n    - b\n        - c\n    1. d\n- e"


def test_markdown_class_names_do_not_nest_lists() -> None:
    segments = {**item("a"), "path": "body/div.ul-x/ul#ol.menu/li/ul-element"}
    assert text("markdown", segments) == "- a"


def test_markdown_an_inner_list_whose_outer_one_is_not_selected() -> None:
    assert text("markdown", p("Text"), item("a", 2), item("b", 2)) == "Text\n\n- a\n- b"
    assert text("markdown", item("a", 2), item("b"), item("c", 3), item("d", 2)) == "- a\n- b\n    - c\n    - d"
    assert text("markdown", item("a", 1, "100.", "ol"), item("b", 2)) == "100. a\n     - b"


def test_markdown_tables() -> None:
    assert text("markdown", row("Name", "Age"), row("Ada", "36", "x"), row("Bob")) == (
        "| Name | Age |  |\n| --- | --- | --- |\n| Ada | 36 | x |\n| Bob |"
    )
    assert text("markdown", row("a|b", "c")) == "| a\\|b | c |\n| --- | --- |"


def test_markdown_code_keeps_its_lines() -> None:
    source = "def f():\n    return '<b>'  # | *x*\n\n# end"
    assert text("markdown", code(source)) == f"```\n{source}\n```"
    assert text("markdown", code("a"), code("b")) == "```\na\n```\n\n```\nb\n```"


@pytest.mark.parametrize(
    ("inside", "fence"), [("`x`", "```"), ("``` a", "````"), ("a ```` b ``` c", "`````"), ("~~~", "```")]
)
def test_markdown_fences_are_longer_than_what_they_hold(inside: str, fence: str) -> None:
    assert text("markdown", code(inside)) == f"{fence}\n{inside}\n{fence}"


@pytest.mark.parametrize("start", ["# no heading", "#hash", "> no quotation", "- no item", "+ no item", "-", "~~~x"])
def test_markdown_a_paragraph_stays_one(start: str) -> None:
    assert text("markdown", p(start)) == "\\" + start


@pytest.mark.parametrize("plain", ["-5 degrees", "+1 for that", "10.5 miles", "no # here", "a - b", "– dash"])
def test_markdown_what_is_no_markup_is_left_alone(plain: str) -> None:
    assert text("markdown", p(plain)) == plain


@pytest.mark.parametrize(
    ("plain", "escaped"), [("1. Then", "1\\. Then"), ("2026. Year", "2026\\. Year"), ("3) x", "3\\) x")]
)
def test_markdown_a_number_is_escaped_behind_it(plain: str, escaped: str) -> None:
    assert text("markdown", p(plain)) == escaped


@pytest.mark.parametrize("plain", ["* no item", "*", "```", "---", "***", "* * *", "___", "==="])
def test_markdown_other_markup_of_lines_is_escaped(plain: str) -> None:
    assert text("markdown", p("before"), p(plain)).removeprefix("before\n\n").startswith("\\")


@pytest.mark.parametrize("plain", ["<div> is <a> tag", "see [a](b)", "2*3*4 and a*b*c", "`code`", "a &lt; b"])
def test_markdown_markup_within_a_line_is_escaped(plain: str) -> None:
    assert plain not in text("markdown", p(plain))


@pytest.mark.parametrize(
    ("plain", "escaped"),
    [
        ("a * b_c _d_ __e__", "a \\* b_c \\_d\\_ \\_\\_e\\_\\_"),
        ("C:\\a [1] `x`", "C:\\\\a \\[1\\] \\`x\\`"),
        ("1 < 2 <3 <b </b <!x <?x", "1 < 2 <3 \\<b \\</b \\<!x \\<?x"),
        ("AT&T & co; &amp; &#38; &#x26; &;", "AT&T & co; \\&amp; \\&#38; \\&#x26; &;"),
    ],
)
def test_markdown_escapes_what_would_change_and_no_more(plain: str, escaped: str) -> None:
    assert text("markdown", p(plain)) == escaped
    assert text("markdown", h(plain, 2)) == f"## {escaped}"
    assert text("markdown", h(plain)) == f"**{escaped}**"
    assert text("markdown", item(plain)) == f"- {escaped}"
    assert text("markdown", row(plain)).startswith(f"| {escaped} |\n")


def test_markdown_items_and_headings_hold_no_other_block() -> None:
    assert text("markdown", item("# a"), item("1. b"), item("- c")) == "- \\# a\n- 1\\. b\n- \\- c"
    assert text("markdown", h("C #", 1), h("F#", 1), h("##", 1)) == "# C \\#\n\n# F#\n\n# \\##"


def test_markdown_lines_within_a_segment_are_hard_breaks() -> None:
    lines = {"lines": True}
    segments = [p("a\n- b", **lines), h("c\nd", 2, **lines), {**item("e\nf"), **lines}, p("g\nh")]
    assert text("markdown", *segments) == "a\\\n\\- b\n\n## c d\n\n- e\\\n  f\n\ng h"


# ---- vertical -------------------------------------------------------------------------------------------------


def test_vertical_is_a_token_a_line() -> None:
    assert text("vertical", h("A title"), p("It's 3.5 % of <x>, isn't it?"), **DOCUMENT) == "\n".join(
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
    assert text("vertical", p(plain)).split("\n") == ["<doc>", '<p type="p">', *tokens, "</p>", "</doc>"]


@pytest.mark.parametrize("plain", ["1st", "3rd", "90s", "4G", "2nd-hand", "1,000.50", "1,000.50kg"])
def test_vertical_a_word_may_begin_with_a_digit(plain: str) -> None:
    assert text("vertical", p(plain)).split("\n")[2:-2] == [plain]


@pytest.mark.parametrize("plain", ["हिन्दी", "தமிழ்", "e\u0301te\u0301", "עִבְרִית"])
def test_vertical_marks_stay_with_their_letters(plain: str) -> None:
    assert text("vertical", p(plain)).split("\n")[2:-2] == [plain]


def test_vertical_an_empty_document() -> None:
    assert text("vertical", id=0) == '<doc id="0">\n</doc>'
    assert text("vertical", id=None, url=None) == "<doc>\n</doc>"


def test_vertical_a_tag_is_a_line() -> None:
    assert len(text("vertical", id="a\nb", url="http://x/\ty\r").splitlines()) == 2


# ---- XML ------------------------------------------------------------------------------------------------------


def test_xml_exactly() -> None:
    assert text("xml", h("A title", 1), p("First & <last>."), item("one"), **DOCUMENT) == (
        '<doc id="a&quot;b" url="http://example.org/?a&amp;b=&lt;c&gt;">\n'
        "<h>A title</h>\n<p>First &amp; &lt;last&gt;.</p>\n<l>one</l>\n</doc>"
    )


def corpus(*documents: tuple[dict[str, Any], list[Segment]]) -> ET.Element:
    form = OUTPUT_FORMS["xml"]
    whole = form.head + form.between.join(form.text(s, d) + "\n" for d, s in documents) + form.tail
    return ET.fromstring(whole.encode())


def test_xml_parses_and_says_what_it_was_given() -> None:
    odd = ["a & b < c > d", "]]>", "<!-- x -->", "\"'", "é 中 😀", "a\tb\nc", "&amp;", "<?x?>"]
    root = corpus((DOCUMENT, [p(segments) for segments in odd]), ({"id": 7}, []), ({"id": None}, [h("x")]))
    assert root.tag == "corpus"
    assert [doc.attrib for doc in root] == [DOCUMENT, {"id": "7"}, {}]
    assert [child.text for child in root[0]] == odd
    assert [child.tag for child in root[2]] == ["h"]


def test_xml_attributes_have_no_characters_that_xml_has_not() -> None:
    assert corpus(({"id": "a\0b\x1f\ufffe", "url": "x\ud800"}, []))[0].attrib == {"id": "ab", "url": "x"}


@pytest.mark.parametrize("bad", ["a\x01b", "a\0b", "\x1b[0m", "\ufffe", "\x0c"])
def test_xml_text_has_no_characters_that_xml_has_not(bad: str) -> None:
    assert corpus((DOCUMENT, [p(bad), p("after")]))[0][1].text == "after"
    assert not set(corpus((DOCUMENT, [p(bad)]))[0][0].text or "") & set("\x01\0\x1b\ufffe\x0c")


def test_every_form_has_a_suffix_of_its_kind() -> None:
    assert {name: form.suffix for name, form in OUTPUT_FORMS.items()} == {
        "plain": ".txt",
        "cleaneval": ".txt",
        "markdown": ".md",
        "vertical": ".vert",
        "xml": ".xml",
    }
