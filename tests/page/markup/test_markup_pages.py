"""Markup of whole pages: fields, details, code, links."""

from __future__ import annotations

import random
from typing import Any
from urllib.parse import urljoin

import pytest
from code_pages import LINES, LISTINGS
from operations import assert_linear
from page_rows import page_of, rows_of

from ncfilters.page.markup import markup_fields
from ncfilters.page.markup.candidates import candidates_of
from ncfilters.page.markup.code_blocks import CodeBlock, code_blocks
from ncfilters.page.markup.code_text import code_text, is_no_code
from ncfilters.page.markup.markup_context import Details, PageNumbers
from ncfilters.page.markup.markup_reader import details_of_page
from ncfilters.page.markup.page_links import MAX_URL_CHARS, PageLinks, links_of_page


# ---- details ----
def found_in(html: str) -> list[tuple[str, Any, dict[str, Any]]]:
    """The tag, the mark and the names of the fields of each element with details."""
    page = page_of(html)
    details = details_of_page(page)
    rows = sorted(details.rows)
    return [(page.name_of(row), details.marks.get(row), [*details.fields.get(row, {})]) for row in rows]


@pytest.mark.parametrize(
    "html, expected",
    [
        ("<p>Text <a href='#main'>Skip</a> <img src=a.png>", []),
        ("<table><tr><td>menu<td>text</table>", []),
        ("<table><tr><th>a<td>b</table>", [("th", None, ["table", "cell"]), ("td", None, ["table", "cell"])]),
        ("<pre>a</pre>", [("pre", None, ["code"])]),
        ("<p><math><mi>x</mi></math>", [("math", ("math", "x"), [])]),
        ("<p><img class=latex alt=x>", [("img", ("math", "x"), [])]),
        ("<p><img src='/media/math/render/svg/1' alt='x^2'>", [("img", ("math", "x^2"), [])]),
        ("<p><img src='/cgi-bin/mimetex.cgi?x^2'>", [("img", ("math", "x^2"), [])]),
        ("<div class=view-lines><div class=view-line>a</div></div>", [("div", None, ["code"])]),
        ("<div class=ql-code-block-container><div class=ql-code-block>a</div></div>", [("div", None, ["code"])]),
        ("<p>Rain<span class=sidenote>Snow</span>", [("span", ("footnote", "sidenote-1"), [])]),
        (
            "<p>Rain<sup>1</sup><p><sup>1</sup> Snow",
            [("sup", ("note", "note-1"), []), ("p", None, ["note"]), ("sup", ("aside",), [])],
        ),
        ("<h2>Rain <a href=#rain>#</a></h2><p><a href=#x>#</a>", [("a", ("aside",), [])]),
        ("<h2>Rain<a href=#rain>\u200b</a></h2>", [("a", ("aside",), [])]),
        ("<h2>Rain <a href=#rain class=headerlink>Link</a> <a href=#x>x</a></h2>", [("a", ("aside",), [])]),
        ("<h2><a href=#rain class=heading-anchor>Rain</a></h2>", []),
        ("<h2 id=rain>Rain <a href=#rain class=a-Link>Link here</a> <a href=#rain>x</a></h2>", [("a", ("aside",), [])]),
        ("<h2 id=rain>Rain <a href=#snow class=link>Snow</a></h2>", []),
        ("<h2>Rain</h2><span class=mw-editsection>[<a href=?a=1#e>edit</a>]</span>", [("span", ("aside",), [])]),
        (
            "<div role=table><p role=row><i role=cell>a</i></p>"
            "<div role=row><div role=rowheader>a</div><div role=cell>b</div></div>"
            "<div role=row><div role=cell>a</div></div></div>",
            [("div", None, ["table", "cell"])] * 3,
        ),
        # a table of code is no table of data
        ("<table class=highlight><tr><th>1<td>a</table>", [("table", None, ["code"])]),
        ("<pre><table><tr><th>1<td>a</table></pre>", [("pre", None, ["code"])]),
    ],
)  # fmt: skip
def test_details(html: str, expected: list[Any]) -> None:
    assert found_in(html) == expected


