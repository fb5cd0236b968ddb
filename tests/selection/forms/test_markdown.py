"""Markdown, exactly, and the markup of spans in it."""

from __future__ import annotations

from typing import Any

import pytest
from made_segments import SOME, Segment, code, h, item, p, row

from ncfilters.selection.forms.markdown import markdown
from ncfilters.selection.forms.markdown_text import Escapes, MarkdownText
from ncfilters.selection.forms.spans import inline_nodes


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


def test_headings_are_bold_or_link_elsewhere() -> None:
    assert text(h("Bold")) == "Bold"
    assert text({**h("Bold"), "bold": True}) == "**Bold**"
    assert text({**h("Bold"), "bold": True, "path": "body/div#h1.h2/p"}) == "**Bold**"
    assert text({**h("a Bold"), "bold": True, "spans": [[2, 6, "strong"]]}) == "a **Bold**"
    heading = {**h("The heap #", 2), "level": 2, "spans": [[0, 3, "em"], [9, 10, "link", "https://x/#heap"]]}
    assert text(heading) == "## *The* heap"
    assert text({**h("a b", 2), "spans": [[0, 3, "strong"]]}) == "## a b"
    assert text({**h("a b", 2), "spans": [[0, 1, "strong"]]}) == "## **a** b"


def test_lists_nest_and_go_on() -> None:
    assert text(p("Before"), item("one"), item("two"), p("After")) == "Before\n\n- one\n- two\n\nAfter"
    numbered = [item("one", 1, "1.", "ol"), item("two", 1, "2.", "ol"), item("ten", 1, "10.", "ol")]
    assert text(*numbered) == "1. one\n2. two\n10. ten"
    assert text({"text": "by its looks", "type": "l"}) == "- by its looks"

    def at(path: str, *numbers: int) -> list[Segment]:
        return [{"text": f"{number}. x", "type": "l", "path": path} for number in numbers]

    assert text(*at("body/p", 1, 2), *at("body/div/p", 3)) == "1. x\n2. x\n3. x"
    assert text(*at("body/p", 1, 2), *at("body/div/p", 1)) == "1. x\n2. x\n\n1) x"
    segments = [item("a"), item("b", 2), item("c", 3), item("d", 2, "1.", "ol"), item("e")]
    assert text(*segments) == "- a\n    - b\n        - c\n    1. d\n- e"
    segments = {**item("a"), "path": "body/div.ul-x/ul#ol.menu/li/ul-element"}
    assert text(segments) == "- a"
    assert text(p("Text"), item("a", 2), item("b", 2)) == "Text\n\n- a\n- b"
    assert text(item("a", 2), item("b"), item("c", 3), item("d", 2)) == "- a\n- b\n    - c\n    - d"
    assert text(item("a", 1, "100.", "ol"), item("b", 2)) == "100. a\n     - b"
    other = li("b", 2) | {"path": "body/ul.other/li"}
    assert text(li("a", 1), other) == "- a\n\n* b"
    assert text(li("a", 1, marker="1."), li("b", 2, marker="1.")) == "1. a\n\n1) b"


def test_tables_and_code() -> None:
    assert text(row("Name", "Age"), row("Ada", "36", "x"), row("Bob")) == (
        "| Name | Age |  |\n| --- | --- | --- |\n| Ada | 36 | x |\n| Bob |  |  |"
    )
    assert text(row("a|b", "c")) == "| a\\|b | c |\n| --- | --- |"
    source = "def f():\n    return '<b>'  # | *x*\n\n# end"
    assert text(code(source)) == f"```\n{source}\n```"
    assert text(code("a"), code("b")) == "```\na\n```\n\n```\nb\n```"
    assert text({**code("x"), "code_language": "c++"}) == "```c++\nx\n```"
    assert text({**code("x"), "code_language": "a`b c"}) == "```\nx\n```"
    image = {"src": "https://x/i|", "alt": "a|b"}
    cells = [cell("a", 0, 0), cell("b", 1, 2), cell("more", 1, 2), cell("x|y", 2, 1, spans=[[0, 3, "code"]])]
    assert text(*cells, cell("in", 2, 0, 2), cell("c", 3, 0, figure=[image])) == (
        "| a |  |  |\n| --- | --- | --- |\n|  |  | b more |\n|  | `x\\|y` in |  |\n| ![a\\|b](https://x/i%7C) c |  |  |"
    )
    assert text(cell("a", 0, 0), cell("b", 0, 0, 2), p("x")) == "| a |\n| --- |\n\n| b |\n| --- |\n\nx"
    caption = {**p("Names"), "table": 1, "tag": "caption"}
    assert text(caption, cell("a", 0, 0)) == "Names\n\n| a |\n| --- |"
    short, long = ({**code(text), **cell(text, 1, 0)} for text in ("a\n  b", "a\nb\nc\nd"))
    assert text(cell("x", 0, 0), short) == "| x |\n| --- |\n| `a b` |"
    assert text(cell("x", 0, 0), long) == "| x |\n| --- |\n\n```\na\nb\nc\nd\n```"
    posts = [cell(text, row, 0) for row in (0, 1) for text in ("Ann", "Monday", f"Post {row}.")]
    assert markdown(posts, {}) == "Ann\n\nMonday\n\nPost 0.\n\nAnn\n\nMonday\n\nPost 1."
    assert markdown([cell("Ann", 0, 0), cell("Bob", 1, 0)], {}) == "| Ann |\n| --- |\n| Bob |"


