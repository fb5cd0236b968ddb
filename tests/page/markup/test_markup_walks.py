"""The compiled walk with markup makes the same blocks as the one in Python."""

from __future__ import annotations

import random
from html import escape
from typing import Any

import pytest

from bench.same_walks import PageMaker, marked_differs
from ncfilters.page import compiled_core, walks
from ncfilters.page.html_parser import parse_html
from ncfilters.page.markup import detail_builder, images, markup_walks
from ncfilters.page.markup.page_links import PageLinks

needs_core = pytest.mark.skipif(
    walks.walk_in_use() != compiled_core.COMPILED, reason="no compiled walk here: python setup.py build_ext --inplace"
)

# What the fuzzer seldom makes.
PAGES = [
    "<p>a <em>b <i>c</i> <a href=/d>e <b>f</b></a></em> <span style='font-weight:bold'>g</span> <b>h <tt>i</tt></b>",
    "<em style='font-style:normal'>a</em><b style='font-weight: 400'>b</b><font style=font-weight:é>c</font>",
    "<p> <em> a\u0085b </em>\n\n<code>é</code>\u3000<b>c</b> <mark></mark><s> </s> d" + "<i>e" * 40,
    "<p>said<sup><a href=#n1>1</a></sup>, x<sub>2</sub>y<sup><b>k</b></sup> 10<sup> 6 <i>7</i></sup>",
    "<p>Word<sup>Ab<b>c</b></sup>",
    "<p>a<sup>1<sup>é2</sup> <img src=a.png></sup> <sub><i>ä</i>x</sub>",
    "<pre>\n a <b>b</b>\u00a0 <code>c</code>\n\n<img src=a.png> </pre><p>&lt;h> a <em>b</em><p>&lt;l> <img src=b.png>",
    "<ul><li>a<p>b<ol><li>c<blockquote>d<h3>e</h3></blockquote></ol></ul><div role=heading aria-level=9>f",
    "<blockquote><ul class=lst-kix_ab-2><li>a</ul></blockquote><div role=heading><p>b<p aria-level=4 role=heading>c",
    "<img src=a.png><p>a<p>b<div><img src=b.png alt=' x  y '><p>c</div><br><img src=c.png>d<br>e<img src=d.png>",
    "<figure><a href=big.jpg><img src=a.jpg></a><figcaption>a<p>b</figcaption></figure><p class=Caption>c",
    "<figure><img src=a.jpg><figcaption><pre> b\n c\x1f</pre><pre> ¶</pre></figcaption></figure><p>c",
    "<div class='x wp-caption'><img src=a.jpg><p class=wp-caption-text>a</div><p>b"
    + "<figure>"
    + "<img src=b.jpg><p>c" * 12,
    "<p><i class=Material-Icons>check</i> a <em class='fa ICON'>b</em> <em class=é>c</em> "
    "<i class='x Material-Symbols'>d</i><ul class=TASKS><li><input type=checkbox>a</ul>"
    "<ul class=tas\u212a><li><input type=checkbox>a",
    "<amp-img src=a.jpg alt=A><noscript><img src=a.jpg></noscript></amp-img>a<amp-img hidden src=b>b</amp-img>c"
    "<amp-img style='display: none' src=c.jpg><p>c</amp-img><amp-img aria-hidden=true src=d.jpg>d</amp-img>e",
    "<input type=checkbox disabled>a<ul><li><input type=checkbox disabled checked> b<li> <a href=c><input disabled "
    "type=checkbox> c</a><li>d<input type=checkbox disabled><li><p><input type=checkbox class=tasks checked>e<p>f</ul>"
    "<ul class=task-list><li><label><input type=checkbox checked></label>g<li><div><p><b><input type=checkbox>h</b>"
    "<li><input type=CHECKBOX disabled>i<li><input disabled>j<li><input type=checkbox disabled><p>k<li><pre><input "
    "type=checkbox> l</pre><li><input type=checkbox disabled><input type=checkbox disabled>m</ul>",
    "<img src=a.jpg><noscript><img src=a.jpg></noscript><picture><source srcset='b.w 2x'><img src=data:x></picture>c",
    "<a href=/x>a</a><a href=//y>b</a><a href=' z '>c</a><a href>d</a><a href=''>e</a><a href='/a/../b'>f</a><a>g</a>"
    "<a href=javascript:x>h</a><a href='https://www.google.com/url?q=http://x.example/'>i</a><a href=http:/é>j</a>",
    "<p>a<base href=http://other.example/b/><a href=/c>d</a><base href=http://third.example/><a href=e>f</a>",
    "".join(
        f"<div class='{'k' * n}figure{' ' * (n % 3)}wp-caption{' k' * (n % 5)}'><img src={n}.jpg><p>a</div>b"
        for n in range(20)
    ),
    "".join(
        f"<div class='{'k' * n} {word}'><img src={n}.jpg><p>a<p>b</div>"
        for n in range(20)
        for word in ("figure", "wp-caption")
    ),
    "".join(
        f"<img src={'k' * n}{end}>a"
        for n in range(18)
        for end in ("/icon.svg", "_16x16.png", ".ico", "-spacer.gif", "/avatar/x")
    ),
    "".join(
        f"<img src=//{'k' * n}{end}/x.jpg>a"
        for n in range(3)
        for end in ("gravatar.com/avatar", "DoubleClick.net", "/adx", "_")
    ),
    "<p> \u3000é <a href=/a> b </a>\u00a0<em>c  d</em> <img src=e.jpg> <b>f\n</b><i></i><a href=/g>h</a><img src=i>",
    "<p>a <b>b</b><sup>2<i>c</i></sup> <a href=/d>e <em>f</em></a> <img src=g.jpg><i>h</i>",
    "<p><a href=/.a>b</a><a href=/a/.b>c</a><a href=/a.b/c..d/e.>f</a><a href=.a>g</a>",
    "<table><caption>a</caption><tr><th>b<th>c<tr><td><b>d</b><td><img src=a.jpg>e<tr><td colspan=2>f<table><tr><td>",
    "<p>a<sup><a href=#n1 id=r1>1</a></sup><ol><li id=n1>b <a href=#r1>↩</a></ol><h2>c <a href=#c>¶</a></h2>",
    "<p>a <math><mi>x</mi><annotation encoding=application/x-tex>x</annotation></math> <img class=latex alt=x src=x>"
    "<p><img class=latex alt='y^2' src=y.png><p>b<span class=katex><math><mi>z</mi></math><img src=z.png></span>",
    "<table class=highlighttable><tr><td class=linenos><pre>1\n2</pre><td><pre>make\n  all</pre></table><pre>x</pre>",
    "<table><tr><th colspan=2>x.py<tr><td class=linenos><pre>1\n2</pre><td><pre>make\n  all</pre></table><p>a"
    "<figure><figure><img src=a.jpg><figcaption>b</figcaption></figure><figure><img src=c.jpg></figure><figure>"
    "<img src=d.jpg><figcaption>e</figcaption></figure><figcaption>f</figcaption></figure><p>g",
    "<div><img src=a.jpg><img src=data:x><noscript><img src=b.jpg></noscript><img src=data:x><noscript><img src=c.jpg>"
    "</noscript><img data-src=d.jpg><noscript><img src=e.jpg></noscript></div>f",
    "<p>It rains.<span class=sidenote>Or <em>snows</em>.</span> b<i hidden>c<img src=d.jpg></i><img hidden src=e.jpg>",
    "<template shadowrootmode=open><ul><li>a <b>b</b></ul></template><ul><li>c</ul><iframe srcdoc='<ul><li>d'>",
    "<base href=/x/><p>\udc80 &#xD800;<ol><li>a<a href=b>c</a>",
]


