"""The parts of markup: notes, code, mathematics, tables, links."""

from __future__ import annotations

from typing import Any

import pytest
from operations import assert_linear
from page_rows import page_of, rows_of, texts_in

from ncfilters.page.markup.candidates import candidates_of, kinds_of_class
from ncfilters.page.markup.code_language import code_language
from ncfilters.page.markup.footnotes import add_asides, ids_around
from ncfilters.page.markup.markup_context import Contexts, PageNumbers
from ncfilters.page.markup.markup_fields import cell_field, drop_in_formulas
from ncfilters.page.markup.mathml_tex import tex_of_mathml
from ncfilters.page.markup.note_marks import (
    add_unlinked_notes,
    function_of,
    is_arrow,
    is_back_id,
    is_first,
    is_mark,
    is_note_id,
    may_be_mark,
    may_be_unlinked,
    no_footnotes,
    sidenotes,
)
from ncfilters.page.markup.table_grid import Cell, role_tables


# ---- note_asides ----
@pytest.mark.parametrize(("note", "expected"), [
    ("<sup>1</sup> A note.", ["1"]), ("<b>[1]</b> A note.", ["[1]"]), ("<b>(see)</b> A note.", []),
    ("<!-- a --> <span>[12]</span> A note.", ["[12]"]), ("A note <b>[1]</b>.", []),
    ("A note. <a href='#r1'>↩</a>", ["↩"]), ("A note. <sup><a href='#r1'>↩</a></sup>", ["↩"]),
    ("A note. <a href='#mark'><img alt='' src=back.svg></a>", [""]),
    ("A note. <a href='#other'><img alt='' src=back.svg></a>", []), ("A note of <a href='#mark'>the text</a>.", []),
    ("<span class=fn-label>Note 1:</span> A note.", ["Note 1:"]),
])  # fmt: skip
def test_asides(note: str, expected: list[str]) -> None:
    page = page_of(f"<p>Text<sup id=mark><a href='#n1'>1</a></sup></p><p id=n1>{note}</p>")
    out = no_footnotes()
    add_asides(page, rows_of(page, "p")[1], lambda: {"mark"}, out)
    assert texts_in(page, out.asides) == expected


def test_rows_and_ids_around() -> None:
    page = page_of("<p id=p>Text<a id=before></a><sup id=mark><a href='#n1' name=link><i id=inner>1</i></a></sup></p>")
    assert ids_around(page, rows_of(page, "a")[1]) == {"before", "mark", "link", "inner"}
    page = page_of("<p> <!-- --><b> <i>a</i></b><u>b</u>")
    block, first, second = rows_of(page, "p", "i", "u")
    assert is_first(page, first, block) and not is_first(page, second, block)


# ---- sidenotes ----
# ruff: noqa: E501


@pytest.mark.parametrize(
    "html, texts, marks, labels",
    [
        ("<p>Rain.<d-footnote>Or snow.</d-footnote> Often.", ["Or snow."], [], []),
        (
            "<p>Rain.<label for=a class='margin-toggle sidenote-number'></label><input type=checkbox id=a>"
            "<span class=sidenote>Or snow.</span>",
            ["Or snow."], [], [],
        ),
        (
            "<p>Rain.<label class=margin-toggle>⊕</label><input type=checkbox><span class=marginnote>Or snow.</span>",
            ["Or snow."], ["⊕"], [],
        ),
        (
            "<p>Rain.<span class='ltx_note ltx_role_footnote'><sup class=ltx_note_mark>1</sup><span class=ltx_note_outer>"
            "<span class=ltx_note_content><sup class=ltx_note_mark>1</sup><span class='ltx_tag ltx_tag_note'>1</span>Or "
            "snow.</span></span></span> Often.",
            ["11Or snow."], ["1"], ["1", "1"],
        ),
        ("<p>Rain.<div class=sidenote>A box</div><p>Snow<span class=sidenote> </span>.", [], [], []),
    ],
)  # fmt: skip
def test_sidenotes(html: str, texts: list[str], marks: list[str], labels: list[str]) -> None:
    page, notes = page_of(html), no_footnotes()
    found = sidenotes(page, candidates_of(page).sidenotes, notes)
    assert texts_in(page, found) == texts
    assert texts_in(page, notes.references) == marks
    assert texts_in(page, notes.asides) == labels
    assert set(notes.references.values()) <= set(found.values())


