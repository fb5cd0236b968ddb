"""Markup of texts: builder, reader and runs."""

from __future__ import annotations

from typing import Any

import pytest
from code_pages import LINES, LISTINGS
from operations import assert_linear

from ncfilters.page.blocks.visual_blocks import blocks
from ncfilters.page.blocks.visual_blocks import blocks as blocks_of
from ncfilters.page.markup.markup_reader import MarkupReader
from ncfilters.page.markup.markup_run import MarkupRun, sort_spans, trimmed
from ncfilters.page.markup.page_links import PageLinks
from ncfilters.page.tree.html_parser import parse_html


def marked(html: str) -> list[tuple[Any, ...]]:
    """The text that each span of a page covers, its kind and its value."""
    return [
        (block["text"][start:end], *entry)
        for block in MarkupReader(PageLinks())(parse_html(html))
        for start, end, *entry in block.get("spans", ())
    ]


@pytest.mark.parametrize(
    ("html", "spans"),
    [
        ("<p>a <a href=x> b </a>c", [("b", "link", "x")]),
        ("<p>a <a href=x>b</a><a href=y>c</a>", [("b", "link", "x"), ("c", "link", "y")]),
        ("<p>  See\n <a href=x> this \n page </a> now", [("this page", "link", "x")]),
        ("<p><strong>a <em>b</em></strong> c", [("a b", "strong"), ("b", "em")]),
        ("<p>x<strong><a href=y> b </a></strong>", [("b", "strong"), ("b", "link", "y")]),
        ("<p><em></em><em><em>a</em></em>", [("a", "em")]),
        ("<pre>\n  a = <b>b\n</b></pre>", [("b", "strong")]),
        ("<p>a<base href=http://a.example/><base href=x> <a href=b>c</a>", [("c", "link", "http://a.example/b")]),
        ("<p>a <a name=x>b</a> <a href='javascript:x()'>c</a> <a href=#d role=tab>d</a>", []),
        (
            "<p>a <i>b</i> <strong>c</strong> <tt>d</tt> <s>e</s> <mark>f</mark>",
            [("b", "em"), ("c", "strong"), ("d", "code"), ("e", "del"), ("f", "mark")],
        ),
        ("<p><span style='font-weight: 700'>a</span> <span style='color:red'>b</span>", [("a", "strong")]),
        ("<p><font style='FONT-STYLE:italic'>a</font> <span hidden>b</span>", [("a", "em")]),
        ("<b style='font-weight:normal'><p>a <em style='font-style: normal'>b</em></p></b>", []),
        ("<p>H<sub>2</sub>O, 2<sup>nd</sup>", [("₂", "sub", "2"), ("nd", "sup")]),
        (
            "<p>a<sup> <a href=x>1</a>, <a href=y>2</a></sup>",
            [("[1, 2]", "sup", "1, 2"), ("1", "link", "x"), ("2", "link", "y")],
        ),
        ("<p>2<sup>-<i>3</i></sup>", [("⁻³", "sup", "-3"), ("⁻³", "em")]),
        ("<p>a <b>b<p>c</b> d", [("b", "strong"), ("c", "strong")]),
        ("<a href=x><h3>a</h3><p>b</p></a>", [("a", "link", "x"), ("b", "link", "x")]),
        (
            "<p>a <a href=x>b <span style='display: none'>hidden <i>c</i></span> d</a>",
            [("c", "em"), ("b d", "link", "x")],
        ),
        ("<p>a <em style='display:none'>b <i>c</i></em> <em>d</em>", [("c", "em"), ("d", "em")]),
        (
            "<pre><code>a <b>b</b></code></pre><p><code><b>c</b></code>",
            [("b", "strong"), ("c", "code"), ("c", "strong")],
        ),
        ("<table><tr><td>a <i>b</i><td><b>c</b><td>d</table>", [("b", "em"), ("c", "strong")]),
        ("<p>a <img src=x alt=X>b", [("", "image", {"src": "x", "alt": "X"})]),
        ("<p><a href=y><img src=x></a> a", [("", "image", {"src": "x", "alt": "", "link": "y"})]),
        ("<p>a <a href=y> <img src=x> </a>", [("", "image", {"src": "x", "alt": "", "link": "y"})]),
        ("<p>a<br><img src=x>b<br>c", [("", "image", {"src": "x", "alt": ""})]),
        ("<p><i class=Material-Icons>check</i> a <em class='fa ICON'>b</em> <i class=x>c</i>", [("c", "em")]),
        ("<p>a<amp-img src=x><noscript><img src=x></noscript></amp-img>", [("", "image", {"src": "x", "alt": ""})]),
        ("<ul class=task-list><li><label><input type=checkbox checked> a</label>", [("", "task", "x")]),
        ("<ul><li><input type=checkbox disabled> a<li><input type=checkbox> b", [("", "task", " ")]),
        ("<ul class=tasks><li>a <input type=checkbox></ul><p><input type=checkbox disabled> b", []),
        ("<p><a href=y><img src=x> a</a>", [("a", "link", "y"), ("", "image", {"src": "x", "alt": ""})]),
        ("<p><img src=x> a", [("", "image", {"src": "x", "alt": ""})]),
        ("<li>&lt;l> <b>a</b> b", [("a", "strong")]),
    ],
)
def test_spans(html: str, spans: list[tuple[Any, ...]]) -> None:
    assert marked(html) == spans