@needs_core
@pytest.mark.parametrize("html", PAGES)
def test_rare_elements_are_the_same(html: str) -> None:
    assert not marked_differs(html)


@needs_core
@pytest.mark.parametrize("seed", range(4))
def test_random_pages_are_the_same(seed: int) -> None:
    maker = PageMaker(seed, PAGES)
    assert [page for page in (maker.page() for _ in range(300)) if marked_differs(page)] == []


# What the addresses and the classes of images are made of, whose patterns are in C, too.
ADDRESS_PARTS = [
    *images.PLACEHOLDERS,
    *images.EMOJI_CLASSES,
    *images.PORTRAIT_FOLDERS,
    *images.PIXEL_HOSTS,
    *"icon Icons /icon/ /icons/ gravatar.com/avatar/ doubleclick.net/ /adx/ /cgi-bin/ count data: about: http:// 16 24 "
    "32 x 1 12345 ad foto é – – × “ ⁂ ² \u2028 \u212a . / // _ - ? #".split(" "),
    *".svg .gif .png .jpeg .webp .ico / _".split() * 4,
    " ",
]
SIZES = ["1", "3px", " 3 px ", "3.5", "3.", "00003", "000003", "3em", "300", "", "٣"]
SETS = ["srcset", *images.LAZY_SETS]
SOURCES = [*images.LAZY_SOURCES, *images.LARGE_SOURCES, *SETS * 3]
SET_PARTS = [
    *"a.png b.png data:x /spacer.gif /c.jpg?d=1,2 é.png –.png , ,, 1x 2x 2.0x 1.5x 300w 300.0w 0w 1234567w 1.1234567x "
    "2X 9h 9hh x".split(),
    *[" ", ", ", ",", "\n"] * 4,
]