# ---- detail_fields ----
def test_fields_of_cells_and_formulas() -> None:
    assert cell_field(Cell(0, 1, 1, 1, False), 2) == {"start": 0, "end": 2, "row": 0, "column": 1}
    wide = {"start": 0, "end": 2, "row": 0, "column": 0, "rows": 2, "columns": 3, "header": True}
    assert cell_field(Cell(0, 0, 2, 3, True), 2) == wide
    block = {"text": "abc", "spans": [[0, 2, "math", "x"], [0, 1, "em"], [2, 3, "em"]]}
    drop_in_formulas(block)
    assert block["spans"] == [[0, 2, "math", "x"], [2, 3, "em"]]


# ---- unlinked_notes ----
@pytest.mark.parametrize(
    "html, marks, notes",
    [
        ("<p>It rains<sup>1</sup> and 10<sup>6</sup> m<sup>2</sup>.<p><sup>1</sup> Or snows.", 1, ["note-1"]),
        (
            "<p>It rains<sup>*</sup> or snows.<sup>†</sup><p><sup>*</sup>Often.<p><sup>†</sup>Seldom.",
            2,
            ["note-*", "note-†"],
        ),
        ("<p>It rains.<sup>[1]</sup> It rains.<sup>[1]</sup><p> <b><sup>[1]</sup></b> Often.", 2, ["note-1"]),
        # numbered anew, a note above its mark, a note without a mark, and a mark without a note
        ("<p>Rains<sup>1</sup><p><sup>1</sup> Often.<p>Snows<sup>1</sup><p><sup>1</sup> Seldom.", 0, []),
        ("<p><sup>1</sup> Often.<p>It rains<sup>1</sup>.", 0, []),
        ("<p>It rains.<p><sup>1</sup> Often.", 0, []),
        ("<p>It rains<sup>1</sup>.<p>Often.", 0, []),
    ],
)
def test_notes(html: str, marks: int, notes: list[str]) -> None:
    out = no_footnotes()
    page = page_of(html)
    add_unlinked_notes(page, out, candidates_of(page).superscripts)
    assert (len(out.references), sorted(out.definitions.values())) == (marks, notes)
    assert len(out.asides) == len(notes)


@pytest.mark.parametrize(
    ("superscripts", "may_be"), [("1 1", True), ("* 2 th", True), ("1 th", False), ("® ®", False), ("", False)]
)
def test_superscripts_that_may_be_marks(superscripts: str, may_be: bool) -> None:
    page = page_of("".join([f"<p>a<sup>{text}</sup>" for text in superscripts.split()]))
    assert may_be_unlinked(page, rows_of(page, "sup")) == may_be


# ---- mathml_tex ----
def tex_of(markup: str) -> str:
    page = page_of(f"<p><math>{markup}</math>")
    return tex_of_mathml(page, rows_of(page, "math")[0])


