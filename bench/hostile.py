#!/usr/bin/env python3
"""Hostile pages: the time and memory of nc-segment over those of an ordinary page of the same size.

    python bench/hostile.py --bytes 100000                        # what is out of bounds
    python bench/hostile.py --bytes 100000 -o bench/hostile.md    # the report, of all families

A family makes pages of any size: BYTES, and four times that. Each is read in a process that has read a small one.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from ncfilters.errors import RecordError
from ncfilters.page.profiles import PageOptions
from ncfilters.segmentation.segmenter import segment_record
from ncfilters.streams.writers import json_line

# What hostile pages are compared with: a page as there are many. A longer one repeats it.
_TEXT = "The harbour master closed the bridge in March, and nobody in the town remembered the last ferry. "
ORDINARY = (
    "<div class='page'><nav class='menu'><ul><li><a href='/'>Home</a></li><li><a href='/news'>News</a></li></ul></nav>"
    "<main id='content'><article class='post'><h2>The old bridge stays</h2><p class='lead'>"
    + _TEXT * 2
    + "</p><p>"
    + _TEXT
    + "<a href='/a' rel='nofollow'>A link</a> <em>and more</em>. "
    + _TEXT * 2
    + "</p><ul><li>One of the items</li><li>Another</li></ul>"
    "<img src='/pictures/bridge.jpg' alt='The bridge' width='600' height='400'><p>"
    + _TEXT * 3
    + "</p></article></main><footer><p>Copyright 2024</p></footer></div>\n"
)

Make = Callable[[int], str]


def numbered(pattern: str) -> Make:
    """The pattern, repeated, with the number of the repetition for `@`."""
    return lambda n: "".join([pattern.replace("@", str(at)) for at in range(n)])


def repeated(part: str, before: str = "", after: str = "") -> Make:
    return lambda n: before + part * n + after


def _nested(part: str, text: str = "text") -> Make:
    """An element in itself."""
    name = part.strip("<>").split()[0]
    return lambda n: part * n + text + f"</{name}>" * n


def script(value: Callable[[int], object], kind: str = "application/ld+json") -> Make:
    return lambda n: f"<p>Text.</p><script type='{kind}'>{json.dumps(value(n))}</script>"


def _deep(n: int) -> str:
    return "<script type='application/json'>" + '{"a":[' * n + '"One sentence. And two."' + "]}" * n + "</script>"


SENTENCES = "It rained all day in the town, and nobody went out. Then it stopped, and the sun came back. "


def _in_elements(make: Make) -> Make:
    """The same in hundreds of elements."""
    return lambda n: "<div class=a>" * 390 + make(n)


def _numbers(pattern: str, n: int, end: int = 1_000_000) -> str:
    return "".join([pattern.replace("@", str(at % end)) for at in range(n)])


FAMILIES: dict[str, Make] = {
    "nested blocks": _nested("<div>"),
    "nested blocks with text": repeated("<div>x"),
    "tags in a name": repeated("<div"),
    "tags in the name of an end tag": repeated("</x", "<script>", "</script>"),
    "nested inline elements": _nested("<span>"),
    "nested sections": repeated("<section><h1>x</h1>"),
    "nested quotes": repeated("<blockquote>x"),
    "nested lists": repeated("<ul><li>x"),
    "nested tables": repeated("<table><tr><td>x"),
    "nested buttons and forms": repeated("<form><button>x"),
    "paragraphs": repeated("<p>x"),
    "paragraphs as short as many may be": repeated("<p>word text here and then some more words to be seen of</p>\n"),
    "paragraphs of as many words": numbered("<p>It rained @ times in the old town, and nobody saw it.</p>\n"),
    "links as many as may be": repeated("<p><a href=/>ab</a> cdefgh" + " some words" * 15 + "</p>\n"),
    "items": repeated("<li>x"),
    "line breaks": repeated("x<br>"),
    "pairs of line breaks": repeated("x<br><br>"),
    "empty elements": repeated("<p></p>"),
    "paths that all differ": numbered("<div class=a@ id=b@><p>x</div>"),
    "formatting that stays open": numbered("<b id=x@><p>x"),
    "formatting in formatting": repeated("<b><i><u>x</b>"),
    "misnested formatting": repeated("<a><b><p>x</a></b></p>"),
    "inline elements in a paragraph": repeated("<b>x</b> <i>y</i> ", "<p>"),
    "links": numbered("<a href=/@>x</a> "),
    "attributes of one tag": lambda n: "<p " + " ".join(f"a{at}=b" for at in range(n)) + ">text",
    "an attribute that is long": lambda n: f"<p title='{'x ' * n}' class='{'y ' * n}'>text",
    "attributes of many tags": numbered("<p a@=b@>x"),
    "attributes without values": repeated("<b a b c d e f g h i j k l m n o p>x</b> ", "<p>"),
    "attributes with values": repeated("<p a=1 b=2 c=3 d=4>some text of a paragraph</p>"),
    "attributes of end tags": lambda n: ("</b " * 6_000 + ">x") * (n // 6_000 + 1),
    "attributes in quotes": repeated("<p x='<b y=\"' a b c d e f g h>\">x"),
    "end tags that open": repeated("</p></br>"),
    "tables without text": repeated("<table><td></table>"),
    "sparse inline elements": repeated("some text <a href=/a>of links</a> and <i>more</i> ", "<p>"),
    "names of elements": numbered("<t@>x</t@>"),
    "attributes of the body": numbered("<body a@=1>"),
    "quoted ends of a tag": lambda n: "<p " + "".join(f" a{at}" + " b='>'" * (at % 900 == 0) for at in range(n)) + ">x",
    "classes": lambda n: "<p class='" + " ".join(f"c{at}" for at in range(n)) + "'>text",
    "data attributes": lambda n: f"<div data-props='{json.dumps({f'k{at}': SENTENCES for at in range(n)})}'></div>",
    "entities": repeated("&amp;&lt;&#65;&nbsp;&notit;"),
    "broken entities": repeated("&#x&#&am&amp;&;"),
    "comments": repeated("<!-- x -->y"),
    "text between table tags": repeated("<table><tr>text <td>cell</td>"),
    "rows outside of tables": repeated("<tr><td class=a>some cell text</td></tr>\n"),
    "rows of data": repeated("<tr><td>Name of thing</td><td>12,345</td><td>2,345</td></tr>\n", "<table>", "</table>"),
    "rows of a tree as large as may be": repeated(
        "<tr><td>12<td>345<td>67<td>89<td>some text of the row, and what else is said of it\n", "<table>"
    ),
    "cells of a table": repeated("<tr><td>x<td>y", "<table>"),
    "a thousand links in rows": repeated(
        "<tr>"
        + "".join(f"<td><a href=/{at}>day {at}</a> it rained, and in the night it rained again" for at in range(999)),
        "<table>",
    ),
    "one row": repeated("<td>x", "<table><tr>"),
    "cells that span": repeated("<tr><td rowspan=1000 colspan=1000>x", "<table>"),
    "tables": repeated("<table><tr><td>x</table>"),
    "templates": repeated("<template><p>x</p></template>"),
    "nested templates": repeated("<template><p>x"),
    "shadow roots": repeated("<div><template shadowrootmode=open><p>x</template></div>"),
    "JSON-LD, a list": script(lambda n: [{"@type": "Article", "articleBody": f"{at} {SENTENCES}"} for at in range(n)]),
    "JSON-LD, the same text": script(lambda n: [{"@type": "Article", "articleBody": SENTENCES}] * n),
    "JSON-LD, markup": script(lambda n: {"@type": "Article", "articleBody": "<p>x" * n}),
    "scripts of JSON-LD": repeated('<script type=application/ld+json>{"@type":"Article","articleBody":"x y"}</script>'),
    "hydration, a list": script(lambda n: [f"{at} {SENTENCES}" for at in range(n)], "application/json"),
    "hydration, deep": _deep,
    "hydration, JSON in JSON": script(lambda n: [json.dumps({"a": [SENTENCES]})] * n, "application/json"),
    "hydration, assignments": repeated(f"<script>window.a = {json.dumps({'k': SENTENCES * 2})};</script>"),
    "broken JSON": lambda n: "<script type=application/ld+json>" + '{"a":"b\n",' * n + "</script>",
    "combining marks": repeated("e\u0301\u0300\u0316", "<p>"),
    "combining marks on one letter": repeated("\u0301", "<p>a"),
    "directions of text": repeated("\u202e\u2066x\u202c\u05d0", "<p>"),
    "one line": repeated("word ", "<p>"),
    "one word": repeated("w", "<p>"),
    "one line without markup": repeated("word. "),
    "white space": repeated(" \n\t", "<p>a", "b"),
    "blank lines in preformatted text": lambda n: "<pre>word" + "\n" * n + "word",
    "Chinese text": repeated("今天下了一整天的雨。", "<p>"),
    "drawings": repeated("<svg><path d=x /><title>x</title><text>y</text></svg>"),
    "one drawing": repeated("<path d=x /><g>", "<svg>", "</svg>text"),
    "formulas": repeated("<math><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math> "),
    "formulas in formulas": repeated("<math><mi>x<annotation-xml encoding=text/html><p>y"),
    **{
        f"{name} in each other around text": repeated(f"<p>{_TEXT}<code>all</code> day<sup>1</sup>.</p>", before)
        for name, before in {
            "formulas of MathJax": "<span class=MathJax>a" * 900,
            "formulas of MathML": "<math><mrow>" * 450,
            "superscripts": "<sup>" * 900,
            "sidenotes": "<span class=sidenote>" * 900,
            "code": "<code>a" * 900,
        }.items()
    },
    "tables of code in each other": repeated("<table><tr><td>1<td><pre>a</pre>" * 240 + "</table>" * 240, "<p>"),
    "formulas in text": repeated("\\(x\\) $y$ $$z$$ \\[w\\] ", "<p>"),
    "braces of formulas": lambda n: "<p>\\(" + "{" * n + "x" + "}" * n + "\\)",
    "TeX scripts": repeated("<script type=math/tex>\\frac{x}{y}</script>z"),
    "style sheets with quoted ends": repeated("<style x='>'>"),
    "scripts that do not end": repeated("<script "),
    "scripts": repeated("<script>a</script>x"),
    "scripts in comments": repeated("<script><!--<script>x</script>"),
    "alternative content": numbered("<noscript><p>Some text, number @.</p></noscript>"),
    "nested alternative content": repeated("<noscript><p>x"),
    "frames": repeated("<iframe srcdoc='<p>x'></iframe>"),
    "a frame": lambda n: f"<iframe srcdoc='{'<p>x' * n}'></iframe>",
    "framesets": repeated("<frameset><frame src=x><noframes>y</noframes>"),
    "hidden elements": repeated("<div hidden><p style='display:none'>x</p></div>"),
    "a title of separators": lambda n: f"<title>{' - ' * n}x</title><h1>x</h1><p>Text of the page.",
    "a title of words": lambda n: f"<title>{'word ' * n}| Site</title><h1>word word</h1><p>Text of the page.",
    "authors": lambda n: f"<meta name=author content='{'John Doe, ' * n}'><p>Text.",
    "metadata": numbered("<meta property=og:description@ content='A text.'><meta name=description content=x@>"),
    "a description": lambda n: f"<meta name=description content='{'x - ' * n}'><p>Text.",
    "microdata": repeated("<div itemscope itemtype=http://schema.org/Person itemprop=author><b itemprop=name>x</b>"),
    "footnotes": numbered("x<sup><a href=#fn@ id=r@>@</a></sup><p id=fn@><a href=#r@>^</a> Note."),
    "definitions of notes": numbered("<p>[@] Note.</p>"),
    "code": repeated("<pre><code>x = 1\n</code></pre>"),
    "one block of code": lambda n: "<pre><code class=language-c>" + "int x; // y\n" * n + "</code></pre>",
    "lines of code": lambda n: "<pre>" + "<span class=line><b>x</b></span>\n" * n + "</pre>",
    "inline code": repeated("<code>x</code> ", "<p>"),
    "backticks": repeated("`", "<p>"),
    "brackets": repeated("[](", "<p>"),
    "raised text": repeated("x<sup>2</sup>", "<p>"),
    "addresses": lambda n: f"<a href='http://a.example/{'a/../' * n}'>x</a>",
    "images": numbered("<img src=/@.png alt=x width=9 height=9>"),
    "options": repeated("<option>x", "<select>"),
    "less-than signs": repeated("<"),
    "tags that do not end": repeated("<p "),
    "end tags": repeated("x</p></b></div>"),
    "end tags of other elements": repeated("<div></span>"),
    "end tags of unknown elements": repeated("<section></x>a "),
    "nested items of two lists": repeated("<li><dd>"),
    "end tags in values": repeated("<div><p title='</div>'>"),
    "end tags around paragraphs": repeated("<span><p></span><div></div>"),
    "end tags behind objects": repeated("<div><object></div></object>"),
    "frames that differ": numbered("<iframe srcdoc='<p>Frame text number @'></iframe>"),
    "frames with sentences": numbered(f"<iframe srcdoc='<p>@ {SENTENCES}</p>'></iframe>"),
    "JSON-LD, a body of paragraphs": script(
        lambda n: {"@type": "Article", "articleBody": "".join(f"<p>{at} {SENTENCES}</p>" for at in range(n))}
    ),
    "hydration, Chinese": script(
        lambda n: [f"{at}今天下了一整天的雨,没有人出门。后来雨停了,太阳又出来了。" for at in range(n)],
        "application/json",
    ),
    "formulas that differ": numbered("<math><mfrac><mi>a</mi><msup><mi>b</mi><mn>@</mn></msup></mfrac></math> and "),
    "a matrix": repeated("<mtr><mtd><mn>1</mn></mtd><mtd><mi>x</mi></mtd></mtr>", "<math><mtable>", "</mtable></math>"),
    "exponents": numbered("area of @ m<sup>2</sup> and 10<sup>@</sup> "),
    "coloured code": lambda n: "<pre class=highlight><code class=language-python>" + "<span class=a>x</span>" * n,
    "navigation": repeated("<nav><ul><li><a href=/>some words of it</a></ul></nav>"),
    "emoji": repeated("<p>text \U0001f44d\U0001f3fd \U0001f468\u200d\U0001f469 of the page and more words</p>"),
    "references of a wiki": numbered("x<sup id=cite_ref-@><a href=#cite_note-@>[@]</a></sup> "),
    "nested authors": lambda n: "<div itemprop=author>" * 400 + f"<p>{_TEXT}" * n,
    "accents apart in cells": repeated("<tr><td>e\u0301 <b>b</b><td>c\u0301 d and more words of it", "<table>"),
    "accents apart in links": repeated("<p>Cafe\u0301 <a href=/x>ne\u0301e</a> and <em>u\u0308ber</em> some more"),
    "windows-1252 as Unicode": repeated("<p>It\x92s <b>the\x93 word\x94</b> of some more text"),
    "images in links": numbered("<a href=/p@.html><img src=/i@.jpg alt='some text @'></a> "),
    "images in links, deep": _in_elements(numbered("<a href=/p@.html><img src=/i@.jpg alt='some text @'></a> ")),
    "sources of pictures": numbered(
        "<picture><source srcset='/a@.webp 1x, /b@.webp 2x' type=image/webp><img src=/d@.jpg alt=x></picture> text "
    ),
    "nested lists with words": repeated("<ul><li>some words of an item <b>x</b>"),
    "tasks": repeated("<ul><li><input type=checkbox checked> <label>do that now</label><li>some words</ul>"),
    "notes in one paragraph": lambda n: (
        f"<p>{_numbers('words of <sup><a href=#n@>@</a></sup> and ', n)}<ol>{_numbers('<li id=n@>Note @ on that.', n)}"
    ),
    "links back in one element": lambda n: "<p><a href=#n>1</a><ol><li id=n><b>" + "<a href=#r>^</a>" * n + "</b>",
    "many rows of roles": repeated(
        "<div role=row><div role=cell>some</div><div role=cell>words</div></div>", "<div role=table>", "</div>"
    ),
    "crossing spans": repeated("<b>some <i>words </b>and </i>more words of it, and then a few more, they say ", "<p>"),
    "dollars in paragraphs": numbered("<p>It costs $@ and $x_@$ or \\(y_@\\), some say."),
    "languages of code": numbered("<pre><code class='language-x@ hljs lang-y@'>x = @</code></pre>Words of the text. "),
    "days in segments": numbered("<p>Published 5 May 20@, updated 6 May 2021 at 10:30</p>"),
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
}


BYTES, SIZES = 100_000, (1, 4)
STAGES = {"segment": PageOptions(), "markup": PageOptions(markup=True)}
# CPU over that of an ordinary page; memory over the size of the page.
MAX_CPU, MAX_MEMORY = 10, {"segment": 40, "markup": 80}
# CPU seconds that a measurement takes at least, because the clock is coarse; those and the bytes that end a process.
LEAST_SECONDS, MOST_SECONDS, MOST_BYTES = 0.1, 100, 12 << 30


class Measured(NamedTuple):
    """What a page needs: CPU seconds, bytes of memory; and the error if it is refused, or another failure."""

    seconds: float
    memory: int
    refused: str = ""
    failed: str = ""


def page_of(make: Make, size: int) -> str:
    """The page of a family that is about *size* bytes long."""
    count = 1
    while len(make(count)) < size:
        count *= 2
    low, high = count // 2, count
    while high - low > max(1, count // 256):
        middle = (low + high) // 2
        low, high = (middle, high) if len(make(middle)) < size else (low, middle)
    return make(high)


def measure(make: Make, size: int, options: PageOptions) -> Measured:
    """What the page of a family of *size* bytes needs, in a process of its own."""
    page = page_of(make, size)
    readable, writable = os.pipe()
    child = os.fork()
    if not child:
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
        for small in (ORDINARY, page_of(make, 2_000)):
            _error_of(small, options)
        os.write(writable, json.dumps(_measured(page, options)).encode())
        os._exit(0)
    os.close(writable)
    with os.fdopen(readable, "rb") as pipe:
        answer = pipe.read()
    status = os.waitpid(child, 0)[1]
    return Measured(*json.loads(answer)) if answer else Measured(0, 0, "", f"status {status}")


def _error_of(page: str, options: PageOptions) -> tuple[str, str]:
    """Reads a page. The error that refuses it, or another failure."""
    try:
        json_line(segment_record({"id": "a", "url": "http://a.example/", "html": page}, options))
    except RecordError as error:
        return str(error), ""
    except Exception as error:
        return "", f"{type(error).__name__}: {error}"
    return "", ""


def _measured(page: str, options: PageOptions) -> Measured:
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # the peak of memory is that from now on
    before = _status("VmRSS")
    errors = _error_of(page, options)
    memory = _status("VmHWM") - before
    start, times = time.process_time(), 0
    while not times or time.process_time() - start < LEAST_SECONDS:
        _error_of(page, options)
        times += 1
    return Measured((time.process_time() - start) / times, memory, *errors)


def _status(name: str) -> int:
    for line in Path("/proc/self/status").read_text(encoding="utf-8").splitlines():
        if line.startswith(name + ":"):
            return int(line.split()[1]) * 1024
    raise OSError(f"/proc/self/status has no {name}")


def cells(make: Make, size: int, stage: str, usual: float) -> tuple[str, bool]:
    """The cells of the report for a page: CPU and memory; and whether one is out of bounds. *usual* is the CPU of an
    ordinary byte."""
    found = measure(make, size, STAGES[stage])
    num_bytes = len(page_of(make, size).encode())
    cpu, memory = found.seconds / num_bytes / usual, found.memory / num_bytes
    if found.failed:
        return f"{found.failed} | ", True
    if found.refused:
        what = found.refused.partition("has more than ")[2].partition(", the limit")[0]
        return f"{cpu:.1f} | {what}", cpu > MAX_CPU
    return f"{cpu:.1f} | {memory:.0f}", cpu > MAX_CPU or memory > MAX_MEMORY[stage]


def main(argv: list[str] | None = None) -> None:
    """Prints what is out of bounds, or writes the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="families whose name contains this")
    parser.add_argument("--bytes", type=int, default=BYTES, help="size of the smaller page (default: %(default)s)")
    parser.add_argument("-o", "--output", type=Path, help="write the report to this file")
    args = parser.parse_args(argv)
    columns = [(times * args.bytes, stage) for times in SIZES for stage in STAGES]
    names = [f"{stage}, {size // 1000} KB: CPU | memory" for size, stage in columns]
    out = [
        "# Hostile pages",
        "",
        f"`python bench/hostile.py --bytes {args.bytes} -o bench/hostile.md` writes this page.",
        "",
        "*CPU* is that of a byte over that of a byte of ordinary pages; *memory* is the peak above that of a small "
        "page, over the size of the page; or what the page is refused for ([Security](../docs/security.md)).",
        f"What is read may take {MAX_CPU} times the CPU and {MAX_MEMORY['segment']} times its size in memory, "
        f"{MAX_MEMORY['markup']} with `--markup`.",
        "",
        f"| family | {' | '.join(names)} |",
        "|---" + "|--:|---" * len(columns) + "|",
    ]
    usual = {column: _usual(*column) for column in columns}
    for name, make in FAMILIES.items():
        if args.only in name:
            found = [cells(make, *column, usual[column]) for column in columns]
            out.append(f"| {name} | {' | '.join(cell for cell, _ in found)} |")
            if any(is_wrong for _, is_wrong in found):
                print(out[-1], flush=True)
    if args.output:
        args.output.write_text("\n".join(out) + "\n", encoding="utf-8")


def _usual(size: int, stage: str) -> float:
    return measure(repeated(ORDINARY), size, STAGES[stage]).seconds / size


if __name__ == "__main__":
    main()
