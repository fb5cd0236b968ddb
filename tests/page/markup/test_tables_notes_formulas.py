"""Tables, footnotes and formulas in markup."""

# ruff: noqa: E501
from __future__ import annotations

import pytest
from operations import assert_linear, assert_linear_time
from page_rows import page_of, rows_of

from ncfilters.native.page_table import PageTable
from ncfilters.page.markup.candidates import candidates_of
from ncfilters.page.markup.footnotes import footnotes
from ncfilters.page.markup.note_marks import Footnotes
from ncfilters.page.markup.table_grid import MAX_COLUMNS, Cell, caption_of, cells_of, is_data_table
from ncfilters.page.markup.tex import delimited_tex, formulas


def grid_of(html: str) -> list[tuple[int, ...]]:
    page = page_of(html)
    return [tuple(int(value) for value in cell) for cell in cells_of(page, rows_of(page, "table")[0]).values()]


def hold_data(html: str) -> list[bool]:
    """Whether each table of a page holds data."""
    page, figures = page_of(html), dict[int, bool]()
    return [is_data_table(page, table, cells_of(page, table), figures) for table in rows_of(page, "table")]


@pytest.mark.parametrize(
    "rows, expected",
    [
        ("<tr><td>a<td>b<tr><td>c", [(0, 0, 1, 1, 0), (0, 1, 1, 1, 0), (1, 0, 1, 1, 0)]),
        (
            "<tr><th rowspan=2>a<th colspan=2>b<tr><td>c<td>d",
            [(0, 0, 2, 1, 1), (0, 1, 1, 2, 1), (1, 1, 1, 1, 0), (1, 2, 1, 1, 0)],
        ),
        # to the end of its group, but no further
        ("<tr><td rowspan=0>a<td>b<tr><td>c", [(0, 0, 2, 1, 0), (0, 1, 1, 1, 0), (1, 1, 1, 1, 0)]),
        ("<tbody><tr><td rowspan=9>a<tbody><tr><td>b", [(0, 0, 1, 1, 0), (1, 0, 1, 1, 0)]),
        # a cell between two that reach down from above
        (
            "<tr><td rowspan=2>a<td>b<td rowspan=2>c<tr><td colspan=2>d",
            [(0, 0, 2, 1, 0), (0, 1, 1, 1, 0), (0, 2, 2, 1, 0), (1, 1, 1, 2, 0)],
        ),
        ("<tr><td colspan=x rowspan=-1>a<td colspan=0>b", [(0, 0, 1, 1, 0), (0, 1, 1, 1, 0)]),
        ("<tr><td colspan=99999>a<td>b", [(0, 0, 1, MAX_COLUMNS, 0)]),
        ("<thead><tr><td>a<tbody><tr><td role=rowheader>b", [(0, 0, 1, 1, 1), (1, 0, 1, 1, 1)]),
        ("<tr><td><table><tr><td>inner</table><td>b", [(0, 0, 1, 1, 0), (0, 1, 1, 1, 0)]),
    ],
)
def test_cells(rows: str, expected: list[tuple[int, ...]]) -> None:
    assert grid_of(f"<table>{rows}</table>") == expected


def test_cells_by_element() -> None:
    page = page_of("<table><caption>Rain</caption><tr><td>a<td>b</table>")
    (table,), (_, second) = rows_of(page, "table"), rows_of(page, "td")
    assert cells_of(page, table)[second] == Cell(0, 1, 1, 1, False)
    assert page.text_below(caption_of(page, table)) == "Rain"


LONG = "word " * 60