@pytest.mark.parametrize(
    "markup, expected",
    [
        ("<mfrac><mi>a</mi><msup><mi>b</mi><mn>2</mn></msup></mfrac>", r"\frac{a}{b^2}"),
        ("<msup><mi>x</mi><mn>10</mn></msup>", "x^{10}"),
        ("<msup><msup><mi>x</mi><mn>2</mn></msup><mn>3</mn></msup>", "{x^2}^3"),
        ("<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>", "x_i^2"),
        (
            "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><mi>i</mi>",
            r"\sum_{i=1}^ni",
        ),
        ("<munder><mo>lim</mo><mrow><mi>x</mi><mo>→</mo><mi>∞</mi></mrow></munder>", r"\lim_{x\to\infty}"),
        ("<mi>sin</mi><mo>⁡</mo><mi>α</mi><mi>x</mi>", r"\sin\alpha x"),
        ("<mover><mi>x</mi><mo>¯</mo></mover><mover><mi>v</mi><mo>→</mo></mover>", r"\bar{x}\vec{v}"),
        ("<mover><mi>x</mi><mi>def</mi></mover>", r"\overset{\mathrm{def}}{x}"),
        ("<msup><mi>f</mi><mo>′</mo></msup><mo>≤</mo><mn>1</mn>", r"f'\leq1"),
        ("<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt><mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt{a+b}\sqrt[3]{x}"),
        ("<mtext>if x_1 {</mtext><mi mathvariant=bold>v</mi><mi>ℝ</mi>", r"\text{if x\_1 \{}\mathbf{v}\mathbb{R}"),
        (
            "<mrow><mo>(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd>"
            "<mtd><mn>1</mn></mtd></mtr></mtable><mo>)</mo></mrow>",
            r"(\begin{matrix}1 & 0 \\ 0 & 1\end{matrix})",
        ),
        ("<mi>f</mi><mfenced><mi>x</mi><mi>y</mi></mfenced>", r"f\left(x,y\right)"),
        ("<semantics><mi>x</mi><annotation encoding=other>y</annotation></semantics>", "x"),
        ("<mo>{</mo><mn>50</mn><mo>%</mo><mo>}</mo>", r"\{50\%\}"),
        ("<!-- --><mrow> <mi>a</mi> <mspace width=1em /> <mi>b</mi></mrow>", r"a\quad b"),
        ("<mphantom><mi>x</mi></mphantom>", ""),
        ("<mfrac><mi>a</mi></mfrac>", "a"),
    ],
)
def test_tex(markup: str, expected: str) -> None:
    assert tex_of(markup) == expected


def test_formulas_and_tables_of_roles_take_linear_time() -> None:
    assert_linear(tex_of, lambda size: "<msup><mi>x</mi>" * size, 100)
    assert_linear(grids_of, lambda size: f"<div role=table>{row('a', 'b') * size}</div>", 100)


# ---- candidates ----
# ruff: noqa: E501


@pytest.mark.parametrize(
    ("html", "name", "tags"),
    [
        ("<p><code>a</code><table class=highlight></table><p style='White-Space: pre'>", "code", ["code", "table", "p"]),
        ("<ol class='dp-c x'></ol><ol class='x dp-c'></ol><div class=fragment></div><p class=fragment>", "code", ["ol", "div"]),
        ("<d-code>a</d-code><d-code block>b</d-code>", "code", ["d-code"]),
        ("<img src=/cgi-bin/mimetex.cgi?x><img alt=$x$><img alt='{\\x}'><img eeimg=1><img alt=x>", "formulas", ["img"] * 4),
        ("<script type=Math/tex>x</script><script type=text>y</script>", "formulas", ["script"]),
        ("<p data-tex=x><b data-eq>y</b><span class=math>z</span><i class=math>z</i>", "formulas", ["p", "b", "span"]),
        ("<a href=b#c>a</a><a href=b>a</a>", "links", ["a"]),
        ("<div role=row><p role=cell>a<p role=rowheader>b</div>", "cells", ["p", "p"]),
        ("<span class='a mw-editsection'>a</span><p class=mw-editsection>", "edit_links", ["span"]),
        ("<d-footnote>a</d-footnote><i class=sidenote>b</i>", "sidenotes", ["d-footnote", "i"]),
    ],
)  # fmt: skip
def test_elements(html: str, name: str, tags: list[str]) -> None:
    page = page_of(html)
    assert [page.name_of(row) for row in getattr(candidates_of(page), name)] == tags


@pytest.mark.parametrize(("html", "expected"), [
    ("<p>a", (False, False, False)), ("<pre>a", (True, False, False)),
    ("<code data-math-style=inline>a", (True, True, False)), ("<tt>a</tt>", (False, False, False)),
    ("<math>", (True, True, False)), ("<div class=mw-editsection>", (True, True, False)),
    ("<span class=mw-editsection>", (False, False, False)),
    ("<div role=row style='white-space:pre'>", (False, False, True)), ("<tr role=row>", (False, False, False)),
])  # fmt: skip
def test_what_may_be_there(html: str, expected: tuple[bool, ...]) -> None:
    found = candidates_of(page_of(html))
    assert (found.has_code, found.has_formulas, found.has_rows) == expected