def test_numbers_marks_and_fields_of_details() -> None:
    numbers = PageNumbers()
    for _ in range(2):
        details_of_page(page_of("<pre>a</pre><pre>b</pre><table><tr><th>a<td>b</table>"), numbers)
    assert (numbers.code, numbers.table) == (5, 3)
    details = Details()
    details.add_mark(3, "aside")
    details.add_mark(3, "note", "x")
    details.add_fields(3, table=1)
    assert (details.marks, details.fields) == ({3: ("aside",)}, {3: {"table": 1}})


# ---- markup_fields ----
TEXT = "See this page."


def block_of(**fields: Any) -> dict[str, Any]:
    return {"text": TEXT, "spans": [[4, 13, "link", "x"], [9, 13, "em"], [13, 13, "image", {"src": "i"}]], **fields}


def test_a_part_has_the_parts_of_its_spans() -> None:
    block = block_of(
        cells=[{"start": 0, "end": 8, "row": 1, "column": 1}, {"start": 9, "end": 14, "row": 1, "column": 2}]
    )
    markup_fields.keep_part(block, 6, 11)
    assert block["spans"] == [[0, 5, "link", "x"], [3, 5, "em"]]
    assert block["cells"] == [
        {"start": 0, "end": 2, "row": 1, "column": 1},
        {"start": 3, "end": 5, "row": 1, "column": 2},
    ]
    markup_fields.keep_part(block, 5, 5)
    assert "spans" not in block


def test_spans_move_and_stay_with_their_text() -> None:
    block = block_of(cells=[{"start": 0, "end": 14, "row": 1, "column": 1}])
    markup_fields.move(block, lambda positions: [at + 2 for at in positions], "  " + TEXT)
    assert block["spans"] == [[6, 15, "link", "x"], [11, 15, "em"], [15, 15, "image", {"src": "i"}]]
    assert block["cells"][0]["end"] == 16
    block = {"text": "a", "spans": [[1, 3, "em"], [2, 2, "image", {}]]}
    markup_fields.move(block, lambda positions: [1 for _ in positions], "a")
    assert block["spans"] == [[1, 1, "image", {}]]
    assert markup_fields.has_markup({"text": "", "figure": []})
    assert not markup_fields.has_markup({"text": "", "level": 1})


def test_joined_parts_keep_their_spans_and_cells() -> None:
    parts = [
        {"text": "ab", "spans": [[0, 1, "em"]], "depth": 1, "item": 1, "figure": [{"src": "i", "alt": ""}]},
        {"text": "c", "depth": 1, "item": 2, "figure": [{"src": "j", "alt": "", "after": True}]},
    ]
    block: dict[str, Any] = {"text": "ab c"}
    markup_fields.join(block, parts, [0, 3])
    assert block == {
        "text": "ab c",
        "spans": [[0, 0, "image", {"src": "i", "alt": ""}], [0, 1, "em"], [4, 4, "image", {"src": "j", "alt": ""}]],
        "depth": 1,
    }
    parts = [
        {"text": "ab", "spans": [[0, 2, "strong"], [1, 2, "em"]]},
        {"text": "cd", "spans": [[0, 2, "strong"], [0, 1, "em"], [1, 2, "em"]]},
        {"text": "ef", "spans": [[0, 1, "strong"], [1, 2, "em"]]},
    ]
    block: dict[str, Any] = {"text": "ab cd ef"}
    markup_fields.join(block, parts, [0, 3, 6], frozenset(("em", "strong")))
    assert block["spans"] == [[0, 7, "strong"], [1, 4, "em"], [4, 5, "em"], [7, 8, "em"]]
    block: dict[str, Any] = {"text": "a\nb\tc"}
    cell = {"start": 0, "end": 1, "row": 0, "column": 0}
    cells = [cell, cell, {**cell, "column": 1}]
    parts = [{"text": text, "cells": [own]} for text, own in zip("abc", cells)]
    markup_fields.join(block, parts, [0, 2, 4])
    assert [(c["start"], c["end"], c["column"]) for c in block["cells"]] == [(0, 3, 0), (4, 5, 1)]


