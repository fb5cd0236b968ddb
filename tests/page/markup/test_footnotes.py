"""Footnotes whose marks are links."""

# ruff: noqa: E501
from __future__ import annotations

import pytest
from operations import assert_linear
from page_rows import page_of, rows_of

from ncfilters.native.page_table import PageTable
from ncfilters.page.markup.candidates import candidates_of
from ncfilters.page.markup.footnotes import footnotes
from ncfilters.page.markup.unlinked_notes import Footnotes

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
        [("[1]", "id2")], [("[1]Or snow.", "id2")], ["[1]", "1"],
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


def test_linear() -> None:
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