def test_the_reference_parser_and_cells_that_are_one_row() -> None:
    html = "<base href=http://a.example/><p>a <img src=x> <picture><source srcset=y><img></picture> b"
    blocks = [MarkupReader(PageLinks())(parse_html(html, parser)) for parser in ("lexbor", "html5lib")]
    assert blocks[0] == blocks[1]
    assert [span[3]["src"] for span in blocks[0][0]["spans"]] == ["x", "y"]
    html = "<ul><li><table><tr><td>a <i>b</i><td><a href=x>c</a><img src=y></table></ul>"
    (row,) = MarkupReader(PageLinks())(parse_html(html))
    assert row["text"] == "a b\tc"
    assert row["spans"] == [[2, 3, "em"], [4, 5, "link", "x"], [5, 5, "image", {"src": "y", "alt": ""}]]
    assert (row["depth"], row["item"]) == (1, 1)


@pytest.mark.parametrize(
    "html",
    [
        "<p>a <img data-src=x><noscript><img src=x></noscript> b",
        "<p>a</p><img data-src=x><noscript><img src=x></noscript>",
        "<p>a</p><img data-src=x-300.jpg><noscript><img src=x.jpg></noscript>",
        "<p>a</p><noscript><img src=x></noscript><img data-src=x>",
        "<p>a</p><img src=data:x><noscript><img src=x></noscript>",
        "<p>a</p><img src=y style='display:none'><img src=x>",
    ],
)
def test_an_image_for_browsers_without_scripts_is_the_same_image(html: str) -> None:
    blocks = MarkupReader(PageLinks())(parse_html(html))
    images = [figure for block in blocks for figure in block.get("figure", ())]
    images += [span[3] for block in blocks for span in block.get("spans", ())]
    assert [image["src"].partition("-")[0] for image in images] == ["x"]


def test_equal_images_are_several() -> None:
    html = "<table><tr><td>a<td><img src=x alt=yes><td><img src=x alt=yes><tr><td>b<td>c<td>d</table>"
    row = MarkupReader(PageLinks())(parse_html(html))[0]
    assert [(figure["src"], figure["column"]) for figure in row["figure"]] == [("x", 1), ("x", 2)]
    pair = "<img src=data:x><noscript><img src={}></noscript>"
    ((block),) = MarkupReader(PageLinks())(parse_html("<p>a</p><img src=x>" + pair.format("y") + pair.format("z")))
    assert [figure["src"] for figure in block["figure"]] == ["x", "y", "z"]


@pytest.mark.parametrize("html", [
    "<p>a<i hidden>b</i>c<em aria-hidden=true>d</em>", "<a href=x><img src=y></a><a href=z><img src=y></a><p>a",
    "<p>a<a href=x>b</a><a>c</a><sup>2<i>3</i></sup>", "<table><tr><td><b>a</b><td>b<tr><td><p>c<p>d<td>e</table>",
    "<p>Ann<em>May</em><i>12</i>May<code>x</code>",
    "a<noscript><img src=x></noscript>b<noscript>c</noscript><hr>d<br>e", "<b>a<div>b<i>c</b>d",
])  # fmt: skip
def test_text_is_that_of_blocks_without_markup(html: str) -> None:
    fields = ("spans", "figure", "level", "depth", "item", "quote", "table", "cells")
    blocks = MarkupReader(PageLinks())(parse_html(html))
    plain = [{name: value for name, value in block.items() if name not in fields} for block in blocks]
    assert plain == blocks_of(parse_html(html))


