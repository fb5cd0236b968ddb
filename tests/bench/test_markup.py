"""The measure of markup: what it finds in Markdown, in HTML and in the DOM of pages, and what it scores."""

from __future__ import annotations

from collections import Counter

import pytest

pytest.importorskip("mdit_py_plugins")

from bench import markup
from bench.markup_elements import (
    ROWS,
    Elements,
    cells_of,
    elements_of_html,
    elements_of_markdown,
    invented,
    normal_url,
    parse,
    scores,
)
from bench.markup_pages import Page, elements_of_dom, own_pages

MARKDOWN = """# Rain ¶

It *rained* in [the **fen**](../fen?a=1&b=2) for $n^2$ days,[^a] as `rain --days` says. It costs $5 or $10.

- wet
    1. [x] wetter

       still
- ![a drop](drop.png)

> so it goes

```python
if rain:
    stay()
```

| a | b |
| --- | --- |
|  | 1 |

[^a]: Not counting Sunday.
"""
HTML = """<h1>Rain</h1><p>It <i>rained</i> in <a href="https://e.org/fen?a=1&amp;b=2">the <b>fen</b></a> for
<span class="math">n^2</span> days,<sup><a href="#n1">1</a></sup> as <tt>rain --days</tt> says.</p>
<ul><li>wet<ol><li>wetter<p>still</p></li></ol></li><li><img src="https://e.org/x/drop.png" alt="A drop"></li></ul>
<blockquote>so it goes</blockquote><pre class="lang-python">if rain:
    stay()</pre><table><tr><th>a<th>b<tr><td><td>1</table><ol><li id="n1">1. Not counting Sunday.</li></ol>"""


def fields(elements: Elements) -> dict[str, object]:
    return {name: value for name, value in vars(elements).items() if name != "text"}


def test_elements_of_markdown() -> None:
    assert fields(elements_of_markdown(MARKDOWN, "https://e.org/x/y")) == {
        "headings": Counter({(1, "rain"): 1}),
        "items": Counter({(1, "wet"): 1, (2, "wetter still"): 1}),
        "code": [("if rain:\n    stay()", "python")],
        "inline_code": Counter({"rain --days": 1}),
        "cells": Counter({(0, 0, "a"): 1, (0, 1, "b"): 1, (1, 1, "1"): 1}),
        "links": Counter({("https://e.org/fen?a=1&b=2", "the fen"): 1}),
        "sources": Counter({"https://e.org/x/drop.png": 1}),
        "alts": Counter({("https://e.org/x/drop.png", "a drop"): 1}),
        "emphasis": Counter({("em", "rained"): 1, ("strong", "fen"): 1}),
        "quotes": Counter("so it goes".split()),
        "formulas": ["n^2"],
        "notes": [("n 2 days", "not counting sunday")],
    }


def test_html_of_the_same_page_scores_alike() -> None:
    page, html = elements_of_markdown(MARKDOWN, "https://e.org/x/y"), elements_of_html(HTML)
    assert scores(page, html) == dict.fromkeys(ROWS, 1.0)
    assert scores(page, page) == dict.fromkeys(ROWS, 1.0)
    assert invented(Elements(), html)["headings, right level"]


def test_what_is_missing_or_too_much_costs() -> None:
    page = elements_of_markdown(MARKDOWN, "https://e.org/x/y")
    worse = MARKDOWN.replace("# Rain", "## Rain").replace("    1. [x]", "1. [x]").replace("|  | 1 |", "| 1 |  |")
    worse = worse.replace("python", "c").replace("    stay()", "  stay()").replace("$n^2$", "n^2")
    worse = worse.replace("days,[^a]", "[^a] days,").replace("../fen", "/x/fen").replace("*rained*", "**rained**")
    figures = scores(page, elements_of_markdown(worse, "https://e.org/x/y"))
    assert {name: round(figure, 2) for name, figure in figures.items()} == {
        "headings, right level": 0.0, "list items, right depth": 0.5, "code blocks found": 1.0,
        "code, lines and indents exact": 0.0, "code, language": 0.0, "inline code": 1.0,
        "table cells, right row and column": 0.67, "links, text and URL": 0.0, "images, src": 1.0, "images, alt": 1.0,
        "emphasis": 0.5, "block quotes, words": 1.0, "TeX found": 1.0, "TeX delimited": 0.0, "footnotes linked": 0.0,
    }  # fmt: skip


def test_cells_and_urls_are_equal_however_written() -> None:
    html = "<table><tr><th rowspan=2>g<th colspan=2>n<tr><td>1<td>2<tr><td> <td><tr><td>l<td>3</table>"
    places = [(row, column, cell.text) for row, column, cell, _ in cells_of(next(parse(html).iter("table")))]
    assert places == [(0, 0, "g"), (0, 1, "n"), (1, 1, "1"), (1, 2, "2"), (2, 0, "l"), (2, 1, "3")]
    assert normal_url("/%7Eb/ä/", "http://E.org/x") == normal_url("http://e.org/~b/%C3%A4")
    assert normal_url("http://e.org/?q=a b") == "http://e.org?q=a%20b"


def test_elements_of_the_dom_are_those_of_the_gold_text() -> None:
    body = """The rain fell on the <b>old fen</b> for days, and nobody who lived there was <a href='/s'>surprised</a>
    at all."""
    html = f"""<nav><ul><li><a href="/">The rain</a></ul></nav><h2>Home of rain</h2><article><h1>The fen</h1><p>{body}
    <p><img src="data:," data-src="/fen.jpg" alt="Fen"><p>{body}</article><aside><h2>More</h2><b>old mill</b></aside>"""
    gold = "The fen\n" + 2 * "The rain fell on the old fen for days, and nobody who lived there was surprised at all.\n"
    page = elements_of_dom(html, gold, "https://e.org/")
    assert page.headings == Counter({(1, "the fen"): 1})
    assert page.emphasis == Counter({("strong", "old fen"): 2})
    assert page.links == Counter({("https://e.org/s", "surprised"): 2})
    assert page.alts == Counter({("https://e.org/fen.jpg", "fen"): 1})
    assert not page.items


def test_layout_tables_and_line_numbers_are_no_data() -> None:
    words = "It is so wet that even the frogs of the fen complain about the rain"
    html = f"""<table><tr><td>{words}</table><table><tr><td class="gutter"><pre>1</pre><td><pre>frog()</pre></table>
    <p>{words}</p><table><tr><td>frogs<td>7<tr><td>eels<td>9</table>"""
    page = elements_of_dom(html, f"{words} frog() {words} frogs 7 eels 9", "")
    assert page.cells == Counter({(0, 0, "frogs"): 1, (0, 1, "7"): 1, (1, 0, "eels"): 1, (1, 1, "9"): 1})
    assert page.code == [("frog()", "")]


def test_pages_of_the_project_are_what_they_expect() -> None:
    pages = list(own_pages())
    assert len(pages) > 40
    found = {row for page in pages for row in scores(page.expected, page.expected)}
    assert found == set(ROWS)


def test_failures_are_listed_by_row() -> None:
    expected = elements_of_markdown("# Rain and wind\n\n- one\n- two")
    page = Page("rain", "<article><h2>Rain and wind</h2><p>It rained all day long in the fen.</article>", "", expected)
    lines = "\n".join(markup.failures([page]))
    assert "## headings, right level: 1 pages" in lines
    assert "    - (1, 'rain and wind')" in lines
    assert "    - (1, 'one')" in lines
