"""Pages and lines made at random, from a seed and pieces of real pages: what two versions or forms are compared on.

    PageMaker(1, []).page()       # '<td class=x/y>x² </ul>…'
    LineMaker(1, []).line()       # b'{"id":"a","html":"…"}\n'

Half of the pages are pieces of real pages with random changes, half random tags and texts. Lines have pages with
embedded content, in records with other fields; some are damaged. The same seed makes the same pages.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from bench.support import read_lines
from ncfilters.words.element_names import all_tags

# Pages of each set that pages are made of, and characters of a piece.
SAMPLED_PAGES, MAX_PIECE = 300, 6_000

NAMES = sorted({*all_tags(), "foo", "g"})
# Elements whose content is text until their end tag comes: fewer of them, because they swallow the page.
RAW_TEXT = frozenset("script style textarea title plaintext xmp iframe noembed noframes svg select frameset".split())
TAGS = [*[name for name in NAMES if name not in RAW_TEXT] * 8, *sorted(RAW_TEXT)]
CELLS = "table tr td th tbody".split()
LISTS = "ul ol li menu".split()
INLINE = "a b sup sub span em strong wbr code br img".split()
# Texts at whose edges the walk decides something, and white space that Python knows.
TEXTS = (
    "a A z Z é É 1 12 2nd $5 €9 ( ) . : ; - −5% -20% % • · | ! ? 中 文 ñandú Word word WORD two,words aB x² 3.5 [1] ¹ "
    "ſ USD TM st o 106 10 5: \u00bd Ⅷ 🙂 \\(x\\) $a$ {\\displaystyle.x} <h> <l>x &amp; &#133; &#x85; &#xA0;a\u00a0b"
).split() + [
    " ",
    "\n",
    "\t",
    "\u2003",
    "\x1f",
    "\u3000",
    "\x85",
    "a b",
    " a",
    "a ",
    "<h> a",
    "<l> ",
    "x\n\ny",
    "\n z \n",
]
NOTICES = (
    "© 2024 Somebody", "(c) 2001", "Copyright (C) by us", "All rights reserved.", "ALL RIGHTS RESERVED",
    "Home | About | Contact", "a » b › c", "1. One", "(iv) Four", "• Item", "-- x", "IV. Part", "---", "…",
    "A sentence that ends here.", "He said “no.”", "A heading", "e\u0301 \u200b\ue000x", "Text¶", "\u212a \u037e ﬁ",
    "x" * 130,
)  # fmt: skip
FORMULAS = (
    "<math><mi>x</mi></math>", "<math><msup><mi>x</mi><mn>2</mn></msup> y</math>", "<math alttext='x'></math>",
    "<svg><title>x</title></svg>", "<title>y</title>", "<meta name=a content=b>",
    "<meta property='og:x' name=c content>", "<meta content=d>", "<meta property name=e content=f>", "<p itemtype=x/Y>",
    "<p itemtype>", "<script type='application/LD+json'>{}</script>", "<iframe>x</noscript></iframe>",
    "<template shadowrootmode=open>x</template>", "<script type='math/tex; mode=display'>x^2</script>",
    "<nobr aria-hidden=true>x</nobr>", "<span class=katex-html aria-hidden=true>x</span>",
    "<span class=MathJax_Preview>x</span>", "<span class=tex style='display:none'>x</span>", "10<sup>6</sup>",
    "H<sub>2</sub>O", "a<sup><a href=#n>1</a></sup>", "word<sup><a href=#n1>1</a></sup>",
    "<p id=n1><sup>1</sup> note <a href=#r>↩</a>", "Word<sup>Ab<b>c</b></sup>", "<img src=x.jpg>",
    "<a href=/y><img src=y.jpg alt=y></a>", "<a href=z.jpg><img src=z_s.jpg>800x600</a>",
    "<figure><img src=w.jpg><figcaption>cap <em>t</em></figcaption></figure>",
    "<picture><source srcset='p.webp'><img src=spacer.gif></picture>", "<noscript><img src=x.jpg></noscript>",
    "<img src='latex.php?x' alt='x^2' class=latex>", "<table><tr><th>a<td><b>b</b> c<tr><td rowspan=2>d<td>e</table>",
    "<pre><code class=language-c>int x;\n  y</code></pre>", "<code>z</code>", "<h2>head<a href=#h>#</a></h2>",
    "<math alttext=x><mi>x</mi><annotation encoding='application/x-tex'>x</annotation></math>",
)  # fmt: skip
ATTRIBUTES = """hidden;
style='font-weight:bold'; style='font-style: italic;font-weight:700'; style='font-weight: normal';
style='font-style:normal;color:é'; class=wp-caption; class='x figure'; class=avatar; href=/;
href=http://site.example; class='a wp-caption-text'; class=lst-kix_abc-2; class=highlight; role=heading;
role='heading' aria-level=3; src=b.jpg; src=c.png alt='a  b'; src=data:x data-src=d.jpg; width=1; width=100%;
height=2px; onclick=x; class=user-avatar; class='icon-x icons'; src=/a/icon.svg; src=/b/no_image.png?x;
src=//ads.example/x.png; src=http://h.example/2012/x-16x16.png; src='  /c/d.jpg '; src=é.png;
data-src=/e/lazy.gif; data-original='not an address'; alt='é  ü'; srcset='e.jpg 2x, f.jpg'; href=g.jpg;
href=//host.example/x; href='/a b'; href='https://h.example/x?y=1#z'; href=javascript:x; name=n1; id=n1;
colspan=2; style='display: none'; style='DISPLAY:\tNONE;x'; style='visibility:hidden'; style='display:block';
style=diſplay:none; aria-hidden=true; aria-hidden=false; class=katex; class='math inline';
class='screen-reader-text'; class=x_TEX-y; class='md:w-1/2 a b'; class=x/y; class='ünï cöde'; class='';
class='Cookie-banner'; class=related_posts; class=cooKie; id=social.main; class='a[1] b';
class='aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbb'; class='aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbb'; class='; id='a b/c';
id=é; id=''; id=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; start=5; start=-2; start=x; value=7;
value='  12x'; value=٣; type=math/tex; type=application/ld+json; alt='$x^2$'; href=#n1; href=/a; srcdoc='<p>x';
shadowrootmode=open""".replace(";\n", "; ").split("; ")


class PageMaker:
    """Makes pages at random, from a seed and pieces of real pages."""

    def __init__(self, seed: int, pages: Sequence[str]) -> None:
        self._random = random.Random(seed)
        self._pages = pages

    def page(self) -> str:
        """A page."""
        return self._soup() if not self._pages or self._random.random() < 0.5 else self._piece()

    def _soup(self) -> str:
        names = self._random.choice((TAGS, TAGS, CELLS + INLINE, LISTS + INLINE, INLINE, CELLS + LISTS))
        size = self._random.choice((5, 20, 100, 400))
        return "".join([self._token(names) for _ in range(self._random.randint(1, size))])

    def _token(self, names: Sequence[str]) -> str:
        choose, kind = self._random.choice, self._random.random()
        if kind < 0.45:
            return choose(TEXTS if kind < 0.39 else NOTICES if kind < 0.43 else FORMULAS)
        if kind < 0.72:
            attributes = [choose(ATTRIBUTES) for _ in range(choose((0, 0, 0, 1, 2)))]
            return f"<{' '.join([choose(names), *attributes])}>"
        if kind < 0.97:
            return f"</{choose(names)}>"
        return choose(("<!-- a -->", "<!---->", "<?php x?>", "<![CDATA[x]]>", "\x00", "<p" * 3, "&#0;", "&#xD800;"))

    def _piece(self) -> str:
        page = self._random.choice(self._pages)
        start = self._random.randrange(max(1, len(page) - MAX_PIECE))
        piece = list(page[start : start + self._random.randint(100, MAX_PIECE)])
        for _ in range(self._random.choice((0, 1, 5, 30))):
            at = self._random.randrange(len(piece))
            length = self._random.choice((0, 1, 1, 10))
            piece[at : at + length] = self._token(TAGS)
        return "".join(piece)


def pages_of(files: Sequence[Path], number: int | None = None) -> Iterator[str]:
    """The HTML of the records of files, of the first *number* of each."""
    for file in files:
        for line in read_lines(file)[:number]:
            yield json.loads(line)["html"]


SENTENCE = "The river rose by two metres on Tuesday, and nobody in the town was hurt. It fell again after a week."
OTHER = (
    "A new bridge will open in spring, they say, \u201cif the weather allows\u201d. Érd \u4e2d\u6587\u3002 10\u00b2 m."
)
EMBEDDED = (
    '<script type="application/ld+json">{"@type":"Article","articleBody":"%s"}</script>',
    '<script type="application/ld+json">{"@type":"Product","name":"A","description":"%s","price":1}</script>',
    '<script type=application/LD+JSON>[{"@type":"Question","name":"Why?","acceptedAnswer":{"text":"<p>%s"}},]</script>',
    '<script>window.__STATE__ = {"post": {"body": "%s"}};</script>',
    '<script type="application/json">{"a": ["%s", "<b>x</b>"]}</script>',
    "<template><p>%s</p></template>",
    "<template shadowrootmode=open><p>%s</p></template>",
    '<iframe srcdoc="&lt;p>%s"></iframe>',
    "<noscript><p>%s</p></noscript>",
    "<noscript><iframe src=a></noscript><p>%s",
    '<meta name=description content="%s">',
    '<META property="OG:Description" name=x content="%s">',
    '<div data-page=\'{"a": "%s"}\'>',
    "<p>%s",
    "<title>%s",
    "</title>",
    "<h1>%s</h1><p>By <a href=/author/ann>Ann Lee</a> | 3 May 2024",
    "<p class=byline>Written by ANN LEE, MD and Bob O\u2019Neill<p>Updated: 03/05/24 10:30",
    "<p>Posted on 2024-05-03 by Zo\u00eb M\u00fcller</p><p>Last updated</p><p>May 5, 2024</p>",
    "<p>About Ann Lee<p>Ann Lee is a writer. She lives by the sea. %s",
    '<meta name=author content="Lee, Ann"><title>Rain - The Gazette</title>',
    "<!-- %s -->",
    "<style>%s</style>",
)
FIELDS: tuple[Any, ...] = (
    ("url", "http://site.example/a"), ("lang", "de"), ("lang", ""), ("lang_probability", 1),
    ("head", {"title": "Snow", "kinds": []}), ("head", 7), ("text", OTHER), ("date", None),
    ("\u00fc\u0001", [1.50, {"x": [True, "\u2028"]}]), ("nc", 1), ("more", {"$base64": "AAEC"}),
)  # fmt: skip
UNUSUAL_FIELDS: tuple[Any, ...] = (
    ("blocks", []), ("segments", []), ("error", {"stage": "nc-warc", "message": "x"}), ("nc", 2), ("id", 1.5),
    ("html", None), ("more", 10**30),
)  # fmt: skip
DAMAGE = (
    b"", b"\\", b'"', b"\xff", b"\\u12", b"\\ud83d", b"\\ud83d\\ude00", b"\\u0000", b"\x00", b"\t", b",", b"}", b"\xc3",
)  # fmt: skip


class LineMaker:
    """Makes lines at random, from a seed and pieces of real pages."""

    def __init__(self, seed: int, pages: Sequence[str]) -> None:
        self._random, self._pages = random.Random(seed), PageMaker(seed, pages)

    def line(self) -> bytes:
        """A line."""
        chance = self._random.random
        record = dict([("id", "a"), ("html", self._page()), *self._some(FIELDS, 3)])
        if chance() < 0.1:
            record |= dict(self._some(UNUSUAL_FIELDS, 1))
        items = list(record.items())
        self._random.shuffle(items)
        line = self._written(dict(items))
        if chance() < 0.05:
            line = self._damaged(line)
        return line.replace(b"\n", b" ") + b"\n"

    def _page(self) -> str:
        parts = [self._pages.page() for _ in range(self._random.choice((1, 1, 2)))]
        for form in self._some(EMBEDDED, 4):
            text = self._random.choice((SENTENCE, OTHER, f"{SENTENCE} {OTHER}"))
            parts.insert(self._random.randint(0, len(parts)), form.replace("%s", text))
        return "".join(parts)

    def _some(self, items: Sequence[Any], most: int) -> list[Any]:
        return [self._random.choice(items) for _ in range(self._random.randint(0, most))]

    def _written(self, record: dict[str, Any]) -> bytes:
        try:
            return orjson.dumps(record, option=self._random.choice((0, orjson.OPT_INDENT_2)))
        except (TypeError, orjson.JSONEncodeError):  # lone surrogates, large numbers
            return json.dumps(record).encode()

    def _damaged(self, line: bytes) -> bytes:
        out = bytearray(line)
        for _ in range(self._random.randint(1, 3)):
            at = self._random.randrange(len(out))
            out[at : at + self._random.randint(0, 2)] = self._random.choice(DAMAGE)
        return bytes(out)