def _random_image(chance: random.Random) -> str:
    def text() -> str:
        return "".join(chance.choices(ADDRESS_PARTS, k=chance.randrange(7)))

    def value(name: str) -> str:
        return _random_set(chance) if name in SETS and chance.randrange(4) else text()

    names = ["src", *chance.choices(["alt", "class", "onclick", *SOURCES], k=chance.randrange(3))]
    own = {name: value(name) for name in names[chance.randrange(5) == 0 :]}
    own |= {chance.choice(["width", "height"]): chance.choice(SIZES)} if chance.randrange(8) == 0 else {}
    image = "<img" + "".join([f' {name}="{value}"' for name, value in own.items()]) + ">"
    others = "".join([f'<source {chance.choice(SETS)}="{_random_set(chance)}">' for _ in range(chance.randrange(3))])
    return f"<picture>{others}{image}</picture>" if chance.randrange(5) == 0 else image


def _random_set(chance: random.Random) -> str:
    """A `srcset`, or nearly so."""
    return "".join(chance.choices(SET_PARTS, k=chance.randrange(12)))


@needs_core
@pytest.mark.parametrize("seed", range(3))
def test_random_images_are_the_same(seed: int) -> None:
    chance = random.Random(seed)
    pages = ("".join([f"<p>a {_random_image(chance)} b" for _ in range(30)]) for _ in range(100))
    assert [page for page in pages if marked_differs(page)] == []


# What addresses are made of: `urljoin` drops empty parts, and browsers read other signs in their own way.
LINK_PARTS = [
    *"// / . .. ? # ; ; : // http https: HTTPS: mailto: tel: javascript: JavaScript: data: about: view-source: x: 1: [ "
    '] % www.google.com/url? q= a b.example c-d é @ %20 & = ! {x} | ../ ./ a/ ?a #a < > " ^'.split(),
    *" \n\x01\x1c\x7f\x85\u00a0",
]
BASES = [
    "",
    "http://a.example",
    "https://a.example/b/c?d=1#e",
    "http://a.example;x/b",
    "http://a.example?b",
    "http://a[b/c",
    "http://é.example/b",
    "http://a@b.example/",
    "http://a.example b/",
    "file:///a/b",
    "mailto:a@b.example",
    "https://www.google.com/url?q=http://b.example/",
    "https://www.google.com/b/c",
    "http://a.example/b c/<d>/e.html?f=/g#h i",
    "http://a.example/é/b/../c;d/e",
    "//a.example/b",
]


@needs_core
@pytest.mark.parametrize("base", BASES)
def test_random_addresses_are_the_same(base: str) -> None:
    chance = random.Random(base)
    addresses = ["".join(chance.choices(LINK_PARTS, k=chance.randrange(1, 7))) for _ in range(1000)]
    tree = parse_html("".join([f'<p><a href="{escape(address)}">a</a></p>' for address in addresses]))
    blocks = markup_walks.MarkupReader(PageLinks(base))(tree)
    links = PageLinks(base)
    found = [block["spans"][0][3] if "spans" in block else None for block in blocks]
    assert found == [links.resolve(address) for address in addresses]


@needs_core
def test_the_comparison_sees_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*args: Any) -> Any:
        return [{**block, "quote": 1} for block in detail_builder.blocks_with_details(*args)]

    monkeypatch.setattr(markup_walks, "read_blocks", wrong)
    assert marked_differs("<p>a")


@needs_core
def test_deep_and_long_pages_are_the_same() -> None:
    assert not marked_differs(
        "<div>" * 900 + "<b>" * 90 + "<em>a <a href=/b>c" * 500 + "<img src=d.jpg>" * 200 + "<p>b" * 500
    )


def test_items_of_all_pages_in_a_page_are_numbered() -> None:
    reader = markup_walks.MarkupReader(PageLinks())
    numbers = [block["item"] for _ in range(2) for block in reader(parse_html("<ul><li>a<li>b</ul>"))]
    assert numbers == [1, 2, 3, 4]
