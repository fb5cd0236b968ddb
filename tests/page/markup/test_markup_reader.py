"""Blocks with tables, code, formulas and footnotes; and those of the pages in a page."""

from __future__ import annotations

from typing import Any

import pytest
from code_pages import LINES, LISTINGS
from operations import assert_linear

from ncfilters.page.blocks.visual_blocks import blocks
from ncfilters.page.markup.markup_reader import MarkupReader
from ncfilters.page.markup.page_links import PageLinks
from ncfilters.page.tree.html_parser import parse_html


def read(html: str) -> list[dict[str, Any]]:
    return MarkupReader(PageLinks())(parse_html(html))


def spans_of(html: str) -> list[Any]:
    (block,) = read(html)
    return [[block["text"][span[0] : span[1]], *span[2:]] for span in block.get("spans", ())]


def test_cells() -> None:
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


def test_tables_in_tables() -> None:
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


def test_an_image_of_a_formula_is_beside_a_block() -> None:
    (first, second) = read("<p>One<p><img class=latex alt='x^2'><p>Two")
    assert first["spans"] == [[3, 3, "math", "x^2", "display"]]
    assert "spans" not in second and "figure" not in first
    (only,) = read("<p><img class=latex alt='x^2'><p>Two")
    assert only["spans"] == [[0, 0, "math", "x^2", "display"]]


def test_footnotes() -> None:
    page = (
        "<p>Rain<sup id=r1><a href='#n1'>1</a></sup>.<ol><li id=n1><p>Or <i>snow</i>. <a href='#r1'>↩</a><p>Hail.</ol>"
    )
    mark, first, second = read(page)
    assert mark["spans"] == [[4, 7, "note", "n1"], [4, 7, "sup", "1"], [4, 7, "link", "#n1"]]
    assert (first["note"], second["note"]) == ({"id": "n1"}, {"id": "n1"})
    assert first["spans"][1:] == [[9, 10, "aside"], [9, 10, "link", "#r1"]]


def test_notes_on_lines() -> None:
    page = "<p>Rain<a href='#1'>[1]</a> hail<a href='#2'>[2]</a><p><a name=1>[1]</a> A<br><a name=2>[2]</a> B<p>C"
    assert [block.get("note") for block in read(page)] == [None, {"id": "1"}, {"id": "2"}, None]


def test_inline_code_of_several_lines() -> None:
    page = "<p><code>a<br>  b</code></p><p>Text.</p>"
    assert [(block["text"], block.get("code")) for block in read(page)] == [("a", 1), ("b", 1), ("Text.", None)]


def test_numbers_go_on_in_embedded_pages() -> None:
    reader = MarkupReader(PageLinks())
    pages = [parse_html("<pre>a</pre>"), parse_html("<pre>b</pre>")]
    assert [block["code"] for page in pages for block in reader(page)] == [1, 2]


@pytest.mark.parametrize(
    "html", [*LISTINGS.values(), "<p>x<sup>1</sup><span class=math hidden>y</span><p><sup>1</sup> z"]
)
def test_other_fields_are_as_without_markup(html: str) -> None:
    plain = blocks(parse_html(html))
    assert [{name: block.get(name) for name in before} for block, before in zip(read(html), plain)] == plain


def test_linear() -> None:
    for part in ("<table><tr><th>a<td>b", "<pre>a</pre>", "<p>a<math><mi>x</mi></math>", "<p>a<sup>1</sup>"):
        assert_linear(read, lambda size, part=part: part * size, 100)


def test_pages_in_a_page_have_items_of_their_own() -> None:
    reader = MarkupReader(PageLinks())
    first, second = (reader(parse_html("<ul><li>a")) for _ in range(2))
    assert (first[0]["item"], second[0]["item"]) == (1, 2)


def test_the_title_of_a_table_of_code_is_a_block_of_its_own() -> None:
    table = "<table><tr><th colspan=2>x.py<tr><td class=linenos><pre>1\n2</pre><td><pre>a\n  b</pre></table>"
    assert [(block["text"], block.get("code"), block.get("code_text")) for block in read(table)] == [
        ("x.py", None, None),
        ("1\n2", 1, "a\n  b"),
        ("a\n  b", 1, None),
    ]


def test_items_of_all_pages_in_a_page_are_numbered() -> None:
    reader = MarkupReader(PageLinks())
    numbers = [block["item"] for _ in range(2) for block in reader(parse_html("<ul><li>a<li>b</ul>"))]
    assert numbers == [1, 2, 3, 4]
