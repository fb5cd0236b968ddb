"""Parts of forms: fields, TeX, tables, what is read back."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from made_segments import code, p, row
from markdown_it import MarkdownIt
from markdown_it.token import Token as Token_of_token
from markup_segments import documents
from mdit_py_plugins.dollarmath import dollarmath_plugin
from read_back import differences, html_words, markdown_words, segment_words, xml_words

from ncfilters.page.profiles import PageOptions
from ncfilters.segmentation.segmenter import segment_record
from ncfilters.selection.formats import DEFAULTS, MarkupOptions, with_options
from ncfilters.selection.forms import tables
from ncfilters.selection.forms.delimiters import Token, flanked
from ncfilters.selection.forms.elements import html, tei
from ncfilters.selection.forms.markdown import markdown
from ncfilters.selection.forms.notes import note_id, note_labels
from ncfilters.selection.forms.plain import (
    MAX_TEX_CHARS,
    has_lines,
    in_xml,
    inline_tex,
    line,
    lines,
    plain_tex,
    without_controls,
    xml_attribute,
    xml_text,
)
from ncfilters.selection.forms.spans import Node, inline_nodes, spans_of, text_of
from ncfilters.selection.forms.tables import is_frame, table_block, table_of, table_runs
from ncfilters.selection.forms.vertical import document_attributes, sentence_tokens


# ---- lines ----
def test_lines_and_characters_of_texts() -> None:
    poem = p("Roses \nare red", lines=True)
    assert (line(poem), lines(poem), has_lines(poem)) == ("Roses are red", "Roses\nare red", True)
    assert lines(code("\n  a\r\n\tb \n")) == "  a\n\tb"
    assert lines(p("a\n b")) == "a b"
    assert not has_lines(p("a\n b"))
    assert in_xml("a\0b\ufffe\ud800c\x0c") == "abc"
    assert xml_text("<a & \x01b>") == "&lt;a &amp; b&gt;"
    assert xml_attribute('"a\nb\u2028c"') == "&quot;a b c&quot;"
    assert without_controls("a\0b\tc\nd\x7f") == "a b\tc\nd "


# ---- document_attributes ----
HEAD = {"title": "Rain", "author": ["Ann Lee", "Bob"], "date": "2024-05-06", "language": "en-GB", "site": "News"}


def test_all_attributes_in_their_order() -> None:
    found = document_attributes({"lang": "en", "head": HEAD, "url": "https://www.a.example/b", "id": 7})
    assert list(found) == "id url site title author date lang".split()
    assert list(found.values()) == [
        *("7", "https://www.a.example/b", "a.example", "Rain", "Ann Lee; Bob", "2024-05-06", "en")
    ]


@pytest.mark.parametrize(
    ("document", "attributes"),
    [
        ({}, {}),
        ({"id": None, "url": None, "head": None, "lang": None}, {}),
        ({"id": 0, "url": "javascript:x"}, {"id": "0"}),
        ({"head": {"title": 7, "author": [1, "B"], "date": ["x"]}}, {"title": "7", "author": "B"}),
        ({"head": {"author": "Ann"}, "url": 7}, {"author": "Ann"}),
        ({"head": {"language": "de", "author": []}}, {"lang": "de"}),
    ],
)
def test_what_is_missing_or_of_another_type_is_left_out(document: dict[str, Any], attributes: dict[str, str]) -> None:
    assert document_attributes(document) == attributes


# ---- sentence_tokens ----
@pytest.mark.parametrize(("text", "kind", "sentences"), [
    ("It rained. It stopped!", "p", ["It_ rained . _", "It_ stopped !_"]),
    ("It rained. It stopped!", "h", ["It_ rained . _ It_ stopped !_"]),
    ("今天下雨。明天晴。", "p", ["今 天 下 雨 。", "明 天 晴 。_"]), ("a\u00a0b\n\tc", "p", ["a_ b_", "c_"]),
    ("a\x00b", "p", ["ab_"]), (" ", "p", []), ("", "h", []),
])  # fmt: skip
def test_sentences(text: str, kind: str, sentences: list[str]) -> None:
    found = sentence_tokens({"text": text, "type": kind}, "")
    shown = [" ".join(token + "_" * spaced for token, spaced in sentence) for sentence in found]
    assert [line.replace(" _", "_") for line in sentences] == shown


@given(st.text("ab.!? \n。今'\u2028"))
def test_no_token_is_lost(text: str) -> None:
    found = sentence_tokens({"text": text, "type": "p"}, "en")
    assert "".join(token for sentence in found for token, _ in sentence) == "".join(text.split())
    assert "".join(token + " " * spaced for sentence in found for token, spaced in sentence).split() == text.split()


# ---- delimiters ----
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


def test_delimiters_and_comments_are_left_out() -> None:
    inner = [text("a"), *around("*", text("b")), text("c")]
    assert "".join(token.text for token in flanked([text("x "), *around("*", *inner), text(" y")])) == "x *abc* y"
    assert inline_tex("x^2 % the square\n + 1\\%") == "x^2 + 1\\%"
    assert inline_tex("a\n\n  b\0") == "a b"


# ---- options ----
IMAGE = [1, 1, "image", {"src": "i"}]
PAGE = [p("ab", spans=[[0, 1, "link", "u"], IMAGE], figure=[{"src": "f"}]), row("c", "d"), p("e", table=1, cells=[])]


def test_options_of_markup() -> None:
    assert with_options(PAGE, DEFAULTS) is PAGE
    assert with_options(PAGE, MarkupOptions(links="drop"))[0]["spans"] == [[0, 1, "text", "u"], IMAGE]
    assert with_options(PAGE, MarkupOptions(links="reference"))[0]["spans"] == [[0, 1, "reference", "u"], IMAGE]
    image = {"src": "i", "link": "u"}
    page = [p("a", spans=[[1, 1, "image", image]], figure=[image])]
    dropped, references = (with_options(page, MarkupOptions(links=links))[0] for links in ("drop", "reference"))
    assert dropped["spans"] == [[1, 1, "image", {"src": "i"}]] and dropped["figure"] == [{"src": "i"}]
    assert references["spans"][0][3] == references["figure"][0] == {"src": "i", "reference": "u"}
    first = with_options(PAGE, MarkupOptions(images="drop"))[0]
    assert first == p("ab", spans=[[0, 1, "link", "u"]], figure=[])
    assert with_options(PAGE, MarkupOptions(tables="drop")) == PAGE[:1]
    texts = with_options(PAGE, MarkupOptions(tables="text"))
    assert [(s["text"], s["type"], "cells" in s) for s in texts[1:]] == [("c\td", "p", False), ("e", "p", False)]


@pytest.mark.parametrize(("name", "value"), [("links", "no"), ("images", "reference"), ("tables", "")])
def test_wrong_values_are_errors(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"{name}: expected keep.* or "):
        MarkupOptions(**{name: value})


# ---- notes ----
def refer(*marks: tuple[str, str]) -> dict[str, Any]:
    text, spans = "Text", []
    for mark, name in marks:
        spans.append([len(text), len(text) + len(mark), "note", name])
        text += mark
    return p(text, spans=spans)


def note(name: str) -> dict[str, Any]:
    return p("In a letter.", note={"id": name})


def test_notes_and_their_labels() -> None:
    page = [refer(("[1]", "fn-1"), ("1", "fn-2"), ("*", "fn-3"), ("", "ä"), ("*", "]")), *map(note, ["fn-1", "fn-2"])]
    assert note_labels([*page, note("fn-3"), note("ä"), note("]")]) == {
        "fn-1": "1", "fn-2": "fn-2", "fn-3": "fn-3", "ä": "4", "]": "5",
    }  # fmt: skip
    assert note_labels([refer(("1", "a"))]) == {}
    assert note_labels([refer(("1", "a")), note("b")]) == {}
    assert note_labels([refer(("1901", "y")), {**note("y"), "table": 1}]) == {}
    assert note_id({"note": 7}) is note_id({"note": {"id": 7}}) is note_id({}) is None


@pytest.mark.parametrize("tex", ["a$b", "\\text{$x$}", "a\\", "a\\\\\\", "x" * (MAX_TEX_CHARS + 1)])
def test_tex_that_would_end_the_formula(tex: str) -> None:
    assert inline_tex(tex) == ""


@pytest.mark.parametrize("tex", ["a\\$b", "a \\\\", "\\frac{1}{2}"])
def test_tex_that_does_not(tex: str) -> None:
    assert inline_tex(tex) == plain_tex(tex) == tex


def leaves(token: Token_of_token) -> list[Token_of_token]:
    return [leaf for child in token.children or [] for leaf in leaves(child)] or [token]


@pytest.mark.parametrize(
    "tex",
    [
        "<img src=x onerror=alert(1)>", "a<b>c</b>", "<!-- x -->", "<?x?>", "</p>", "a <script>alert(1)</script>",
        "<http://a.example>", "[x](javascript:alert(1))", "![x](a.jpg)", "[x][1]", "[1]", "[1](javascript:alert(1))",
        "[1][1]", "\\sqrt[1]{x}", "`a`", "``a``", "a &lt; b &#60;img&gt; &amp;",
        "\\begin{matrix}a&b\\\\[2pt]c&d\\end{matrix}",
    ],
)  # fmt: skip
@pytest.mark.parametrize("dollars", ["$", "$$"])
def test_formulas_have_no_markup(tex: str, dollars: str) -> None:
    written = inline_tex(tex)
    page = f"Text {dollars}{written}{dollars} `code` (a)\n\n[1]: https://a.example\n"
    found = [
        leaf for token in MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(page) for leaf in leaves(token)
    ]
    assert {leaf.type for leaf in found} <= {"paragraph_open", "paragraph_close", "text", "softbreak", "code_inline"}
    assert [leaf.content for leaf in found if leaf.type == "code_inline"] == ["code"]
    read = MarkdownIt().use(dollarmath_plugin, allow_space=True, double_inline=True).parse(page)
    (formula,) = [leaf.content for token in read for leaf in leaves(token) if leaf.type.startswith("math")]
    # a space means nothing in a formula, and neither do braces around a number
    same = "".join(formula.replace("\\lq ", "`").replace("[{1}]", "[1]").split())
    assert same == "".join(tex.split())


def cell(text: str, at: tuple[int, int], table: int = 1, **more: Any) -> dict[str, Any]:
    place = {"start": 0, "end": len(text), "row": at[0], "column": at[1], **more}
    return p(text, tag="td", path="body/table/tr/td", table=table, cells=[place])


def cells_of(*segments: dict[str, Any]) -> list[tuple[int, ...]]:
    """The cells of a table: row, column, rows and columns."""
    rows = enumerate(table_block(segments).content)
    return [(number, *cell.value[:3]) for number, row in rows for cell in row.content]


def test_cells_have_the_places_of_the_page() -> None:
    # cells between tabs
    assert cells_of(row("a", "", "b"), row("c")) == [(0, 0, 1, 1), (0, 1, 1, 1), (0, 2, 1, 1), (1, 0, 1, 1)]
    # places are those of the page
    page = [cell("a", (0, 0), columns=2, header=True), cell("b", (2, 1)), cell("more", (2, 1))]
    assert cells_of(*page) == [(0, 0, 1, 2), (1, 1, 1, 1)]
    first, second = table_block(page).content
    assert first.content[0].value.header
    assert [text_of(block.content) for block in second.content[0].content] == ["b", "more"]
    # captions may hold blocks
    table = table_block([p("Rain", tag="div", path="body/table/caption/div", table=1), cell("a", (0, 0))])
    assert (table.value, len(table.content)) == ([["Rain"]], 1)
    # rows that are spanned and left
    page = [cell("a", (0, 0), rows=60000), cell("b", (0, 1)), cell("c", (5, 1))]
    assert cells_of(*page) == [(0, 0, 2, 1), (0, 1, 1, 1), (1, 1, 1, 1)]
    assert "<td></td>" not in html(page, {})
    # a table in a cell
    page = [cell("a", (0, 0)), cell("in", (0, 0), 2), cell("b", (0, 1))]
    assert [block.kind for block in table_block(page).content[0].content[0].content] == ["paragraph", "table"]
    assert cells_of(cell("x", (0, 0)), cell("in", (0, 0), 2), cell("b", (1, 0))) == [(0, 0, 1, 1), (1, 0, 1, 1)]
    # adjacent tables are two
    runs = list(table_runs([p("x"), cell("a", (0, 0)), cell("b", (0, 0), 2), p("y"), row("c"), row("d")]))
    assert [([s["text"] for s in run], is_table) for run, is_table in runs] == [
        (["x"], False), (["a"], True), (["b"], True), (["y"], False), (["c", "d"], True),
    ]  # fmt: skip
    other = {**row("e"), "path": "body/div/table/tr"}
    assert [len(run) for run, _ in table_runs([row("a"), other])] == [1, 1]
    assert table_of(p("x", table=3)) == 3
    # too many places are none
    assert {column for _, column, *_ in cells_of(*[cell("a", (n, n)) for n in range(500)])} == {0}
    many = cells_of(*[cell("a", (number, 0), columns=1000, rows=500) for number in range(500)])
    assert sum(rows * columns for _, _, rows, columns in many) == 500


def test_a_column_of_blocks_is_a_frame() -> None:
    def is_layout(*cells: dict[str, Any]) -> bool:
        return is_frame(table_block(cells))

    post = [cell(text, (row, 0)) for row in (0, 1) for text in ("Ann", "two years ago", "It rained.")]
    assert is_layout(*post)
    assert is_layout(cell("x" * 500, (0, 0)), cell("y", (1, 0)))
    assert not is_layout(cell("x", (0, 0)), cell("y", (1, 0)))
    assert not is_layout(*post, cell("z", (1, 1)))
    assert not is_layout(cell("Posts", (0, 0), header=True), *[cell("x" * 500, (row, 0)) for row in (1, 2)])
    assert not is_layout({**p("Posts"), "table": 1, "tag": "caption"}, *post)


def test_spans_of_a_row_are_those_of_its_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(4)
    kinds = (["em"], ["link", "/a"], ["image", {"src": "/b", "alt": "x"}], ["math", "x"])
    for _ in range(2_000):
        words = ["rain"[: rng.randrange(5)] for _ in range(rng.randrange(2, 9))]
        size = len("".join(words)) + len(words) - 1
        places = [sorted(rng.choices(range(size + 1), k=2)) for _ in range(rng.randrange(9))]
        marked = {**row(*words), "spans": [[*place, *rng.choice(kinds)] for place in places]}
        ends = [-1, *(at for at, sign in enumerate(marked["text"]) if sign == "\t"), size]
        expected = [inline_nodes(marked, start + 1, end) for start, end in pairwise(ends)]
        assert [cell.content[0].content for cell in table_block([marked]).content[0].content] == expected
    # and they are read once
    calls = []
    monkeypatch.setattr(tables, "spans_of", lambda segment: calls.append(segment) or spans_of(segment))
    many = {**row(*["rain"] * 500), "spans": [[5 * at, 5 * at + 4, "em"] for at in range(500)]}
    cells = table_block([many]).content[0].content
    assert [cell.content[0].content for cell in cells] == [[Node("em", None, ["rain"])]] * 500
    assert len(calls) == 1


pytest.importorskip("hypothesis", reason="hypothesis is not installed")
pytest.importorskip("mdit_py_plugins", reason="markdown-it-py and mdit-py-plugins are not installed")


Segments = list[dict[str, Any]]
PAGES = sorted((Path(__file__).resolve().parents[2] / "data" / "markup").glob("*.html"))
CHECKED = settings(max_examples=60, derandomize=True, database=None, suppress_health_check=list(HealthCheck))


@CHECKED
@given(documents())
def test_markdown(page: Segments) -> None:
    assert markdown_words(markdown(page, {})) == segment_words(page)


@CHECKED
@given(documents().filter(lambda page: not any("table" in segment for segment in page)))
def test_markdown_in_parsers_of_commonmark(page: Segments) -> None:
    plain = [{**s, "spans": [span for span in s.get("spans", []) if span[2] not in ("del", "task")]} for s in page]
    assert markdown_words(markdown(plain, {}), full=False) == segment_words(plain)


@CHECKED
@given(documents())
def test_html(page: Segments) -> None:
    assert html_words(html(page, {"id": 'a"><script>', "url": "http://x/"})) == segment_words(page)


@CHECKED
@given(documents())
def test_tei(page: Segments) -> None:
    assert xml_words(tei(page, {"id": "]]>", "head": {"title": "<b>", "author": ["&", 7]}})) == segment_words(page)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
@pytest.mark.parametrize("markup", [True, False], ids=["markup", "text"])
def test_pages(path: Path, markup: bool) -> None:
    page = {"id": path.stem, "url": "https://x.y/z", "html": path.read_text(encoding="utf-8")}
    assert differences(segment_record(page, PageOptions(markup=markup))) == {}