@pytest.mark.parametrize("part", [
    "<i>a", "<a href=x>a<table><tr><td>", "<sup><b>1", "<figure><img src=x><p>a", "<img src=x>", "<li><blockquote>a",
    "<a href=x><img src=x></a>", "a<img src=x> ",
])  # fmt: skip
def test_time_is_linear(part: str) -> None:
    assert_linear(lambda html: MarkupReader(PageLinks())(parse_html(html)), lambda size: part * size, 100)


def read(html: str) -> list[dict[str, Any]]:
    return MarkupReader(PageLinks())(parse_html(html))


def spans_of(html: str) -> list[Any]:
    (block,) = read(html)
    return [[block["text"][span[0] : span[1]], *span[2:]] for span in block.get("spans", ())]


def test_cells_of_tables() -> None:
    page = "<table><caption>Rain</caption><tr><th rowspan=2>A<th colspan=2>B<tr><td>c<td><p>d<p>e</table>"
    assert [(block["text"], block["table"], block.get("cells")) for block in read(page)] == [
        ("Rain", 1, None),
        (
            "A\tB",
            1,
            [
                {"start": 0, "end": 1, "row": 0, "column": 0, "rows": 2, "header": True},
                {"start": 2, "end": 3, "row": 0, "column": 1, "columns": 2, "header": True},
            ],
        ),
        ("c", 1, [{"start": 0, "end": 1, "row": 1, "column": 1}]),
        ("d", 1, [{"start": 0, "end": 1, "row": 1, "column": 2}]),
        ("e", 1, [{"start": 0, "end": 1, "row": 1, "column": 2}]),
    ]
    page = "<table><tr><th>A<td><table><tr><td>layout</table><table><tr><th>B<td>c</table>d</table>"
    blocks = [(block, [(cell["row"], cell["column"]) for cell in block["cells"]]) for block in read(page)]
    assert [(block["text"], block["table"], places) for block, places in blocks] == [
        ("A", 1, [(0, 0)]),
        ("layout", 1, [(0, 1)]),
        ("B\tc", 2, [(0, 0), (0, 1)]),
        ("d", 1, [(0, 1)]),
    ]  # fmt: skip


@pytest.mark.parametrize("name", LISTINGS)
def test_code(name: str) -> None:
    page = f"<p>Before.</p>{LISTINGS[name]}<p>After."
    code = [block for block in read(page) if "code" in block]
    assert {block["code"] for block in code} == {1}
    assert [block["code_text"] for block in code if "code_text" in block] == [LINES]


@pytest.mark.parametrize(
    "html, expected",
    [
        ("If <math><mi>x</mi><mo>≤</mo><mn>1</mn></math> is", [["x≤1", "math", r"x\leq1"]]),
        ('If <script type="math/tex">x^2</script> is', [["x^2", "math", "x^2"]]),
        (
            'If <span class=MathJax><nobr>x<sup>2</sup></nobr></span><script type="math/tex">x^2</script> is',
            [["x²", "math", "x^2"]],
        ),
        (
            '<i>If <script type="math/tex; mode=display">x</script> is</i>',
            [["If x is", "em"], ["x", "math", "x", "display"]],
        ),
        ("If <img class=latex alt='x^2'> is", [["", "math", "x^2"]]),
        ("<img class=latex alt='x^2'> is", [["", "math", "x^2"]]),
        ("If <span data-tex='x^2'></span> is", [["", "math", "x^2"]]),
        ("If <a href=b><math><mi>x</mi></math></a> is", [["x", "link", "b"], ["x", "math", "x"]]),
        (
            "If <span class=katex><span class=katex-mathml><math><mi>x</mi></math></span><span class=katex-html>x"
            "</span></span> is",
            [["xx", "math", "x"]],
        ),
    ],
)
def test_formulas(html: str, expected: list[Any]) -> None:
    assert spans_of(f"<p>{html}") == expected