@pytest.mark.parametrize("attributes, rows, expected", [
    ("", "<tr><th>a<td>b", True), ("", "<thead><tr><td>a<td>b<tbody><tr><td>c<td>d", True),
    ("", "<tr><td scope=row>a<td>b", True), ("", f"<tr><td>a<td>{' ' * 200}b<tr><td>c<td>d", True),
    ("", "<tr><td>a<td>b<tr><td>1<td>2", True), ("", "<thead><tr><td>Title<td>1", False),
    ("", "<caption>Rain</caption><tr><td>a<td>b<tr><td>1<td>2", True),
    ("class='ltx_equation ltx_eqn_table'", "<tr><td>x = 1<td>(1)<tr><td>y = 2<td>(2)", False),
    ("role=presentation", "<tr><th>a<td>b<tr><td>1<td>2", False), ("role=grid", "<tr><td>a<td>b", True),
    ("datatable=0", "<tr><th>a<td>b", False), ("summary='Rain by year'", "<tr><td>a<td>b", True),
    ("", "<tr><td>menu<td>text", False), ("", "<tr><td>a<tr><td>b<tr><td>c", False), ("", "<tr><td>only", False),
    ("", f"<tr><td>menu<td>{LONG}<tr><td>foot<td>note", False),
    ("border=1", f"<tr><td>2019<td>{LONG}<tr><td>2020<td>{LONG}", True),
    ("", "<tr><td><table><tr><td>a<td>b</table><td>c<tr><td>d<td>e", False),
    ("", "<tr><th>a<th>b<tr><td><table><tr><td>x</table><td>c", True),
    ("", "<tr><td>a<td>b<td>c<td>d<td>e<tr><td>1<td>2<td>3<td>4<td>5", True), ("", "<tr><td>a<td>b" * 6, True),
    ("", "<tr><td>a<td>b" * 5 + f"<tr><td>menu<td><h2>A page</h2>{LONG * 5}", False),
])  # fmt: skip
def test_data_and_layout(attributes: str, rows: str, expected: bool) -> None:
    assert hold_data(f"<table {attributes}>{rows}</table>")[0] is expected


def test_tables_footnotes_and_formulas_take_linear_time() -> None:
    for row in ("<tr><td rowspan=65534 colspan=1000>a", "<tr><td rowspan=3>a<td>b"):
        assert_linear(grid_of, lambda size, row=row: "<table>" + row * size, 300)
    for part in (
        "<p>a<sup><a href='#n{}'>{}</a></sup><li id=n{}>b",
        "<p><a name=n{}>{}</a><a href='#n{}'>1</a>",
        "<p>a<sup>{}</sup><p><sup>{}</sup>{}",
    ):
        assert_linear(
            lambda html: notes_of(page_of(html)),
            lambda size, part=part: "".join(part.format(n, n, n) for n in range(size)),
            100,
        )
    for tag in (
        "<span class=math>a",
        "<script type='math/tex'>a</script>",
        "<math><mi>a</mi>",
        "<span class=MathJax>a",
    ):
        assert_linear(found_in, lambda size, tag=tag: "<p>" + tag * size, 200)


def test_tables_of_a_figure_hold_data_and_take_linear_time() -> None:
    rows = "<table><tr><td>a<td>b</table>"
    assert_linear(hold_data, lambda size: f"<figure>{rows * size}</figure>", 300)
    rows = "<table><tr><td>a<td>b</table>"
    pages = (f"<figure>{rows}</figure>", f"<figure><img src=a>{rows}</figure>", rows)
    assert [hold_data(html) for html in pages] == [[True], [False], [False]]


@pytest.mark.parametrize(
    "rows",
    [
        f"<tr><td>a<td><td><td><td><tr><td><td><h1>b</h1>{LONG * 5}<td><td><td>",
        f"<colgroup><col><col></colgroup><tr><td>a<td>b<tr><td><h2>b</h2>{LONG * 5}<td>c",
        "<colgroup><col><col></colgroup><tr><td>a<td>b<tr><td><h2>b</h2><table><tr><td>c</table><td>d",
    ],
)
def test_a_cell_with_the_page_lays_it_out(rows: str) -> None:
    data = rows.replace("h1", "b").replace("h2", "b")
    assert not hold_data(f"<table>{rows}</table>")[0] and hold_data(f"<table>{data}</table>")[0]


