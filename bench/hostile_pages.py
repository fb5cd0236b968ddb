"""Families of hostile pages, each of a size n: markup that costs a parser, a regular expression or a table of segments
more than its size."""

from __future__ import annotations

import json
from collections.abc import Callable

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

FAMILIES: dict[str, Make] = {
    "nested blocks": _nested("<div>"),
    "nested blocks with text": repeated("<div>x"),
    "tags in a name": repeated("<div"),
    "tags in the name of an end tag": repeated("</x", "<script>", "</script>"),
    "nested inline elements": _nested("<span>"),
    "nested unknown elements": _nested("<x-y>", "text"),
    "nested sections": repeated("<section><h1>x</h1>"),
    "nested quotes": repeated("<blockquote>x"),
    "nested lists": repeated("<ul><li>x"),
    "nested definition lists": repeated("<dl><dt>x<dd>y"),
    "nested tables": repeated("<table><tr><td>x"),
    "nested links in elements": repeated("<div><a href=/x>x</a>"),
    "nested buttons and forms": repeated("<form><button>x"),
    "paragraphs": repeated("<p>x"),
    "paragraphs as short as many may be": repeated("<p>word text here and then some more words to be seen of</p>\n"),
    "paragraphs of as many words": numbered("<p>It rained @ times in the old town, and nobody saw it.</p>\n"),
    "links as many as may be": repeated("<p><a href=/>ab</a> cdefgh" + " some words" * 15 + "</p>\n"),
    "items": repeated("<li>x"),
    "rules": repeated("x<hr>"),
    "line breaks": repeated("x<br>"),
    "pairs of line breaks": repeated("x<br><br>"),
    "headings": repeated("<h2>x</h2>"),
    "empty elements": repeated("<p></p>"),
    "definition lists": repeated("<dl><dd>x</dl>"),
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
    "fonts that stay open": numbered("<font color=@ size=@ face=@><p>some more text of the page"),
    "sparse inline elements": repeated("some text <a href=/a>of links</a> and <i>more</i> ", "<p>"),
    "names of elements": numbered("<t@>x</t@>"),
    "attributes of the body": numbered("<body a@=1>"),
    "quoted ends of a tag": lambda n: "<p " + "".join(f" a{at}" + " b='>'" * (at % 900 == 0) for at in range(n)) + ">x",
    "classes": lambda n: "<p class='" + " ".join(f"c{at}" for at in range(n)) + "'>text",
    "data attributes": lambda n: f"<div data-props='{json.dumps({f'k{at}': SENTENCES for at in range(n)})}'></div>",
    "many data attributes": repeated(f"<div data-props='{json.dumps({'k': SENTENCES})}'></div>"),
    "entities": repeated("&amp;&lt;&#65;&nbsp;&notit;"),
    "broken entities": repeated("&#x&#&am&amp;&;"),
    "comments": repeated("<!-- x -->y"),
    "broken comments": repeated("<!-- x --!>y<!-"),
    "comments that do not end": repeated("<!--"),
    "processing instructions": repeated("<?x y?>z"),
    "CDATA": repeated("<![CDATA[x]]>y"),
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
    "captions and groups": repeated("<caption>x</caption><colgroup><col><tbody><tr><th>y", "<table>"),
    "tables": repeated("<table><tr><td>x</table>"),
    "data tables": repeated("<table><caption>c</caption><tr><th>x<th>y<tr><td>1<td>2</table>"),
    "templates": repeated("<template><p>x</p></template>"),
    "nested templates": repeated("<template><p>x"),
    "shadow roots": repeated("<div><template shadowrootmode=open><p>x</template></div>"),
    "JSON-LD, a list": script(lambda n: [{"@type": "Article", "articleBody": f"{at} {SENTENCES}"} for at in range(n)]),
    "JSON-LD, the same text": script(lambda n: [{"@type": "Article", "articleBody": SENTENCES}] * n),
    "JSON-LD, properties": script(lambda n: [{"@type": "PropertyValue", "name": "a", "value": 1}] * n),
    "JSON-LD, markup": script(lambda n: {"@type": "Article", "articleBody": "<p>x" * n}),
    "scripts of JSON-LD": repeated('<script type=application/ld+json>{"@type":"Article","articleBody":"x y"}</script>'),
    "hydration, a list": script(lambda n: [f"{at} {SENTENCES}" for at in range(n)], "application/json"),
    "hydration, deep": _deep,
    "hydration, JSON in JSON": script(lambda n: [json.dumps({"a": [SENTENCES]})] * n, "application/json"),
    "hydration, assignments": repeated(f"<script>window.a = {json.dumps({'k': SENTENCES * 2})};</script>"),
    "hydration, streams": repeated(
        f"<script>self.__next_f.push([1,{json.dumps('0:' + json.dumps(SENTENCES) + chr(10))}])</script>"
    ),
    "broken JSON": lambda n: "<script type=application/ld+json>" + '{"a":"b\n",' * n + "</script>",
    "combining marks": repeated("e\u0301\u0300\u0316", "<p>"),
    "combining marks on one letter": repeated("\u0301", "<p>a"),
    "directions of text": repeated("\u202e\u2066x\u202c\u05d0", "<p>"),
    "invisible characters": repeated("\u200b\u00ad\ufeff", "<p>x"),
    "one line": repeated("word ", "<p>"),
    "one word": repeated("w", "<p>"),
    "one line of punctuation": repeated(". ", "<p>"),
    "one line without markup": repeated("word. "),
    "white space": repeated(" \n\t", "<p>a", "b"),
    "blank lines": lambda n: "<p>word" + "\n" * n + "word",
    "blank lines in preformatted text": lambda n: "<pre>word" + "\n" * n + "word",
    "Chinese text": repeated("今天下了一整天的雨。", "<p>"),
    "drawings": repeated("<svg><path d=x /><title>x</title><text>y</text></svg>"),
    "one drawing": repeated("<path d=x /><g>", "<svg>", "</svg>text"),
    "formulas": repeated("<math><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math> "),
    "one formula": repeated("<mrow><mi>x</mi>", "<math>", "</math>text"),
    "formulas in formulas": repeated("<math><mi>x<annotation-xml encoding=text/html><p>y"),
    "formulas in text": repeated("\\(x\\) $y$ $$z$$ \\[w\\] ", "<p>"),
    "formulas that do not end": repeated("\\( $ $$ \\[ ", "<p>"),
    "braces of formulas": lambda n: "<p>\\(" + "{" * n + "x" + "}" * n + "\\)",
    "TeX scripts": repeated("<script type=math/tex>\\frac{x}{y}</script>z"),
    "style sheets with quoted ends": repeated("<style x='>'>"),
    "style sheets": repeated("<style>p{}</style>x"),
    "scripts that do not end": repeated("<script "),
    "scripts": repeated("<script>a</script>x"),
    "scripts in comments": repeated("<script><!--<script>x</script>"),
    "line break ends": repeated("</br "),
    "alternative content": numbered("<noscript><p>Some text, number @.</p></noscript>"),
    "the same alternative content": repeated("<noscript><p>Some text of the page.</p></noscript>"),
    "nested alternative content": repeated("<noscript><p>x"),
    "frames": repeated("<iframe srcdoc='<p>x'></iframe>"),
    "a frame": lambda n: f"<iframe srcdoc='{'<p>x' * n}'></iframe>",
    "framesets": repeated("<frameset><frame src=x><noframes>y</noframes>"),
    "hidden elements": repeated("<div hidden><p style='display:none'>x</p></div>"),
    "nested hidden elements": repeated("<div hidden>x"),
    "titles": repeated("<title>x</title>"),
    "a title of separators": lambda n: f"<title>{' - ' * n}x</title><h1>x</h1><p>Text of the page.",
    "a title of words": lambda n: f"<title>{'word ' * n}| Site</title><h1>word word</h1><p>Text of the page.",
    "a heading of words": lambda n: f"<title>A title | Site</title><h1>{'word | ' * n}</h1><p>Text of the page.",
    "authors": lambda n: f"<meta name=author content='{'John Doe, ' * n}'><p>Text.",
    "many authors": numbered("<meta name=author content='John Doe@'>"),
    "authors in text": repeated("<p class=author>By John Doe and Mary Major, staff"),
    "one author in text": repeated("by John Doe and ", "<h1>x</h1><p class=byline>"),
    "dates": repeated("<time datetime=2020-01-01>1 January 2020</time>"),
    "dates in text": repeated("Published 1. January 2020 ", "<p class=date>"),
    "digits": repeated("2020-", "<p class=date>"),
    "metadata": numbered("<meta property=og:description@ content='A text.'><meta name=description content=x@>"),
    "a description": lambda n: f"<meta name=description content='{'x - ' * n}'><p>Text.",
    "microdata": repeated("<div itemscope itemtype=http://schema.org/Person itemprop=author><b itemprop=name>x</b>"),
    "links of the head": numbered("<link rel=canonical href=/@><link rel=license href=/@>"),
    "footnotes": numbered("x<sup><a href=#fn@ id=r@>@</a></sup><p id=fn@><a href=#r@>^</a> Note."),
    "references to one note": repeated("x<sup><a href=#n>1</a></sup>", "<p id=n>Note.</p><p>"),
    "notes without references": numbered("<li id=cite_note-@><a href=#cite_ref-@>^</a> x"),
    "definitions of notes": numbered("<p>[@] Note.</p>"),
    "code": repeated("<pre><code>x = 1\n</code></pre>"),
    "one block of code": lambda n: "<pre><code class=language-c>" + "int x; // y\n" * n + "</code></pre>",
    "lines of code": lambda n: "<pre>" + "<span class=line><b>x</b></span>\n" * n + "</pre>",
    "tables of code": lambda n: "<table class=highlight>" + "<tr><td class=lineno>1<td class=code><pre>x</pre>" * n,
    "inline code": repeated("<code>x</code> ", "<p>"),
    "backticks": repeated("`", "<p>"),
    "asterisks": repeated("*_", "<p>"),
    "brackets": repeated("[](", "<p>"),
    "tags as text": repeated("&lt;b&gt;", "<p>"),
    "raised text": repeated("x<sup>2</sup>", "<p>"),
    "addresses": lambda n: f"<a href='http://a.example/{'a/../' * n}'>x</a>",
    "many addresses": numbered("<a href='../../?q=@&#x27;'>x</a><img src=//b/@.png>"),
    "images": numbered("<img src=/@.png alt=x width=9 height=9>"),
    "figures": numbered("<figure><img src=/@.png alt=y><figcaption>x</figcaption></figure>"),
    "sources of images": lambda n: f"<img srcset='{', '.join(f'/{at}.png {at}w' for at in range(n))}'>",
    "options": repeated("<option>x", "<select>"),
    "menus": repeated("Home | About | "),
    "copyright": repeated("© 2024 All rights reserved. ", "<p>"),
    "copyright lines": repeated("<p>© 2024 x"),
    "labels": repeated("<label>x</label><button>y</button>"),
    "ruby": repeated("<ruby>x<rt>y</rt></ruby>"),
    "less-than signs": repeated("<"),
    "tags that do not end": repeated("<p "),
    "end tags": repeated("x</p></b></div>"),
    "end tags of other elements": repeated("<div></span>"),
    "end tags of unknown elements": repeated("<section></x>a "),
    "nested items of two lists": repeated("<li><dd>"),
    "end tags in values": repeated("<div><p title='</div>'>"),
    "end tags around paragraphs": repeated("<span><p></span><div></div>"),
    "end tags behind objects": repeated("<div><object></div></object>"),
    "null characters": repeated("x\0<p>"),
    "lone surrogates": repeated("\ufffdx ", "<p>"),
    "frames that differ": numbered("<iframe srcdoc='<p>Frame text number @'></iframe>"),
    "frames with sentences": numbered(f"<iframe srcdoc='<p>@ {SENTENCES}</p>'></iframe>"),
    "frames in frames": numbered(
        "<iframe srcdoc='&lt;iframe srcdoc=&quot;<p>inner text @&quot;>&lt;/iframe>'></iframe>"
    ),
    "JSON-LD, a body of paragraphs": script(
        lambda n: {"@type": "Article", "articleBody": "".join(f"<p>{at} {SENTENCES}</p>" for at in range(n))}
    ),
    "JSON-LD, a body of lines": script(
        lambda n: {"@type": "Article", "articleBody": "\n\n".join(f"{at} {SENTENCES}" for at in range(n))}
    ),
    "JSON-LD, questions": script(
        lambda n: [
            {
                "@type": "Question",
                "name": f"Question {at}?",
                "acceptedAnswer": {"@type": "Answer", "text": f"{at}. {_TEXT}"},
            }
            for at in range(n)
        ]
    ),
    "JSON-LD, articles": script(
        lambda n: [{"@type": "NewsArticle", "headline": f"Title {at}", "author": {"name": "Jo Doe"}} for at in range(n)]
    ),
    "hydration, HTML": script(
        lambda n: [{"body": f"<p>Paragraph {at}: {_TEXT}</p><p>Another</p>"} for at in range(n)], "application/json"
    ),
    "hydration, escaped HTML": script(
        lambda n: [f"&lt;p&gt;{at} {_TEXT}&lt;/p&gt;" for at in range(n)], "application/json"
    ),
    "hydration, Chinese": script(
        lambda n: [f"{at}今天下了一整天的雨,没有人出门。后来雨停了,太阳又出来了。" for at in range(n)],
        "application/json",
    ),
    "hydration, attributes": numbered(f"<div data-props='{{&quot;text&quot;:&quot;@ {SENTENCES}&quot;}}'></div>"),
    "hydration, scripts": numbered(f'<script type=application/json>{{"text": "@ {SENTENCES}"}}</script>'),
    "formulas that differ": numbered("<math><mfrac><mi>a</mi><msup><mi>b</mi><mn>@</mn></msup></mfrac></math> and "),
    "a formula of operators": repeated("<mi>x</mi><mo>+</mo>", "<math>", "</math>"),
    "a matrix": repeated("<mtr><mtd><mn>1</mn></mtd><mtd><mi>x</mi></mtd></mtr>", "<math><mtable>", "</mtable></math>"),
    "images of formulas": numbered("<img class=latex src='/latex.php?latex=x_@' alt='x_@'> "),
    "formulas of MathJax": numbered(
        "<span class=MathJax><nobr>x</nobr></span><script type='math/tex'>x_@</script> some text behind it "
    ),
    "formulas in attributes": numbered(
        "<span class=MathJax data-mathml='&lt;math&gt;&lt;mn&gt;@&lt;/mn&gt;&lt;/math&gt;'><nobr>x</nobr></span> text "
    ),
    "exponents": numbered("area of @ m<sup>2</sup> and 10<sup>@</sup> "),
    "indices": repeated("H<sub>2</sub>O and x<sub>i</sub> ", "<p>"),
    "ordinals": repeated("1<sup>st</sup> 2<sup>nd</sup> ", "<p>"),
    "relative addresses": numbered("<p>See <a href='../x/@.html'>the page number @</a> for more of the text on it."),
    "coloured code": lambda n: "<pre class=highlight><code class=language-python>" + "<span class=a>x</span>" * n,
    "blocks of code": numbered(
        "<p>Then do this, and see:<pre><code class=language-js>var x@ = 1;\nfoo();</code></pre>"
    ),
    "JSON-LD, steps": script(
        lambda n: [{"@type": "HowToStep", "name": f"P {at}", "text": f"do {at}."} for at in range(n)]
    ),
    "JSON-LD, products": script(
        lambda n: [
            {"@type": "Product", "name": f"P {at}", "description": f"d <b>{at}</b>", "offers": {"price": f"{at}"}}
            for at in range(n)
        ]
    ),
    "JSON-LD, list items": script(
        lambda n: [{"@type": "ListItem", "item": {"@id": f"/a{at}", "name": f"Name {at}"}} for at in range(n)]
    ),
    "scripts of broken JSON-LD": repeated(
        '<script type=application/ld+json>{"@type":"Article","articleBody":"x y",}</script>'
    ),
    "scripts of broken JSON": numbered('<script type=application/json>{a:"It rained @. Then it stopped. "}</script>'),
    "scripts that assign": numbered('<script>var a@={\'k\':1};a={"k":"One sentence. Two. "}</script>'),
    "frames of words": numbered("<iframe srcdoc='text @'></iframe>"),
    "navigation": repeated("<nav><ul><li><a href=/>some words of it</a></ul></nav>"),
    "control characters": repeated("<p>x\x01y\x7f\x85z text words of the page</p>"),
    "emoji": repeated("<p>text \U0001f44d\U0001f3fd \U0001f468\u200d\U0001f469 of the page and more words</p>"),
    "soft hyphens in cells": repeated("<tr><td>a\u00ad b<td>c\u00ad d and more words of it", "<table>"),
    "references of a wiki": numbered("x<sup id=cite_ref-@><a href=#cite_note-@>[@]</a></sup> "),
    "named anchors": numbered("<a name=x@></a>text of the paragraph <a href=#x@>y</a> "),
    "biographies": numbered("<p>Jo Doe@ is a writer who lives in the town."),
    "images in text": numbered("word <img src=a@.png alt='x'> "),
    "nested authors": lambda n: "<div itemprop=author>" * 400 + f"<p>{_TEXT}" * n,
}