# ---- code_text ----
def text_of(html: str) -> str:
    page = page_of(html)
    return code_text(page, rows_of(page, "body")[0] + 1)


@pytest.mark.parametrize(
    "html, expected",
    [
        ("<pre>\n\n  a\n\n  b  \n\n</pre>", "  a\n\n  b"),
        ("<pre>a\r\nb</pre>", "a\nb"),
        ("<pre>\ta&nbsp;b</pre>", "\ta b"),
        ("<pre>a<br>b<br><br>c</pre>", "a\nb\n\nc"),
        ("<pre><div>a</div><br><div>b</div><div></div><div>c</div></pre>", "a\n\nb\nc"),
        ("<pre><span class=line>a</span><span class=line></span><span class=line>b</span></pre>", "a\n\nb"),
        ("<pre><span class=line>a</span>\n<span class=line></span>\n<span class=line>b</span></pre>", "a\n\nb"),
        ("<table class=highlight><tr><td>a</td></tr><tr><td>\n</td></tr><tr><td>  b</td></tr></table>", "a\n\n  b"),
        ("<pre>a<button>Copy</button><span class='sr-only'>code</span>\nb<script>x()</script></pre>", "a\nb"),
        ("<pre><span style='user-select: none'>12 </span>a <span style='user-select:none'>$ </span>b</pre>", "a $ b"),
        ("<pre><table><tr><td>1</td><td>a</td></tr><tr><td>2</td><td>b</td></tr></table></pre>", "a\nb"),
        ("<pre>1\n2\n3</pre>", "1\n2\n3"),
        (
            f"<pre>{''.join(f'<div><i>{n}</i><div>{line}</div></div>' for n, line in enumerate('abc', 7))}</pre>",
            "a\nb\nc",
        ),
        ("<pre><div>1</div><div>a</div><div>2</div><div>b</div><div>4</div></pre>", "1\na\n2\nb\n4"),
        ("<pre><div><i>1</i><div>a</div></div><div><i>2</i><div>b</div></div></pre>", "a\nb"),
        ("<pre><div><i>2</i><div>a</div></div><div><i>3</i><div>b</div></div></pre>", "2\na\n3\nb"),
        ("<pre><div>1</div><div>10</div><div>2</div><div>20</div></pre>", "1\n10\n2\n20"),
        ("<pre><div>1</div><div>a</div></pre>", "1\na"),
        ("<pre>a\n<span class=gatsby-highlight-code-line>b</span>c</pre>", "a\nb\nc"),
        ("<table><tr><td><pre>a<a></a>\n<a></a>\n<a></a>b</pre></table>", "a\n\nb"),
        ("<pre class='line-numbers'>12</pre>", "12"),
        ("<pre><!-- a --><b>b</b> c</pre>", "b c"),
        ("<pre><code><span class=highlight-line><b>a</b></span><span class='grid highlight-line'>b</span>", "a\nb"),
        ("<pre><i>1</i> a\n<i>2</i>   b\n<i>3</i>\n<i>4</i> c</pre>", "a\n  b\n\nc"),
        ("<pre> <i>1</i> a\n 2 b</pre>", " 1 a\n 2 b"),
        ("<pre><label>Original spacing</label><pre>a\n  b</pre></pre>", "a\n  b"),
    ],
)
def test_text(html: str, expected: str) -> None:
    assert text_of(html) == expected


@pytest.mark.parametrize("html, expected", [
    ("<button>a", True), ("<span class=lineno>1", True), ("<span class='line-numbers'>1", True),
    ("<code class='line-numbers'>x = 1", False), ("<span data-line-number=1>1", True),
    ("<span data-line-number=1>x = 1", False), ("<a role=button>a", True), ("<span class=guttering>a", False),
    ("<span>1", False),
])  # fmt: skip
def test_what_is_no_code(html: str, expected: bool) -> None:
    page = page_of(html)
    assert is_no_code(page, rows_of(page, "body")[0] + 1) is expected