# marks, notes, and what is left out of notes, each by its text
PAGES = {
    "Pandoc": (
        '<p>Rain<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a>.</p><section><hr><ol>'
        '<li id="fn1"><p>Or snow.<a href="#fnref1" class="footnote-back" role="doc-backlink">↩︎</a></p></li></ol></section>',
        [("1", "fn1")], [("Or snow.↩︎", "fn1")], ["↩︎"],
    ),
    "MediaWiki": (
        '<p>Rain<sup id="cite_ref-2_1-0" class="reference"><a href="#cite_note-2">[2]</a></sup> and<sup '
        'id="cite_ref-2_1-1"><a href="#cite_note-2">[2]</a></sup></p><ol><li id="cite_note-2"><span '
        'class="mw-cite-backlink">^ <a href="#cite_ref-2_1-0"><sup><i><b>a</b></i></sup></a> <a href="#cite_ref-2_1-1">'
        "<sup><i><b>b</b></i></sup></a></span> <span>A book.</span></li></ol>",
        [("[2]", "cite_note-2")] * 2, [("^ a b A book.", "cite_note-2")], ["^ a b", "a", "b"],
    ),
    "Word": (
        '<p>Rain<a href="#_ftn1" name="_ftnref1"><span>[1]</span></a>.</p><div id="ftn1"><p><a href="#_ftnref1" '
        'name="_ftn1"><span>[1]</span></a> Or snow.</p><p>More.</p></div>',
        [("[1]", "_ftn1")], [("[1] Or snow.More.", "_ftn1")], ["[1]"],
    ),
    "kramdown": (
        '<p>Rain<sup id="fnref:1"><a href="#fn:1" class="footnote" rel="footnote">1</a></sup></p><div class="footnotes">'
        '<ol><li id="fn:1"><p>Or snow. <a href="#fnref:1" class="reversefootnote">&#8617;</a></p></li></ol></div>',
        [("1", "fn:1")], [("Or snow. ↩", "fn:1")], ["↩"],
    ),
    "Substack": (
        '<p>Rain<a id="footnote-anchor-1" href="#footnote-1" class="footnote-anchor">1</a></p><div class="footnote">'
        '<a id="footnote-1" href="#footnote-anchor-1" class="footnote-number">1</a><div><p>Or snow.</p></div></div>',
        [("1", "footnote-1")], [("1Or snow.", "footnote-1")], ["1"],
    ),
    "Sphinx": (
        '<p>Rain <a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span>[</span>1<span>]'
        '</span></a></p><aside class="footnote brackets" id="id2"><span class="label"><span>[</span><a role="doc-backlink"'
        ' href="#id1">1</a><span>]</span></span><p>Or snow.</p></aside>',
        [("[1]", "id2")], [("[1]Or snow.", "id2")], ["[1]"],
    ),
    "docutils": (
        '<p>Rain <a class="footnote-reference" href="#id2" id="id1">[1]</a></p><table class="docutils footnote" id="id2">'
        '<tr><td class="label"><a class="fn-backref" href="#id1">[1]</a></td><td>Or snow.</td></tr></table>',
        [("[1]", "id2")], [("[1]Or snow.", "id2")], ["[1]", "[1]"],
    ),
    "WordPress": (
        '<p>Rain<sup class="fn"><a href="#u-1" id="u-1-link">1</a></sup></p><ol><li id="u-1">Or snow. <a href="#u-1-link">'
        "↩︎</a></li></ol>",
        [("1", "u-1")], [("Or snow. ↩︎", "u-1")], ["↩︎"],
    ),
    "Easy Footnotes": (
        '<p>Rain<span class="easy-footnote"><a href="https://s.example/p#easy-footnote-bottom-1-12"><sup>1</sup></a></span>'
        '</p><ol><li><span id="easy-footnote-bottom-1-12"></span>Or snow.</li></ol>',
        [("1", "easy-footnote-bottom-1-12")], [("Or snow.", "easy-footnote-bottom-1-12")], [],
    ),
    "links to each other": (
        '<p>Rain<sup><a id=r1 href="#n1">1</a></sup>.</p><p><a id=n1 href="#r1">1</a>. Or snow.</p>',
        [("1", "n1")], [("1. Or snow.", "n1")], ["1"],
    ),
    "terms": (
        '<p>Rain<a href="#n1">*</a>.<dl><dt id=n1>*</dt><dd>Or snow.</dd></dl>',
        [("*", "n1")], [("Or snow.", "n1")], [],
    ),
    "Hugo": (
        '<p>Rain<sup id="fnref:1"><a href="#fn:1" class="footnote-ref" role="doc-noteref">1</a></sup><sup id="fnref1:1">'
        '<a href="#fn:1" class="footnote-ref" role="doc-noteref">1</a></sup><ol><li id="fn:1"><p>Or snow.&#160;<a href='
        '"#fnref:1" role="doc-backlink">↩︎</a>&#160;<a href="#fnref1:1" role="doc-backlink">↩︎<sup>2</sup></a></p></li></ol>',
        [("1", "fn:1")] * 2, [("Or snow.\xa0↩︎\xa0↩︎2", "fn:1")], ["↩︎", "↩︎2"],
    ),
    "WordPress, with arrows that are images": (
        '<p>Rain<sup data-fn="8-a" class="fn"><a href="#8-a" id="8-a-link">1</a></sup><ol class="wp-block-footnotes"><li '
        'id="8-a">Or snow. <a href="#8-a-link"><img class="emoji" alt="↩" src="21a9.svg">︎</a></li></ol>',
        [("1", "8-a")], [("Or snow. ︎", "8-a")], ["︎"],
    ),
    "Springer": (
        '<p>Rain<sup><a href="/articles/s1#ref-CR1">1</a></sup>.<ol><li><p id="ref-CR1">Alm. Snow.</p><p>Links</p></li></ol>',
        [("1", "ref-CR1")], [("Alm. Snow.Links", "ref-CR1")], [],
    ),
    "LaTeXML": (
        '<p>Rain [<a href="#bib.bib7" class="ltx_ref">7</a>].<ul><li id="bib.bib7"><span class="ltx_tag">[7]</span><span>Alm.'
        "</span></li></ul>",
        [("7", "bib.bib7")], [("[7]Alm.", "bib.bib7")], ["[7]"],
    ),
}  # fmt: skip