@pytest.mark.parametrize(
    ("inside", "fence"), [("`x`", "```"), ("``` a", "````"), ("a ```` b ``` c", "`````"), ("~~~", "```")]
)
def test_fences_are_longer_than_what_they_hold(inside: str, fence: str) -> None:
    assert text(code(inside)) == f"{fence}\n{inside}\n{fence}"


@pytest.mark.parametrize("plain", [
    "-5 degrees", "#hash", "5*", "a ~ b", "x_", "[edit]", "C:\\a", "[a] (b)", "+1 for that", "10.5 miles", "no # here",
    "a - b", "– dash", "[edit] and [1] (x) a] b", "5* and 3_4_5", "a * b * c", "~5 and ~6", "$5", "`a",
])  # fmt: skip
def test_what_is_no_markup_is_left_alone(plain: str) -> None:
    assert text(p(plain)) == plain


@pytest.mark.parametrize(
    ("plain", "escaped"), [("1. Then", "1\\. Then"), ("2026. Year", "2026\\. Year"), ("3) x", "3\\) x")]
)
def test_a_number_is_escaped_behind_it(plain: str, escaped: str) -> None:
    assert text(p(plain)) == escaped


@pytest.mark.parametrize("plain", [
    "# no heading", "> no quotation", "- no item", "+ no item", "* no item", "-", "| --- |", "[ ] x", "[a]: /b",
    "---", "- -", "===", "| - |", ":--",
])  # fmt: skip
def test_markup_of_lines_is_escaped(plain: str) -> None:
    assert text(p("before"), p(plain)) == f"before\n\n\\{plain}"
    assert text(p(plain)) == f"\\{plain}"


@pytest.mark.parametrize("plain", ["*", "```", "~~~", "***", "* * *", "___", "_ _ _"])
def test_lines_of_signs_only_are_escaped(plain: str) -> None:
    assert text(p("before"), p(plain)).removeprefix("before\n\n").startswith("\\")


@pytest.mark.parametrize("plain", ["<div> is <a> tag", "see [a](b)", "2*3*4 and a*b*c", "`code`", "a &lt; b"])
def test_markup_within_a_line_is_escaped(plain: str) -> None:
    assert plain not in text(p(plain))