def test_linear() -> None:
    for tag in ("<div class=line>a", "<span>a", "<table><tr><td>1<td>a", "<br>a"):
        assert_linear(text_of, lambda size, tag=tag: "<pre>" + tag * size, 100)


# ---- page_links ----
PAGE = "http://a.example/b/c.html?d=1#e"


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("f.html", "http://a.example/b/f.html"), ("../f", "http://a.example/f"),
        ("/f?g=h&i", "http://a.example/f?g=h&i"), ("//b.example/f", "http://b.example/f"),
        ("?g", "http://a.example/b/c.html?g"), ("#g", "http://a.example/b/c.html?d=1#g"),
        ("", "http://a.example/b/c.html?d=1#e"), (" https://b.example/ä b\n.html ", "https://b.example/ä%20b.html"),
        ("https://www.google.com/url?sa=D&q=http://b.example/a%3Fb&ust=1", "http://b.example/a?b"),
        (
            "https://www.google.com/url?q=https://www.google.com/url?q=javascript:x",
            "https://www.google.com/url?q=javascript:x",
        ),
        ("HTTP://B.example", "HTTP://B.example"), ("mailto:a@b.example", "mailto:a@b.example"),
        ('f"><b>', "http://a.example/b/f%22%3E%3Cb%3E"), ("JavaScript:void(0)", None), ("java\nscript:void(0)", None),
        (" \x01javascript:x()", None), ("data:text/html,x", None), ("http://[broken", None), ("//[broken", None),
        ("x" * (MAX_URL_CHARS + 1), None), (None, None),
    ],
)  # fmt: skip
def test_addresses(address: str | None, url: str | None) -> None:
    assert PageLinks(PAGE).resolve(address) == url


def test_addresses_without_a_page_and_of_the_front_page() -> None:
    links = PageLinks()
    assert [links.resolve(address) for address in ("a b", "#c", "/d", "")] == ["a%20b", "#c", "/d", None]
    links = PageLinks("https://a.example/b/c.html")
    assert links.is_front_page("https://a.example/") and links.is_front_page("https://a.example")
    assert not links.is_front_page("https://a.example/b/") and not links.is_front_page("https://b.example/")
    assert PageLinks().is_front_page("/") and not PageLinks().is_front_page("b/")


@pytest.mark.parametrize(
    ("html", "url", "base"),
    [
        ("<base href=/x/>", PAGE, "http://a.example/x/"),
        ("<base target=_top><base href=http://b.example/><base href=c>", PAGE, "http://b.example/"),
        ("<p>late<base href=http://b.example/y>", None, ""),
        ("<base href=http://b.example/y>", None, "http://b.example/y"), ("<base href='javascript:x'>", PAGE, PAGE),
        ("<base href='http://[x'>", PAGE, PAGE), ("<p>none", "no address", ""), ("<p>none", None, ""),
        ("<link rel=canonical href=http://b.example/y>", None, ""),  # an address that other pages may share
    ],
)  # fmt: skip
def test_base_of_a_page(html: str, url: str | None, base: str) -> None:
    assert links_of_page(page_of(html), url).base == base


# What bases and folders are made of: `urljoin` drops empty names and reads dots and parameters.
NAMES = ["a", "b-c", ".", "..", "", "%20", "x;p", "~u", "c:d", "..a", "a."]
HOSTS = ["http://a.example", "https://A.example:80", "HTTP://a.example", "ftp://a", "//a.example", "http://[::1]"]
ENDS = ["", "/", "?q=/a/../b", "#f/../x", "?", "#", ";p"]


def test_folders_are_those_of_urljoin() -> None:
    chance = random.Random(1)
    for _ in range(2_000):
        base = chance.choice(HOSTS) + "".join([f"/{name}" for name in chance.choices(NAMES, k=chance.randrange(4))])
        links = PageLinks(base + chance.choice(ENDS))
        folder = "".join([f"{name}/" for name in chance.choices(NAMES, k=chance.randrange(3))])
        assert links.address_of_folder(folder) == urljoin(links.base, f"{folder}x").removesuffix("x")
        assert links.address_of_folder("?") == urljoin(links.base, "?x").removesuffix("?x")