def test_classes_are_words() -> None:
    assert kinds_of_class("x katex") == kinds_of_class("katex") > 0
    assert kinds_of_class("katex-x Katex") == 0


# ---- role_tables ----
def row(*cells: str, role: str = "cell", attributes: str = "") -> str:
    inner = "".join(f"<div role={role} {attributes}>{cell}</div>" for cell in cells)
    return f"<div role=row>{inner}</div>"


def grids_of(html: str) -> list[list[tuple[int, ...]]]:
    page = page_of(html)
    tables = role_tables(page, candidates_of(page).cells)
    return [[tuple(int(value) for value in cell) for cell in cells.values()] for cells in tables]


ROWS = row("Day", "mm", role="columnheader") + row("Monday", "3")
PLACES = [(0, 0, 1, 1, 1), (0, 1, 1, 1, 1), (1, 0, 1, 1, 0), (1, 1, 1, 1, 0)]


@pytest.mark.parametrize("role", ["table", "grid", "treegrid"])
def test_rows_and_columns(role: str) -> None:
    assert grids_of(f"<div role={role}>{ROWS}</div>") == [PLACES]
    assert grids_of(f"<div role={role}><ul role=rowgroup><li>{ROWS}</ul></div>") == [PLACES]


def test_tables_of_roles() -> None:
    assert grids_of(f"<div role=table>{ROWS}</div><section role=table>{ROWS}</section>") == [PLACES, PLACES]
    spanning = row("Days", attributes="aria-colspan=2 aria-rowspan=x")
    assert grids_of(f"<div role=table>{spanning}{ROWS}</div>")[0][0] == (0, 0, 1, 2, 0)


@pytest.mark.parametrize(
    "html",
    [
        ROWS,  # no table around them
        f"<div role=table>{row('a', 'b')}</div>",  # one row
        f"<div role=table>{row('a')}{row('b')}</div>",  # one column
        "<table role=grid><tr role=row><td role=gridcell>a<td role=gridcell>b<tr role=row><td role=gridcell>c</table>",
    ],
)
def test_no_tables(html: str) -> None:
    assert grids_of(html) == []


# ---- code_language ----
@pytest.mark.parametrize(
    "html, expected",
    [
        ('<pre><code class="language-python">x', "python"),
        ('<pre class="lang-py s-code-block"><code>x', "py"),
        ('<pre class="lang:js decode:true">x', "js"),
        ('<pre class="brush: bash; gutter: false">x', "bash"),
        ('<pre data-syntaxhighlighter-params="brush: java; gutter: true">x', "java"),
        ('<pre class="EnlighterJSRAW" data-enlighter-language="php">x', "php"),
        ('<pre data-lang="rust">x', "rust"),
        ('<pre lang="ruby">x', "ruby"),
        ('<pre class="sourceCode haskell"><code class="sourceCode haskell">x', "haskell"),
        ('<pre><code class="hljs c++">x', "c++"),
        ('<pre><code class="hljs language-cpp" data-highlighted=yes>x', "cpp"),
        ('<pre class="src src-emacs-lisp">x', None),
        ('<pre class="ki kj kk kl py pz bq">x', None),
        ('<pre class="enlighter-default enlighter-l-js">x', "js"),
        ('<div data-code-lang="py"><pre>x', "py"),
        ('<div class="ql-code-block-container"><div class="ql-code-block" data-language="python">x', "python"),
        ('<pre class="src src-sh">x', "sh"),
        ('<div class="highlight highlight-source-shell"><pre>x', "shell"),
        ('<div class="highlight highlight-text-html-basic"><pre>x', "html"),
        ('<div class="highlight-python3 notranslate"><div class="highlight"><pre>x', "python"),
        ('<div class="highlight hl-ipython3"><pre>x', "python"),
        ('<div class="highlight-default notranslate"><div class="highlight"><pre>x', None),
        ('<div class="language-ruby highlighter-rouge"><div class="highlight"><pre class="highlight"><code>x', "ruby"),
        ('<div class="mw-highlight mw-highlight-lang-lua mw-content-ltr"><pre>x', "lua"),
        ('<div class="codeHeader"><span class="language">PowerShell</span></div><pre>x', None),
        ('<div><div class="codeHeader"><span class="language">PowerShell</span></div><pre>x</pre></div>', "powershell"),
        # human languages, and classes that name none
        ('<pre lang="en">x', None), ('<body class="lang-en"><pre>x', None), ('<div class="lang-fr"><pre>x', None),
        ('<pre class="language-none"><code>x', None), ('<pre class="text">x', None),
        ('<pre class="wp-block-code"><code>x', None),
        ('<div class="language-python"><pre>x</pre><p>' + "Much other text. " * 20, None),
    ],
)  # fmt: skip
def test_language(html: str, expected: str | None) -> None:
    page = page_of(html)
    code = candidates_of(page).code[0]
    assert code_language(page, code, lambda row: len(page.text_below(row))) == expected