def notes_of(page: PageTable) -> Footnotes:
    found = candidates_of(page)
    return footnotes(page, found.superscripts, found.links)


@pytest.mark.parametrize("name", PAGES)
def test_footnotes(name: str) -> None:
    html, references, definitions, asides = PAGES[name]
    page = page_of(html)
    notes = notes_of(page)
    texts = [(row, page.text_below(row).strip()) for row in rows_of(page)]
    assert [(text, notes.references[key]) for key, text in texts if key in notes.references] == references
    assert [(text, notes.definitions[key]) for key, text in texts if key in notes.definitions] == definitions
    assert [text for key, text in texts if key in notes.asides] == asides
    assert not notes.starts


def test_notes_on_lines_of_one_paragraph() -> None:
    notes = notes_of(
        page_of(
            '<p>Rain<a href="#1">[1]</a> and<a href="#2">[2]</a>.<p><a name=1>[1]</a> Or snow.<br>'
            "<a name=2>[2]</a> Or hail."
        )
    )
    assert list(notes.references.values()) == list(notes.starts.values()) == ["1", "2"]
    assert not notes.definitions


@pytest.mark.parametrize(
    "html",
    [
        "<ul><li><a href='#s1'>1</a><li><a href='#s2'>2</a></ul><h2 id=s1>1 One</h2><p>x<h2 id=s2>2 Two</h2>",
        "<p>Rain<sup><a href='#fn9'>9</a></sup>.",
        "<p>Rain<sup><a href='http://a.example/#b'>1</a></sup>.",
        "<p id=top>A page of text. <a href='#top'>↑</a>",
        "<li id=c1><a href='#c1'>1</a> A comment<li id=c2><a href='#c2'>2</a> Another",
        f"<p>Rain<a href='#n1'>1</a>.<div id=n1>{'1 Much text. ' * 2000}</div>",
        "<a href='#main'>Skip to content</a><main id=main>Text</main>",
        "<p>By <a href='#mjx-eqn-1'>(1)</a><div class=math id=mjx-eqn-1><span>(1)</span> a = b</div>",
        "<p>By <a href='#eq:2'>(2)</a><p id=eq:2>(2) a = b",
        "<p>Alm (<a href='#b1'>2001a</a>)<ol><li id=b1>Alm (2001a) Snow.</ol>",
    ],
)
def test_no_footnotes(html: str) -> None:
    notes = notes_of(page_of(html))
    assert not any(notes)


MATH = (
    "<math><semantics><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow>"
    '<annotation encoding="application/x-tex">a + b</annotation></semantics></math>'
)
BARE = "<math><mi>a</mi><mo>+</mo><mi>b</mi></math>"
KATEX = (
    f"<span class=katex><span class=katex-mathml>{MATH}</span><span class=katex-html aria-hidden=true>a+b</span></span>"
)


def found_in(html: str) -> list[tuple[str, str, bool]]:
    """The tag of each formula's element, its TeX, and whether it is displayed."""
    page = page_of(html)
    candidates = candidates_of(page)
    found = formulas(page, candidates.formulas)
    return [(page.name_of(row), *found[row]) for row in sorted(found)]


