"""Families of pages that are hostile to nc-segment --markup, each of a size n (see `hostile_pages`): links, notes,
tables, code, formulas, and metadata in segments."""

from __future__ import annotations

from bench.hostile_pages import SENTENCES, Make, numbered, repeated, script


def _deep(make: Make) -> Make:
    """The same in hundreds of elements."""
    return lambda n: "<div class=a>" * 390 + make(n)


def _numbers(pattern: str, n: int, end: int = 1_000_000) -> str:
    return "".join([pattern.replace("@", str(at % end)) for at in range(n)])


MARKUP_FAMILIES: dict[str, Make] = {
    "accents apart in cells": repeated("<tr><td>e\u0301 <b>b</b><td>c\u0301 d and more words of it", "<table>"),
    "accents apart in links": repeated("<p>Cafe\u0301 <a href=/x>ne\u0301e</a> and <em>u\u0308ber</em> some more"),
    "windows-1252 as Unicode": repeated("<p>It\x92s <b>the\x93 word\x94</b> of some more text"),
    "joiners in cells": repeated("<tr><td>a\u200d b<td>c\u200d d and \u200b more words of it", "<table>"),
    "lines with soft hyphens": repeated("so\u00adme <b>words</b> here of it, and some more of them<br>", "<p>"),
    "images in links": numbered("<a href=/p@.html><img src=/i@.jpg alt='some text @'></a> "),
    "images in links, deep": _deep(numbered("<a href=/p@.html><img src=/i@.jpg alt='some text @'></a> ")),
    "sources of pictures": numbered(
        "<picture><source srcset='/a@.webp 1x, /b@.webp 2x' type=image/webp><img src=/d@.jpg alt=x></picture> text "
    ),
    "images before text": lambda n: "<div><img src=/a.jpg></div>" * n + "<p>word",
    "quotes": numbered("<blockquote><p>He said number @ to all of us.</p><cite>Jo Doe</cite></blockquote>"),
    "nested lists with words": repeated("<ul><li>some words of an item <b>x</b>"),
    "tasks": repeated("<ul><li><input type=checkbox checked> <label>do that now</label><li>some words</ul>"),
    "notes in one paragraph": lambda n: (
        f"<p>{_numbers('words of <sup><a href=#n@>@</a></sup> and ', n)}<ol>{_numbers('<li id=n@>Note @ on that.', n)}"
    ),
    "notes in one cell": lambda n: (
        f"<p>{_numbers('word<a href=#fn@>@</a> ', n)}<table><tr><td>{_numbers('<a id=fn@></a>@ note ', n)}"
    ),
    "empty anchors in one cell": lambda n: (
        f"<p>{_numbers('word<a href=#fn@>@</a> ', n)}<table><tr><td>{_numbers('<a id=fn@></a>', n)}note"
    ),
    "marks in one element": lambda n: (
        f"<p><b>{_numbers('word<a href=#fn@>@</a> ', n)}</b><ol>{_numbers('<li id=fn@>Note @ on that.', n)}"
    ),
    "links back in one element": lambda n: "<p><a href=#n>1</a><ol><li id=n><b>" + "<a href=#r>^</a>" * n + "</b>",
    "notes in notes": lambda n: (
        _numbers("<a href=#f@>@</a> ", 350) + _numbers("<p><div id=f@>", 350) + "<a href=#r>^</a>" * n
    ),
    "notes without links": lambda n: (
        f"<p>{_numbers('word<sup>@</sup> and more ', n, 999)}{_numbers('<p><sup>@</sup> The note on that.', n, 999)}"
    ),
    "notes in sentences": numbered(
        "It rained<label for=s@></label><span class=sidenote>Or snowed @ times.</span> and so on. "
    ),
    "tables with captions": numbered(
        "<table><caption>Table @: what it is <b>about</b></caption><tr><th>a<th>b<tr><td>1<td>2</table>"
    ),
    "tables of roles": repeated(
        "<div role=table><div role=row><div role=cell>some</div><div role=cell>words</div></div></div>"
    ),
    "many rows of roles": repeated(
        "<div role=row><div role=cell>some</div><div role=cell>words</div></div>", "<div role=table>", "</div>"
    ),
    "crossing spans": repeated("<b>some <i>words </b>and </i>more words of it, and then a few more, they say ", "<p>"),
    "formulas between spans": lambda n: (
        "<p>" + "<b>x</b> and some words of the text, and then still more " * n + "\\(x\\) " * 499
    ),
    "dollars in paragraphs": numbered("<p>It costs $@ and $x_@$ or \\(y_@\\), some say."),
    "dollars over paragraphs": numbered("<p>so $$ a_@ + b and more words of it $$ ends"),
    "code that is coloured": lambda n: (
        "<pre><code class=language-python>"
        + _numbers("<span class=k>def</span> <span class=nf>f@</span>():\n    <span class=k>return</span> @\n", n)
    ),
    "languages of code": numbered("<pre><code class='language-x@ hljs lang-y@'>x = @</code></pre>Words of the text. "),
    "languages": numbered("<p lang=l@>Some words in a language, it is number @.</p>"),
    "days in segments": numbered("<p>Published 5 May 20@, updated 6 May 2021 at 10:30</p>"),
    "biographies of one": repeated("<p>Jo Doe</p><p>Jo Doe is a writer who lives in the town with her dog."),
    "parts of a title": lambda n: f"<title>{_numbers('part @ | ', n)}</title><h1>part 7</h1><p>{SENTENCES}",
    "headings of the first level": lambda n: f"<title>{_numbers('w@ ', 300)}</title>{_numbers('<h1>w@ and x</h1>', n)}",
    "JSON-LD, a graph in a circle": script(
        lambda n: {
            "@graph": [
                {"@type": ["Article", "WebPage"], "@id": f"#{at}", "author": {"@id": f"#{at * 7 % n}"}}
                for at in range(n)
            ]
        }
    ),
    "KaTeX": numbered(
        "<span class=katex><span class=katex-mathml><math><semantics><mi>x</mi>"
        "<annotation encoding='application/x-tex'>x_@</annotation></semantics></math></span>"
        "<span class=katex-html aria-hidden=true>x</span></span> text "
    ),
    "formulas in cells": repeated("<tr><td>\\(a+b\\) some text<td>\\(c\\) and some more of it\n", "<table>"),
    "listings in cells": repeated("<tr><td><code>a = b</code> some text<td><pre>c\nd</pre>\n", "<table>"),
    "links in cells": repeated(
        "<tr><td><a href=/a>some</a><td><a href=/b>text</a><td><a href=/c>of a row</a>\n", "<table>"
    ),
    "items with images": repeated("<li><img src=/a.png alt=a> some words of the item\n", "<ul>"),
}