@pytest.mark.parametrize(
    ("plain", "escaped"),
    [
        ("a * b_c _d_ __e__", "a * b_c \\_d\\_ \\_\\_e\\_\\_"),
        ("*a* 2*3 ~a~", "\\*a\\* 2\\*3 ~a\\~"),
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


def test_blocks_in_items_and_quotes() -> None:
    assert text(item("# a"), item("1. b"), item("- c")) == "- \\# a\n\n1. b\n\n- \\- c"
    assert text(h("C #", 1), h("F#", 1), h("##", 1)) == "# C \\#\n\n# F#\n\n# \\##"
    page = [li("a", 1), li("more", 1), {**code("x\n  y"), **li("x\n  y", 1)}, li("b", 2, 2, marker="3."), li("c", 3)]
    assert text(*page) == "- a\n\n  more\n\n  ```\n  x\n    y\n  ```\n\n    3. b\n\n- c"
    assert text(li("a", 1), li("b", 2, 2), li("c", 3)) == "- a\n    - b\n- c"
    assert text({**h("H"), **li("H", 1), "type": "h", "level": 3}, li("a", 1)) == "- ### H\n\n  a"
    page = [p("a", quote=1), {**code("x\n\ny"), "quote": 1}, p("b", quote=2), p("c")]
    assert text(*page) == "> a\n>\n> ```\n> x\n>\n> y\n> ```\n>\n> > b\n\nc"
    lines = {"lines": True}
    segments = [p("a\n- b", **lines), h("c\nd", 2, **lines), {**item("e\nf"), **lines}, p("g\nh")]
    assert text(*segments) == "a\\\n\\- b\n\n## c d\n\n- e\\\n  f\n\ng h"


# ---- with the markup of the page --------------------------------------------------------------------------------
def cell(text: str, row: int, column: int, table: int = 1, **more: Any) -> Segment:
    place = {"start": 0, "end": len(text), "row": row, "column": column}
    return p(text, table=table, cells=[place], path="body/table/tr/td", **more)


def li(text: str, number: int, depth: int = 1, **more: Any) -> Segment:
    return p(text, item=number, depth=depth, path="body" + "/ul/li" * depth, **more)


def test_footnotes_figures_and_references() -> None:
    page = [p("a1 b", spans=[[1, 2, "note", "n"]]), li("^ x", 1, note={"id": "n"}, spans=[[0, 1, "link", "#n"]])]
    assert text(*page, p("y", note={"id": "n"})) == "a[^1] b\n\n[^1]: x\n\n    y"
    assert text(page[1]) == "- [^](#n) x"
    figure = p("The mill", tag="figcaption", figure=[{"src": "https://x/i", "alt": "Mill", "caption": "The mill"}])
    assert text(figure) == "![Mill](https://x/i)\n\nThe mill"
    assert text(p("E", spans=[[0, 1, "math", "E=m"]])) == "$$E=m$$"
    copy = [[1, 2, "math", "E"], [2, 2, "image", {"src": "https://x/i", "alt": "E"}]]
    assert text(p("aE", spans=copy)) == "a$E$"
    spans = [[0, 1, "reference", "https://x/"], [2, 3, "reference", "https://y/"], [4, 5, "reference", "https://x/"]]
    assert text(p("a b c", spans=spans)) == "[a][1] [b][2] [c][1]\n\n[1]: https://x/\n[2]: https://y/"


def test_images_that_are_buttons() -> None:
    page = "https://x/a"
    images = [
        {"src": "https://x/print.gif", "alt": "Print", "link": f"{page}#"},
        {"src": "https://x/tide.gif", "alt": "Tide", "link": f"{page}#tide"},
        {"src": "https://x/pier.jpg", "alt": "Pier", "link": f"{page}#"},
        {"src": "https://x/boat.jpg", "alt": "Boat", "link": f"{page}#boat"},
        {"src": "https://x/map.gif", "alt": "Map", "link": f"{page}/map"},
    ]
    shown = (
        "[![Tide](https://x/tide.gif)](https://x/a#tide)\n"
        "![Pier](https://x/pier.jpg)\n[![Boat](https://x/boat.jpg)](https://x/a#boat)\n"
        "[![Map](https://x/map.gif)](https://x/a/map)"
    )
    assert text(p("x", figure=images)) == f"{shown}\n\nx"
    note = p("n", note={"id": "n"}, figure=images)
    assert text(p("a1", spans=[[1, 2, "note", "n"]]), note) == f"a[^1]\n\n{shown}\n\n[^1]: n"


def test_images_of_one_address_are_one() -> None:
    one, other = {"src": "https://x/1", "alt": "A"}, {"src": "https://x/2", "alt": "B"}
    after = {**one, "after": True}
    assert text(p("x", figure=[one, other, one])) == "![A](https://x/1)\n![B](https://x/2)\n\nx"
    assert text(p("x", figure=[after]), p("y", figure=[one, other])) == (
        "x\n\n![A](https://x/1)\n\n![B](https://x/2)\n\ny"
    )
    caption = p("The mill", tag="figcaption", figure=[{**one, "caption": "The mill"}])
    assert text(p("x", figure=[after]), caption) == "x\n\n![A](https://x/1)\n\nThe mill"
    assert text(p("x", figure=[one]), p("y", figure=[one])) == "![A](https://x/1)\n\nx\n\n![A](https://x/1)\n\ny"


def written(text: str, *spans: list[Any], **more: Any) -> str:
    return MarkdownText({}).paragraph(inline_nodes(p(text, spans=list(spans), **more)))


def test_kinds_of_spans_and_emphasis() -> None:
    kinds = {"em": "*b*", "strong": "**b**", "code": "`b`", "del": "~~b~~", "mark": "b", "other": "b"}
    assert {kind: written("a b c", [2, 3, kind]) for kind in kinds} == {kind: f"a {b} c" for kind, b in kinds.items()}
    assert written("ab", [0, 2, "strong"], [0, 1, "em"]) == "***a*b**"
    assert written("ab", [0, 1, "em"], [1, 2, "strong"]) == "*a***b**"
    assert written("abc", [0, 2, "em"], [0, 2, "strong"], [2, 3, "strong"]) == "***ab***c"
    spans = [[0, 4, "strong"], [0, 1, "em"], [1, 2, "em"], [3, 4, "em"]]
    assert written("a, b", [1, 2, "em"]) == "a, b"
    assert written("a, b", [0, 1, "link", "https://x/"], *spans) == "**[*a*](https://x/), *b***"
    assert written("10-3 m2 [1]", [3, 4, "sup"], [6, 7, "sup"], [8, 11, "sup"]) == "10-3 m<sup>2</sup> [1]"
    assert written("x²", [1, 2, "sup", "2"]) == "x²"
    assert written("a:/b).(c.d", [2, 10, "strong"], [2, 4, "em"], [6, 8, "em"]) == "a:***/b*).(c.d**"
    text = "a.b" * 3000
    spans = [[at, at + 2, "em"] for at in range(0, len(text) - 3, 3)]
    assert written(text, *spans).replace("*", "") == text


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


def test_code_and_links() -> None:
    assert written("use open() or", [4, 10, "code"], [4, 10, "link", "u"]) == "use [`open()`](u) or"
    assert written("use open() or", [0, 10, "code"], [4, 8, "link", "u"]) == "`use` [`open`](u)`()` or"
    assert written("]: a", [0, 4, "link", "u"], [0, 2, "code"]) == "`]:` a"
    image = {"src": "mailto:a@b.c", "alt": "x"}
    assert written("rain", [0, 4, "code"], [2, 2, "image", image]) == "`rain`"


@pytest.mark.parametrize(("text", "start", "end", "expected"), [
    ("intraword", 2, 5, "in**tra**word"), ("a(b)c", 1, 4, "a(**b**)c"), ("中文。中文", 0, 3, "**中文**。中文"),
    ("（中）文", 0, 3, "**（中**）文"), ("a “b” c", 2, 5, "a **“b”** c"), ("a.b", 1, 2, "a.b"), ("5€x", 1, 2, "5€x"),
])  # fmt: skip
def test_emphasis_where_parsers_see_it(text: str, start: int, end: int, expected: str) -> None:
    assert written(text, [start, end, "strong"]) == expected


def test_formulas_stand_apart() -> None:
    tex = MarkdownText({}, Escapes(has_math=True))
    formula = p("So E=mc2 costs $5", spans=[[3, 8, "math", "E=mc^2"]])
    assert tex.paragraph(inline_nodes(formula)) == "So $E=mc^2$ costs \\$5"
    shown = p("So: E.", spans=[[4, 5, "math", "E\n= m", "display"]])
    assert tex.paragraph(inline_nodes(shown)) == "So:\n\n$$E = m$$\n\n."
    assert tex.line(inline_nodes(shown)) == "So: $E = m$."
    assert written("ab", [1, 1, "math", "x"], [1, 1, "math", "y"]) == "a$x$ $y$b"
    assert written("ab", [0, 1, "math", "x$"], [1, 2, "math", ""]) == "ab"
    assert written("of length at", [10, 10, "math", "1"]) == "of length $1$ at"
    assert written("of length, at", [9, 9, "math", "1"]) == "of length$1$, at"
    assert written("a b", [2, 2, "image", {"src": "https://x/"}]) == "a ![](https://x/) b"
    assert written("a b", [3, 3, "math", "x"]) == "a b $x$"
    assert written("a b", [0, 0, "math", "x"]) == "$x$ a b"
    assert written("a E b", [0, 5, "em"], [2, 3, "math", "E", "display"]) == "*a $E$ b*"


def test_images_have_links_and_do_not_touch_text() -> None:
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
    image = [0, 0, "image", {"src": "https://x/"}]
    assert written("Flag", [0, 4, "link", "https://y/"], image) == "[![](https://x/) Flag](https://y/)"
    assert written("Flag", image) == "![](https://x/) Flag"
    assert written("Flag", [0, 4, "em"], image) == "*![](https://x/) Flag*"
    assert written("a Flag", [2, 2, "image", {"src": "https://x/"}]) == "a ![](https://x/) Flag"
    in_link = [2, 6, "link", "https://y/"], [2, 2, "image", {"src": "https://x/"}]
    assert written("a Flag", *in_link) == "a [![](https://x/) Flag](https://y/)"
    assert written("a.Flag", *in_link) == "a.[![](https://x/)Flag](https://y/)"


def test_references_and_starts_of_lines() -> None:
    references = MarkdownText({}, Escapes(has_references=True))
    page = p("a b [1]", spans=[[0, 1, "reference", "u"], [2, 3, "reference", "v"]])
    assert references.paragraph(inline_nodes(page)) == "[a][1] [b][2] \\[1]"
    assert references.references == {"u": 1, "v": 2}
    notes = MarkdownText({"n": "7"})
    assert notes.paragraph(inline_nodes(p("so: x", spans=[[0, 2, "note", "n"]]))) == "[^7]\\: x"
    assert written("# a\nb\n- c", [4, 5, "em"], lines=True) == "\\# a\\\n*b*\\\n\\- c"
    assert written("1. a", [3, 4, "em"]) == "1\\. *a*"
    assert text(p("a\nb", lines=True, type="h", bold=True)) == "**a\\\nb**"