@pytest.mark.parametrize(
    "html, tag, is_display",
    [
        (MATH, "math", False),
        (MATH.replace("<math", "<math display=block"), "math", True),
        (KATEX, "span", False),
        (f"<span class=katex-display>{KATEX}</span>", "span", True),
        (
            f'<span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="display: none;">{MATH}</span>'
            '<img src="https://w.example/math/render/svg/1" class="mwe-math-fallback-image-inline" alt="a + b"></span>',
            "span",
            False,
        ),
        ('<code data-math-style="inline" class="code math js-render-math">a + b</code>', "code", False),
        ('<pre data-math-style="display" class="code math js-render-math"><code>a + b</code></pre>', "pre", True),
        ('<script type="math/tex">a + b</script>', "script", False),
        ('<script type="math/tex; mode=display">a + b % sum\n</script>', "script", True),
        ('<script type="math/tex">% <![CDATA[\na + b %]]></script>', "script", False),
        # what MathJax 2 has drawn beside its script
        (
            '<span class="MathJax_Preview"></span><span class="MathJax"><nobr>a+b</nobr></span>'
            '<script type="math/tex">a + b</script>',
            "span",
            False,
        ),
        (
            '<span class="MathJax_Preview"></span><div class="MathJax_Display"><span class="MathJax">a+b</span></div>'
            '<script type="math/tex; mode=display">a + b</script>',
            "div",
            True,
        ),
        (
            '<span class="MathJax" data-mathml="&lt;math&gt;&lt;annotation encoding=TeX&gt;a + b&lt;/annotation&gt;'
            '&lt;/math&gt;"><nobr>a+b</nobr></span>',
            "span",
            False,
        ),
        ('<span class="mjx-chtml"><span class="mjx-math" aria-label="a + b">ab</span></span>', "span", False),
        ('<span class="math inline">\\(a + b\\)</span>', "span", False),
        ('<span class="math display">\\[a + b\\]</span>', "span", True),
        ('<span class="math-container">$$a + b$$</span>', "span", True),
        ("<d-math block>a + b</d-math>", "d-math", True),
        ("<d-math>a + b</d-math>", "d-math", False),
        ("<tex-math>\\usepackage{x} \\begin{document}$$a + b$$\\end{document}</tex-math>", "tex-math", True),
        ("<span data-tex='a + b'>a plus b</span>", "span", False),
        ("<i data-latex='a + b'></i>", "i", False),
        ("<i class=math data-expr='a + b'></i>", "i", False),
        ("<img class=latex alt='a + b' src=x.png>", "img", False),
        ("<img class=latexcenter alt='\\[a + b\\]' src=x.png>", "img", True),
        ("<img src=x.png alt='$a + b$'>", "img", False),
        ("<img class=equation_image src=x.png alt='LaTeX: a + b'>", "img", False),
        ("<img src='https://x.example/latex.php?latex=a+%2B+b&bg=fff' alt='An equation of the rain'>", "img", False),
        ("<img src='https://latex.codecogs.com/svg.image?a&plus;'>".replace("&plus;", "%20%2B%20b"), "img", False),
        ("<math alttext='{a + b}'><mi>a</mi></math>".replace("{a + b}", "a + b").replace("+", "_"), "math", False),
    ],
)
def test_formulas(html: str, tag: str, is_display: bool) -> None:
    (found,) = found_in(f"<p>Where {html} is.")
    assert (found[0], found[1].replace("_", "+"), found[2]) == (tag, "a + b", is_display)


def test_mathml_without_tex_is_converted() -> None:
    page = f"<mjx-container display=true><mjx-math></mjx-math><mjx-assistive-mml>{BARE}</mjx-assistive-mml>"
    assert found_in(page) == [("mjx-container", "a+b", True)]
    assert found_in(f"<p>{BARE}") == [("math", "a+b", False)]


@pytest.mark.parametrize("html", [
    "<img src=x.png alt='$5 off'>", "<img src=x.png alt='A view of the sea'>", "<span data-math=12>12</span>",
    "<span data-expr='{\"a\": 1}'>12</span>", "<span class=tex>Texas</span>", "<script>a + b</script>",
    "<span class=math></span>", "<math><mspace/></math>",
])  # fmt: skip
def test_no_formulas(html: str) -> None:
    assert found_in(f"<p>Where {html} is.") == []


def test_each_formula_is_found_once_without_escapes() -> None:
    assert [tex for _, tex, _ in found_in(f"<p>{KATEX} and {KATEX} and {MATH}")] == ["a + b"] * 3
    assert found_in('<p><script type="math/tex">a &lt; b &amp; c</script>') == [("script", "a < b & c", False)]


@pytest.mark.parametrize("text, expected", [
    (" \\(x\\) ", ("x", False)), ("$x$", ("x", False)), ("$$ x $$", ("x", True)), ("\\[x\\]", ("x", True)),
    ("x", ("x", None)), ("\\(x\\) and \\(y\\)", ("\\(x\\) and \\(y\\)", None)),
])  # fmt: skip
def test_delimiters(text: str, expected: tuple[str, bool | None]) -> None:
    assert delimited_tex(text) == expected


@pytest.mark.parametrize("bait", ["%", "% ", "%]]> ", "\\begin{document}", "{", "\\(", "$"])
def test_linear_time(bait: str) -> None:
    def page(size: int) -> str:
        return f'<script type="math/tex">{bait * size}</script><img class=tex src=a.png alt="{bait * size}">'

    assert_linear_time(found_in, page, 2_000)
