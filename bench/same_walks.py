#!/usr/bin/env python3
"""Compares the compiled core with the code in Python: the same blocks, on sets or on random pages.

    python bench/same_walks.py ../shared/data/*-dev.jsonl.xz                 # all pages of these sets
    python bench/same_walks.py ../shared/data/wcxb-dev.jsonl.xz --fuzz 100000

With --fuzz N, N pages are made instead: half are pieces of the pages of the sets with random changes, half random tags
and texts. Prints the pages that differ, and writes the first one to a file. Exit status: 0; 1 if a page differs.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))


from bench.support import log, read_lines
from ncfilters.page import block_builder, compiled_core, html_parser, survey, walks
from ncfilters.page.open_elements import Holder
from ncfilters.record import Block

# Pages of each set that fuzzed pages are made of, and characters of a piece.
FUZZED_PAGES, MAX_PIECE = 300, 6_000
# Pages between two lines on standard error.
REPORTED = 20_000
# The address of each page.
ADDRESS = "http://site.example/a/page.html"
DIFFERING_PAGE = "differing-page.html"

NAMES = sorted(
    {
        *block_builder.HANDLERS,
        *"span em i u font small code wbr img nobr body frameset foo del kbd g mark s picture source base".split(),
    }
)
# Elements whose content is text until their end tag comes: fewer of them, because they swallow the page.
RAW_TEXT = frozenset("script style textarea title plaintext xmp iframe noembed noframes svg select frameset".split())
TAGS = [*[name for name in NAMES if name not in RAW_TEXT] * 8, *RAW_TEXT]
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
    "© 2024 Somebody",
    "(c) 2001",
    "Copyright (C) by us",
    "All rights reserved.",
    "ALL RIGHTS RESERVED",
    "Home | About | Contact",
    "a » b › c",
    "1. One",
    "(iv) Four",
    "• Item",
    "-- x",
    "IV. Part",
    "---",
    "…",
    "A sentence that ends here.",
    "He said “no.”",
    "A heading",
    "e\u0301 \u200b\ue000x",
    "Text¶",
    "\u212a \u037e ﬁ",
    "x" * 130,
)
FORMULAS = (
    "<math><mi>x</mi></math>",
    "<math><msup><mi>x</mi><mn>2</mn></msup> y</math>",
    "<math alttext='x'></math>",
    "<svg><title>x</title></svg>",
    "<title>y</title>",
    "<meta name=a content=b>",
    "<meta property='og:x' name=c content>",
    "<meta content=d>",
    "<meta property name=e content=f>",
    "<p itemtype=x/Y>",
    "<p itemtype>",
    "<script type='application/LD+json'>{}</script>",
    "<iframe>x</noscript></iframe>",
    "<template shadowrootmode=open>x</template>",
    "<script type='math/tex; mode=display'>x^2</script>",
    "<nobr aria-hidden=true>x</nobr>",
    "<span class=katex-html aria-hidden=true>x</span>",
    "<span class=MathJax_Preview>x</span>",
    "<span class=tex style='display:none'>x</span>",
    "10<sup>6</sup>",
    "H<sub>2</sub>O",
    "a<sup><a href=#n>1</a></sup>",
    "word<sup><a href=#n1>1</a></sup>",
    "<p id=n1><sup>1</sup> note <a href=#r>↩</a>",
    "Word<sup>Ab<b>c</b></sup>",
    "<img src=x.jpg>",
    "<a href=/y><img src=y.jpg alt=y></a>",
    "<a href=z.jpg><img src=z_s.jpg>800x600</a>",
    "<figure><img src=w.jpg><figcaption>cap <em>t</em></figcaption></figure>",
    "<picture><source srcset='p.webp'><img src=spacer.gif></picture>",
    "<noscript><img src=x.jpg></noscript>",
    "<img src='latex.php?x' alt='x^2' class=latex>",
    "<table><tr><th>a<td><b>b</b> c<tr><td rowspan=2>d<td>e</table>",
    "<pre><code class=language-c>int x;\n  y</code></pre>",
    "<code>z</code>",
    "<h2>head<a href=#h>#</a></h2>",
    "<math alttext=x><mi>x</mi><annotation encoding='application/x-tex'>x</annotation></math>",
)
ATTRIBUTES = """hidden
style='font-weight:bold'
style='font-style: italic;font-weight:700'
style='font-weight: normal'
style='font-style:normal;color:é'
class=wp-caption
class='x figure'
class=avatar
href=/
href=http://site.example
class='a wp-caption-text'
class=lst-kix_abc-2
class=highlight
role=heading
role='heading' aria-level=3
src=b.jpg
src=c.png alt='a  b'
src=data:x data-src=d.jpg
width=1
width=100%
height=2px
onclick=x
class=user-avatar
class='icon-x icons'
src=/a/icon.svg
src=/b/no_image.png?x
src=//ads.example/x.png
src=http://h.example/2012/x-16x16.png
src='  /c/d.jpg '
src=é.png
data-src=/e/lazy.gif
data-original='not an address'
alt='é  ü'
srcset='e.jpg 2x, f.jpg'
href=g.jpg
href=//host.example/x
href='/a b'
href='https://h.example/x?y=1#z'
href=javascript:x
name=n1
id=n1
colspan=2
style='display: none'
style='DISPLAY:\tNONE;x'
style='visibility:hidden'
style='display:block'
style=diſplay:none
aria-hidden=true
aria-hidden=false
class=katex
class='math inline'
class='screen-reader-text'
class=x_TEX-y
class='md:w-1/2 a b'
class=x/y
class='ünï cöde'
class=''
class='Cookie-banner'
class=related_posts
class=cooKie
id=social.main
class='a[1] b'
class='aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbb'
class='aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbb'
class='
id='a b/c'
id=é
id=''
id=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
start=5
start=-2
start=x
value=7
value='  12x'
value=٣
type=math/tex
type=application/ld+json
alt='$x^2$'
href=#n1
href=/a
srcdoc='<p>x'
shadowrootmode=open""".split("\n")


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


def differs(html: str) -> bool:
    """Whether blocks differ, elements that may hold hidden content, or what is around the text."""
    tree = html_parser.parse_html(html)
    results: list[Any] = []
    for blocks in (block_builder.blocks, walks.blocks):
        holders: list[Any] = []
        found = fields(blocks(tree, holders))
        results.append((found, [held(holder) for holder in holders]))
    surveys_differ = survey.survey(tree) != survey.survey_by_selectors(tree)
    return bool(results[0] != results[1]) or surveys_differ


def held(holder: Holder) -> tuple[Any, ...]:
    """What is read of an element that may hold hidden content."""
    node = holder.node
    html = node.html if node.tag == "template" else None
    return holder.position, holder.path, node.mem_id, node.tag, node.attributes, node.text(deep=True), html


def fields(blocks: list[Block]) -> list[Any]:
    """The fields of blocks: their order counts."""
    return [list(block.items()) for block in blocks]


def pages_of(files: Sequence[Path], number: int | None = None) -> Iterator[str]:
    """The HTML of the records of files, of the first *number* of each."""
    for file in files:
        for line in read_lines(file)[:number]:
            yield json.loads(line)["html"]


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="PAGES", help="records with html")
    parser.add_argument("--fuzz", type=int, metavar="N", help="make N pages")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first page (default: %(default)s)")
    args = parser.parse_args()
    if walks.walk_in_use() != compiled_core.COMPILED:
        raise SystemExit("there is no compiled walk here: python setup.py build_ext --inplace")
    if args.fuzz:
        maker = PageMaker(args.seed, list(pages_of(args.files, FUZZED_PAGES)))
        pages = (maker.page() for _ in range(args.fuzz))
    else:
        pages = pages_of(args.files)
    differing = number = 0
    for number, html in enumerate(pages, 1):
        if differs(html):
            differing += 1
            if differing == 1:
                Path(DIFFERING_PAGE).write_text(html, encoding="utf-8", errors="surrogatepass")
        if not number % REPORTED:
            log(f"{number} pages, {differing} differ")
    print(f"{number} pages, {differing} differ" + (f"; the first one is in {DIFFERING_PAGE}" if differing else ""))
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