def test_formulas_beside_blocks_and_code_on_lines() -> None:
    (first, second) = read("<p>One<p><img class=latex alt='x^2'><p>Two")
    assert first["spans"] == [[3, 3, "math", "x^2", "display"]]
    assert "spans" not in second and "figure" not in first
    (only,) = read("<p><img class=latex alt='x^2'><p>Two")
    assert only["spans"] == [[0, 0, "math", "x^2", "display"]]
    page = "<p><code>a<br>  b</code></p><p>Text.</p>"
    assert [(block["text"], block.get("code")) for block in read(page)] == [("a", 1), ("b", 1), ("Text.", None)]
    table = "<table><tr><th colspan=2>x.py<tr><td class=linenos><pre>1\n2</pre><td><pre>a\n  b</pre></table>"
    assert [(block["text"], block.get("code"), block.get("code_text")) for block in read(table)] == [
        ("x.py", None, None),
        ("1\n2", 1, "a\n  b"),
        ("a\n  b", 1, None),
    ]


def test_notes_of_marks_and_lines() -> None:
    page = (
        "<p>Rain<sup id=r1><a href='#n1'>1</a></sup>.<ol><li id=n1><p>Or <i>snow</i>. <a href='#r1'>↩</a><p>Hail.</ol>"
    )
    mark, first, second = read(page)
    assert mark["spans"] == [[4, 7, "note", "n1"], [4, 7, "sup", "1"], [4, 7, "link", "#n1"]]
    assert (first["note"], second["note"]) == ({"id": "n1"}, {"id": "n1"})
    assert first["spans"][1:] == [[9, 10, "aside"], [9, 10, "link", "#r1"]]
    page = "<p>Rain<a href='#1'>[1]</a> hail<a href='#2'>[2]</a><p><a name=1>[1]</a> A<br><a name=2>[2]</a> B<p>C"
    assert [block.get("note") for block in read(page)] == [None, {"id": "1"}, {"id": "2"}, None]


def test_numbers_go_on_in_embedded_pages() -> None:
    reader = MarkupReader(PageLinks())
    pages = [parse_html(f"<pre>{name}</pre><ul><li>{name}<li>c</ul>") for name in "ab"]
    blocks = [block for page in pages for block in reader(page)]
    assert [block["code"] for block in blocks if "code" in block] == [1, 2]
    assert [block["item"] for block in blocks if "item" in block] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "html", [*LISTINGS.values(), "<p>x<sup>1</sup><span class=math hidden>y</span><p><sup>1</sup> z"]
)
def test_other_fields_are_as_without_markup(html: str) -> None:
    plain = blocks(parse_html(html))
    assert [{name: block.get(name) for name in before} for block, before in zip(read(html), plain)] == plain


def test_linear() -> None:
    for part in ("<table><tr><th>a<td>b", "<pre>a</pre>", "<p>a<math><mi>x</mi></math>", "<p>a<sup>1</sup>"):
        assert_linear(read, lambda size, part=part: part * size, 100)


def test_elements_nest_to_a_limit() -> None:
    run = MarkupRun()
    for number in range(1_000):
        run.open(("link", str(number)))
    run.parts.append("a")
    for _ in range(1_000):
        run.close()
    run.take(False, False)
    assert len(run.spans) == 31  # MAX_OPEN, and the one that ends it


@pytest.mark.parametrize(("html", "position"), [
    ("a <a href=x><img src=i></a>b", 2), ("a<a href=x><img src=i></a> b", 1), ("a <a href=x><img src=i></a> b", 2),
    ("a <a href=x>b <img src=i></a>c", 3), ("a<a href=x>b <img src=i></a>c", 2), ("a<a href=x><img src=i></a>", 1),
])  # fmt: skip
def test_images_stay_in_the_elements_around_them(html: str, position: int) -> None:
    (block,) = read(f"<p>{html}")
    assert [span[:2] for span in block["spans"] if span[2] == "image"] == [[position, position]]


def test_order_and_trimming() -> None:
    spans = [[2, 3, "em"], [0, 1, "a"], [0, 3, "b"], [0, 3, "c"]]
    sort_spans(spans)
    assert [span[2] for span in spans] == ["b", "c", "a", "em"]
    image = [2, 2, "image", {"src": "i"}]
    spans = [[2, 5, "em"], image, [0, 1, "a"], [2, 9, "b"]]
    sort_spans(spans)
    assert [span[2] for span in spans] == ["a", "b", "em", "image"]
    spans = [image, [2, 5, "em"], image, [2, 9, "b"]]
    sort_spans(spans)
    assert [span[2] for span in spans] == ["image", "b", "em", "image"]
    assert trimmed([0, 5, "em"], " ab  ") == [1, 3, "em"]
    assert trimmed([3, 9, "em"], " ab  ") is None