# ---- markup_context ----
def fields_in(html: str) -> dict[str, Any]:
    """The fields of a block in the last element."""
    page = page_of(html)
    last = max(row for row in range(page.size) if page.tag[row] >= 0)
    return Contexts(page, {}, PageNumbers()).of(last).fields


@pytest.mark.parametrize(("html", "fields"), [
    ("<p>", {}), ("<h3>", {"level": 3}), ("<ul><li>", {"depth": 1, "item": 1}), ("<li>", {"depth": 1, "item": 1}),
    ("<ul><li><ol><li><p>", {"depth": 2, "item": 2}), ("<blockquote><blockquote><p>", {"quote": 2}),
    ("<blockquote><ul><li><h2>", {"quote": 1, "depth": 1, "item": 1, "level": 2}),
    ("<ul class='c1 lst-kix_x9-1 start'><li>", {"depth": 2, "item": 1}),
    *((f"<div role=heading aria-level={n}><b>", {"level": level}) for n, level in zip("3 0 12 x".split(), (3, 1, 6, 2))),
])  # fmt: skip
def test_fields(html: str, fields: dict[str, Any]) -> None:
    assert fields_in(html) == fields


# ---- note_marks ----
@pytest.mark.parametrize("text", ["1", "[12]", "iv", "a", "*", "††", "¹²", "note 3", "(2)."])
def test_texts_of_marks(text: str) -> None:
    assert is_mark(text) and is_mark(text.upper())


@pytest.mark.parametrize("text", ["", "12345", "see", "1 One", "*†‡§¶"])
def test_texts_of_other_links(text: str) -> None:
    assert not is_mark(text)


@pytest.mark.parametrize("text, expected", [
    ("↩", True), ("^", True), ("↩︎2", True), ("↩ 2nd", False), ("^2 m", False), ("[Back to top]", True), ("1", False),
    ("", False),
])  # fmt: skip
def test_texts_of_links_back(text: str, expected: bool) -> None:
    assert is_arrow(text) is expected


def test_ids() -> None:
    assert all(map(is_note_id, ["fn1", "_ftn2", "cite_note-Name-3", "FN-4", "sdfootnote5sym"]))
    assert not any(map(is_note_id, ["fn", "top", "section-1"]))
    assert all(map(is_back_id, ["fnref1", "_ftnref2", "cite_ref-3", "sdfootnote5anc"]))
    assert not any(map(is_back_id, ["fn1", "top"]))


@pytest.mark.parametrize("attributes, expected", [
    ({"href": "#a"}, (False, False)), ({"href": "#a", "role": "doc-noteref"}, (True, False)),
    ({"href": "#a", "class": "reversefootnote"}, (False, True)),
    ({"href": "#a", "data-footnote-ref": None}, (True, False)),
])  # fmt: skip
def test_attributes(attributes: dict[str, str | None], expected: tuple[bool, bool]) -> None:
    assert function_of(attributes) == expected


@pytest.mark.parametrize(
    "html, expected",
    [("<a href='#x'>1", True), ("<a href='#fn1'>see", True), ("<a href='#x'>Skip", False), ("<a href='#'>1", False)],
)
def test_marks(html: str, expected: bool) -> None:
    page = page_of(html)
    assert may_be_mark(page, rows_of(page, "a")[0]) is expected