@pytest.mark.parametrize(("folder", "address"), [
    ("", "http://a.example/b/"), ("d/e/", "http://a.example/b/d/e/"), ("/d/", "http://a.example/d/"),
    ("../d/", "http://a.example/d/"), ("?", "http://a.example/b/c.html"),
])  # fmt: skip
def test_plain_folders(folder: str, address: str) -> None:
    assert PageLinks(PAGE).address_of_folder(folder) == address


# ---- code_blocks ----
def blocks_in(html: str) -> list[CodeBlock]:
    page = page_of(html)
    return sorted(set(code_blocks(page, candidates_of(page)).values()))


def test_languages_titles_and_tables_of_listings() -> None:
    # numbers and languages
    page = "<pre class=lang-js>a</pre><p>Text</p><pre>b</pre>" + LISTINGS["Hexo"]
    assert blocks_in(page) == [CodeBlock(1, "a", "js"), CodeBlock(2, "b", None), CodeBlock(3, LINES, "python")]
    # code of distill
    html = "<p><d-code language=python>f()</d-code></p><d-code block language=python>\nf():\n  g\n</d-code>"
    assert [(block.text.strip("\n"), block.language) for block in blocks_in(html)] == [("f():\n  g", "python")]
    # a table of listings is no listing
    assert [block.text for block in blocks_in("<table><tr><td>C<td><pre>a</pre><tr><td>2<td><pre>b</pre></table>")] == [
        "a",
        "b",
    ]
    # the title of a table of code is none
    page = page_of(
        "<table><tr><th colspan=2>x.py<tr><td class=linenos><pre>1\n2</pre><td><pre>a\n  b</pre></table>"
        "<table><tr><td>1<td><pre>c</pre></table>"
    )
    assert [block.text for block in dict.fromkeys(code_blocks(page, candidates_of(page)).values())] == ["a\n  b", "c"]
    # code with lines by its style
    assert [block.text for block in blocks_in("<p>Text</p><code style='white-space:pre'>a\n  b</code>")] == ["a\n  b"]


@pytest.mark.parametrize("html", [
    "<p>Use <code>a\n b</code> here.", f"<p>{'Much text. ' * 40}<code>a<br>b</code>", "<p>Do <code>a<br>b</code>",
    "<p><i><code>a<br>b</code></i> and <b>more</b>.", "<p><kbd>a</kbd><br><kbd>b<br>c</kbd>",
    "<p><img src=a><code>a<br>b</code><a href=b><b>c</b></a>",
    "<p style='white-space: pre-wrap'>A paragraph\nof two lines.", "<pre>  \n </pre>",
    "<table class=data><tr><td>1<td>one<tr><td>2<td>two</table>",
    "<pre></pre><table style='white-space: nowrap'><tr><td>1<td>one<tr><td>2<td>two</table>",
    "<p style='white-space: pre; font: Courier'>One line.",
])  # fmt: skip
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


def test_buttons_and_labels_belong_to_their_code() -> None:
    page = page_of(
        "<div class=code-toolbar><span class=lang>js</span><pre>a</pre><div class=title>a.js</div><button>Copy</button>"
    )
    found = code_blocks(page, candidates_of(page))
    names = {page.name_of(row) for row in found}
    assert names == {"span", "pre", "button"}
    one = "<div class=code><span class=lang>{}</span><pre>{}</pre></div>"
    page = page_of(f"<div class=code-group>{one.format('js', 'a')}{one.format('ts', 'b')}</div>")
    found = code_blocks(page, candidates_of(page))
    assert [found[row].text for row in rows_of(page, "span")] == ["a", "b"]


@pytest.mark.parametrize(
    ("tag", "most"),  # a table has four elements that stay open
    [
        ("<code>a", 150),
        ("<pre>a</pre>", 150),
        ("<div class=highlight><pre>a</pre>", 150),
        ("<table><tr><td>1<td><pre>a</pre>", 50),
    ],
)
def test_linear_of_code_blocks(tag: str, most: int) -> None:
    assert_linear(blocks_in, lambda size: "<p>" + tag * size, most)
