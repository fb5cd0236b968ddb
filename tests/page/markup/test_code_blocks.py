"""The blocks of code on a page."""

from __future__ import annotations

import pytest
from code_pages import LINES, LISTINGS
from operations import assert_linear
from page_rows import page_of, rows_of

from ncfilters.page.markup.candidates import candidates_of
from ncfilters.page.markup.code_blocks import CodeBlock, code_blocks


def blocks_in(html: str) -> list[CodeBlock]:
    page = page_of(html)
    return sorted(set(code_blocks(page, candidates_of(page)).values()))


@pytest.mark.parametrize("name", LISTINGS)
def test_each_listing_is_one_block(name: str) -> None:
    (block,) = blocks_in(f"<p>Before <code>inline</code>.</p>{LISTINGS[name]}<p>After.")
    assert block.text == LINES


def test_numbers_and_languages() -> None:
    page = "<pre class=lang-js>a</pre><p>Text</p><pre>b</pre>" + LISTINGS["Hexo"]
    assert blocks_in(page) == [CodeBlock(1, "a", "js"), CodeBlock(2, "b", None), CodeBlock(3, LINES, "python")]


@pytest.mark.parametrize(
    "html",
    [
        "<p>Use <code>a\n b</code> here.",
        f"<p>{'Much text. ' * 40}<code>a<br>b</code>",
        "<p>Do <code>a<br>b</code>",
        "<p><i><code>a<br>b</code></i> and <b>more</b>.",
        "<p><kbd>a</kbd><br><kbd>b<br>c</kbd>",
        "<p><img src=a><code>a<br>b</code><a href=b><b>c</b></a>",
        "<p style='white-space: pre-wrap'>A paragraph\nof two lines.",
        "<pre>  \n </pre>",
        "<table class=data><tr><td>1<td>one<tr><td>2<td>two</table>",
        "<pre></pre><table style='white-space: nowrap'><tr><td>1<td>one<tr><td>2<td>two</table>",
        "<p style='white-space: pre; font: Courier'>One line.",
    ],
)
def test_no_blocks(html: str) -> None:
    assert blocks_in(html) == []


@pytest.mark.parametrize(
    "html",
    [
        "<div><p>Text.</p><code>a<br>b</code><button>Copy</button> Text",
        "<p><img src=a> <tt>a<br>b</tt><!-- Text --><svg><text>c</text></svg>",
        "<p><kbd>a<br>b</kbd><p>Text",
        "<p><i><samp>a<br>b</samp></i> <b> </b>",
        "<pre><code class=line>a</code><code class=line>b</code></pre>",
        "<div class=ql-code-block-container><div class=ql-code-block>a</div><div class=ql-code-block>b</div></div>",
        "<div class='php codecolorer'>a<br />b</div>",
    ],
)
def test_lines_on_their_own(html: str) -> None:
    assert blocks_in(html) == [CodeBlock(1, "a\nb", "php" if "php" in html else None)]


def test_code_of_distill() -> None:
    html = "<p><d-code language=python>f()</d-code></p><d-code block language=python>\nf():\n  g\n</d-code>"
    assert [(block.text.strip("\n"), block.language) for block in blocks_in(html)] == [("f():\n  g", "python")]


def test_a_table_of_listings_is_no_listing() -> None:
    assert [block.text for block in blocks_in("<table><tr><td>C<td><pre>a</pre><tr><td>2<td><pre>b</pre></table>")] == [
        "a",
        "b",
    ]


def test_buttons_and_labels_belong_to_their_code() -> None:
    page = page_of(
        "<div class=code-toolbar><span class=lang>js</span><pre>a</pre><div class=title>a.js</div><button>Copy</button>"
    )
    found = code_blocks(page, candidates_of(page))
    names = {page.name_of(row) for row in found}
    assert names == {"span", "pre", "button"}


def test_linear() -> None:
    for tag in ("<code>a", "<pre>a</pre>", "<div class=highlight><pre>a</pre>", "<table><tr><td>1<td><pre>a</pre>"):
        assert_linear(blocks_in, lambda size, tag=tag: "<p>" + tag * size, 150)


def test_labels_are_those_of_the_nearest_code() -> None:
    one = "<div class=code><span class=lang>{}</span><pre>{}</pre></div>"
    page = page_of(f"<div class=code-group>{one.format('js', 'a')}{one.format('ts', 'b')}</div>")
    found = code_blocks(page, candidates_of(page))
    assert [found[row].text for row in rows_of(page, "span")] == ["a", "b"]


def test_the_title_of_a_table_of_code_is_none() -> None:
    page = page_of(
        "<table><tr><th colspan=2>x.py<tr><td class=linenos><pre>1\n2</pre><td><pre>a\n  b</pre></table>"
        "<table><tr><td>1<td><pre>c</pre></table>"
    )
    assert [block.text for block in dict.fromkeys(code_blocks(page, candidates_of(page)).values())] == ["a\n  b", "c"]


def test_code_with_lines_by_its_style() -> None:
    assert [block.text for block in blocks_in("<p>Text</p><code style='white-space:pre'>a\n  b</code>")] == ["a\n  b"]
