"""Output forms of whole documents."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_segments import DOCUMENT as DOCUMENT_OF_VERTICAL
from made_segments import SOME, Segment, code, h, item, p, row

from ncfilters.selection.forms.elements import anchor_prefix, html, tei
from ncfilters.selection.forms.html_head import CORPUS_HEAD, CORPUS_TAIL, PLAIN_HEAD, html_head, tei_header
from ncfilters.selection.forms.images import MAX_URL_CHARS, image_url, link_url, picture_of
from ncfilters.selection.forms.markdown import markdown
from ncfilters.selection.forms.markdown_text import Escapes, destination, escape_block, inline_code, is_definition
from ncfilters.selection.forms.plain import cleaneval, plain, plain_with_bullets
from ncfilters.selection.forms.posts import outside_containers, post_number, post_runs
from ncfilters.selection.forms.vertical import conllu, vertical, vertical_sentences


# ---- tei_header ----
def test_headers_of_tei() -> None:
    head = {
        "title": "A <title>", "author": ["Ann", "Bob & Co", 7], "date": "2026-05-01", "modified": "2026-05-02",
        "site": "The Gazette", "language": "en", "description": "What it is.", "license": "https://x/by/4.0/",
        "categories": ["News", ""],
    }  # fmt: skip
    root = ET.fromstring("".join(tei_header({"id": 7, "url": "https://x/a b", "head": head})))
    found = {
        path: [element.text for element in root.iterfind(f".//{path}")] for path in ("titleStmt/title", "bibl/author")
    }
    assert found == {"titleStmt/title": ["A <title>"], "bibl/author": ["Ann", "Bob & Co"]}
    assert [element.get("when") for element in root.iter("date")] == ["2026-05-01", "2026-05-02"]
    assert [element.get("target") for element in root.iter("licence")] == ["https://x/by/4.0/"]
    assert [element.text for element in root.iter("term")] == ["News"]
    assert [element.get("ident") for element in root.iter("language")] == ["en"]
    assert [element.text for element in root.iter("idno")] == ["7"]
    assert [element.get("target") for element in root.iter("ptr")] == ["https://x/a%20b"]
    for document in (
        {},
        {"head": None, "url": None, "id": None},
        {"head": {"title": 7, "author": {}, "date": []}, "url": 8},
    ):
        root = ET.fromstring("".join(tei_header(document)))
        assert [child.tag for child in root] == ["fileDesc"]
    assert ET.fromstring(CORPUS_HEAD + CORPUS_TAIL)[0][0][0][0].text == "Web pages"


# ---- html_head ----
HEAD: dict[str, Any] = {
    "title": "Rain <script>", "author": ['Ann "A" Lee', "Bo"], "date": "2024-02-03", "site": "The Site",
    "description": "All of\nit.", "canonical": "https://a.example/rain?a&b", "license": "CC BY",
    "categories": ["rain", "snow"], "evidence": {},
}  # fmt: skip


def test_heads_of_html() -> None:
    assert html_head({"head": HEAD, "lang": "en"}).split("\n") == [
        "<!DOCTYPE html>", '<html lang="en">', "<head>", '<meta charset="utf-8">',
        "<title>Rain &lt;script&gt;</title>", '<meta name="author" content="Ann &quot;A&quot; Lee">',
        '<meta name="author" content="Bo">', '<meta name="date" content="2024-02-03">',
        '<meta property="og:site_name" content="The Site">', '<meta name="description" content="All of it.">',
        '<meta name="keywords" content="rain, snow">', '<link rel="canonical" href="https://a.example/rain?a&amp;b">',
        "</head>", "<body>", "",
    ]  # fmt: skip
    assert "javascript" not in html_head({"head": {**HEAD, "canonical": "javascript://x%0aalert(1)"}})
    assert html_head({}) == html_head({"head": {"title": "Rain"}}) == html_head({"head": 1}) == PLAIN_HEAD
    assert "<title>Text</title>" in html_head({"head": {"evidence": {}}})


# ---- plain ----
def plain_text(*segments: Segment) -> str:
    return plain(list(segments), {})


def cleaneval_text(*segments: Segment) -> str:
    return cleaneval(list(segments), {})


def test_plain_text_and_cleaneval() -> None:
    assert plain_text(*SOME) == "A title\nFirst & <last>.\none\ntwo\na\tb\nx = 1\n  y"
    assert (
        plain_text(p("Roses are red,\nViolets are blue.", lines=True), p("Next"))
        == "Roses are red,\nViolets are blue.\nNext"
    )
    assert plain_text(p("no lines of\r\n\nthe page")) == "no lines of the page"
    assert plain_text(code("if x:\n\n\ty")) == "if x:\n\n\ty"
    assert cleaneval_text(*SOME) == ("<h>A title\n<p>First & <last>.\n<l>one\n<l>two\n<l>a\tb\n<p>x = 1 y")
    assert plain_text() == cleaneval_text() == bulleted() == ""


def bulleted(*segments: dict[str, Any]) -> str:
    return plain_with_bullets(list(segments), {})


def test_bullets_of_plain_text() -> None:
    assert bulleted(p("Before"), item("one"), item("two", 1, "3.", "ol"), p("x")) == "Before\n- one\n3. two\nx"
    assert bulleted(item("a"), item("b", 2), item("c", 2, "10.", "ol"), item("d")) == "- a\n  - b\n  10. c\n- d"
    assert bulleted(item("• one"), item("1) two"), row("a", "b"), {"text": "x", "type": "l"}) == (
        "• one\n1) two\na\tb\nx"
    )
    assert bulleted({**item("A heading"), "type": "h"}) == "A heading"
    assert bulleted({"text": "plain text", "type": "l", "marker": "*"}, p("x")) == "- plain text\nx"
    inner = {**p("more"), "path": item("a")["path"] + "/p"}
    assert bulleted({**item("a\nb"), "lines": True}, inner, p("x"), inner) == "- a\n  b\n  more\nx\nmore"
    assert bulleted(item("a"), item("b", 2), inner) == "- a\n  - b\n  more"
    assert bulleted(item("a", 1, "10.", "ol"), {**code("if x:\n    y"), "path": "body/ol/li/pre"}) == (
        "10. a\n    if x:\n        y"
    )


# ---- conllu ----
def read(text: str) -> list[dict[str, Any]]:
    """The sentences of CoNLL-U, as strictly as its definition: comments by name, and the text of the tokens."""
    out = []
    for block in text.split("\n\n")[:-1]:
        comments, forms, pieces = {}, [], []
        for number, line in enumerate(lines := block.split("\n")):
            if line.startswith("# "):
                assert number == len(comments), f"a comment inside a sentence: {lines}"
                name, _, value = line[2:].partition(" = ")
                comments[name] = value
                continue
            fields = line.split("\t")
            assert len(fields) == 10
            assert fields[0] == str(len(forms) + 1)
            assert fields[1] == fields[1].strip() != ""
            assert fields[2:9] == ["_"] * 7
            forms.append(fields[1])
            pieces += [fields[1], "" if fields[9] == "SpaceAfter=No" else " "]
        assert forms
        assert comments["text"] == "".join(pieces).rstrip(" ")
        out.append({**comments, "forms": forms, "end": pieces[-1]})
    assert text == "" or text.endswith("\n\n")
    return out


def restored(sentences: list[dict[str, Any]]) -> str:
    """The text of all sentences, a paragraph on a line."""
    return "".join(
        ("\n" if "newpar id" in sentence else "") + sentence["text"] + sentence["end"] for sentence in sentences
    )


def test_documents_of_conllu() -> None:
    document = {"id": "a 1", "url": "https://www.a.example/", "head": {"title": "Rain\nin town"}, "lang": "en"}
    text = conllu([h("Rain in town"), p("Dr. Lee came. It's 3.5 %.")], document)
    first, second, third = read(text)
    assert text.startswith(
        "# newdoc id = a 1\n# url = https://www.a.example/\n# site = a.example\n# title = Rain in town\n# lang = en\n"
        "# newpar id = a1-p1\n# sent_id = a1-s1\n# text = Rain in town\n1\tRain\t_\t_\t_\t_\t_\t_\t_\t_\n"
    )
    assert second["newpar id"] == "a1-p2"
    assert (second["text"], third["text"]) == ("Dr. Lee came.", "It's 3.5 %.")
    assert third["forms"] == ["It's", "3.5", "%", "."]
    assert [sentence["sent_id"] for sentence in (first, second, third)] == ["a1-s1", "a1-s2", "a1-s3"]
    assert "newdoc id" not in second
    one, two = read(conllu([p("今天下雨。明天晴。")], {"lang": "zh"}))
    assert (one["text"], one["end"], two["text"]) == ("今天下雨。", "", "明天晴。")
    assert re.fullmatch("doc-[0-9a-f]{16}", one["newdoc id"])
    assert read(conllu([p("a")], {"url": "http://a.example/"}))[0]["sent_id"] == "http://a.example/-s1"
    assert read(conllu([p("a")], {}))[0]["sent_id"] != read(conllu([p("b")], {}))[0]["sent_id"]
    assert conllu([], {"id": "a"}) == ""
    assert conllu([p(" ")], {"id": "a"}) == ""
    assert len(read(conllu([p(""), p("a")], {"id": "a"}))) == 1


@given(st.lists(st.text("ab.!?#\t \n。今=\u2028\x00\x85"), max_size=4), st.text())
def test_any_text_can_be_restored(texts: list[str], name: str) -> None:
    found = read(conllu([p(text) for text in texts], {"id": name, "head": {"title": name}}))
    expected = [" ".join(text.replace("\x00", "").split()) for text in texts]
    assert re.sub(" +", " ", restored(found)).replace(" \n", "\n").strip() == "\n".join(filter(None, expected))
    assert len({sentence["sent_id"] for sentence in found}) == len(found)


# ---- posts ----
POSTS = [
    {"author": "Ann *L*", "date": "2024-05-03", "path": "body/ol/li#p1"},
    {"author": "Bob", "path": "body/ol/li#p1/ol/li#p2"},
]
DOCUMENT = {"posts": POSTS, "url": "https://forum.example/t/1"}
SEGMENTS: list[dict[str, Any]] = [
    {"text": "Rain", "type": "h", "level": 1, "path": "body/h1"},
    {"text": "Ann, 3 May", "type": "l", "path": "body/ol/li#p1", "marker": "1.", "post": 0, "part": "byline"},
    {"text": "It rained.", "type": "p", "path": "body/ol/li#p1/p", "depth": 1, "item": 1, "post": 0},
    {"text": "One", "type": "l", "path": "body/ol/li#p1/ul/li", "marker": "*", "depth": 2, "item": 2, "post": 0},
    {"text": "Yes.", "type": "l", "path": "body/ol/li#p1/ol/li#p2", "marker": "1.", "depth": 2, "item": 3, "post": 1},
    {"text": "Page 2", "type": "p", "path": "body/p"},
]


def shown() -> list[dict[str, Any]]:
    return outside_containers(SEGMENTS, DOCUMENT)


def test_posts_in_each_form() -> None:
    assert markdown(shown(), DOCUMENT) == (
        "# Rain\n\n---\n\n**Ann \\*L\\***, 2024-05-03\n\nIt rained.\n\n- One\n\n---\n\n**Bob**\n\nYes.\n\n---\n\nPage 2"
    )
    text = html(shown(), DOCUMENT)
    assert '<article>\n<header><b>Ann *L*</b> <time datetime="2024-05-03">2024-05-03</time></header>\n<p>It' in text
    assert "<article>\n<header><b>Bob</b></header>\n<p>Yes.</p>\n</article>\n<p>Page 2</p>\n</article>" in text
    text = tei(shown(), DOCUMENT)
    byline = '<byline><docAuthor>Ann *L*</docAuthor> <date when="2024-05-03">2024-05-03</date></byline>'
    assert f'<div n="1">\n<head>Rain</head>\n<div type="post">\n{byline}\n<p>It rained.</p>' in text
    assert "<p>Yes.</p>\n</div>\n<div>\n<p>Page 2</p>\n</div>\n</div>\n</body>" in text
    assert plain(shown(), DOCUMENT) == "Rain\n\nAnn, 3 May\nIt rained.\nOne\n\nYes.\n\nPage 2"
    assert plain_with_bullets(shown(), DOCUMENT) == "Rain\n\nAnn, 3 May\nIt rained.\n- One\n\nYes.\n\nPage 2"


def test_posts_and_what_is_around_them() -> None:
    # a post that goes on is not named again
    segments = [{"text": "a", "post": 0}, {"text": "b"}, {"text": "c", "post": 0}]
    assert [post for post, _ in post_runs(segments, DOCUMENT)] == [("Ann *L*", "2024-05-03"), None, ("", "")]
    # quotes and tables around posts
    document = {"posts": [{"path": "body/table/tr/td/blockquote#p1"}]}
    path = "body/table/tr/td/blockquote#p1/blockquote/p"
    segment = {"text": "Rain.", "type": "p", "path": path, "quote": 2, "table": 0, "cells": [], "post": 0}
    expected = [{"text": "Rain.", "type": "p", "path": "body/blockquote/p", "quote": 1, "post": 0}]
    assert outside_containers([segment], document) == expected

    # links to members are text
    def links(url: str, path: str = "body/p") -> int:
        segment = {"text": "Ann", "type": "p", "path": path, "post": 0, "spans": [[0, 3, "link", url]]}
        return len(outside_containers([segment], DOCUMENT)[0]["spans"])

    assert links("https://forum.example/u/ann") == 0
    assert links("https://forum.example/goto/post?id=3", "body/blockquote/p") == 0
    assert links("https://forum.example/goto/post?id=3") == 1
    assert links("https://elsewhere.example/users/ann") == 1
    # documents of other programs
    for posts in (None, "a", [7], []):
        assert plain(outside_containers(SEGMENTS, {"posts": posts}), {"posts": posts})
        assert markdown(SEGMENTS, {"posts": posts})
    assert post_number({"post": True}) is None


# ---- vertical ----
def text(*segments: Segment, **document: Any) -> str:
    return vertical(list(segments), document)


def test_vertical_is_a_token_a_line() -> None:
    assert text(h("A title"), p("It's 3.5 % of <x>, isn't it?"), **DOCUMENT_OF_VERTICAL) == "\n".join(
        [
            '<doc id="a&quot;b" url="http://example.org/?a&amp;b=&lt;c&gt;" site="example.org">', '<p type="h">', "A",
            "title", "</p>", '<p type="p">',
            *["It's", "3.5", "%", "of", "&lt;", "x", "&gt;", ",", "isn't", "it", "?"], "</p>", "</doc>",
        ]
    )  # fmt: skip


@pytest.mark.parametrize(("plain", "tokens"), [
    ("well-known AT&T’s U.S. base", ["well-known", "AT&amp;T’s", "U.S", ".", "base"]),
    ("1,234.56 at 10:30", ["1,234.56", "at", "10:30"]), ("Wait... what?!", ["Wait", "...", "what", "?", "!"]),
    ("“Łódź” – Ωμέγα", ["“", "Łódź", "”", "–", "Ωμέγα"]), ("a\tb\nc\u00a0d\u3000e", ["a", "b", "c", "d", "e"]),
    ("", []), ("我的 book", ["我", "的", "book"]),
])  # fmt: skip
def test_vertical_tokens(plain: str, tokens: list[str]) -> None:
    assert text(p(plain)).split("\n") == ["<doc>", '<p type="p">', *tokens, "</p>", "</doc>"]


@pytest.mark.parametrize("plain", ["1st", "3rd", "90s", "4G", "2nd-hand", "1,000.50", "1,000.50kg"])
def test_vertical_a_word_may_begin_with_a_digit(plain: str) -> None:
    assert text(p(plain)).split("\n")[2:-2] == [plain]


@pytest.mark.parametrize("plain", ["हिन्दी", "தமிழ்", "e\u0301te\u0301", "עִבְרִית"])
def test_vertical_marks_stay_with_their_letters(plain: str) -> None:
    assert text(p(plain)).split("\n")[2:-2] == [plain]


def test_vertical_documents() -> None:
    assert text(id=0) == '<doc id="0">\n</doc>'
    assert text(id=None, url=None) == "<doc>\n</doc>"
    head = {"title": "A <b>", "author": ["Ann", "Bob"], "date": "2024-05-06", "language": "en"}
    assert text(head=head) == '<doc title="A &lt;b&gt;" author="Ann; Bob" date="2024-05-06" lang="en">\n</doc>'
    made = vertical_sentences([p("It rained. Stop!"), h("A <b>"), p("今天。明天。")], {"id": "a"})
    assert made.replace("\n", " ") == (
        '<doc id="a"> <p type="p"> <s> It rained <g/> . </s> <s> Stop <g/> ! </s> </p> '
        '<p type="h"> <s> A &lt; <g/> b <g/> &gt; </s> </p> '
        '<p type="p"> <s> 今 <g/> 天 <g/> 。 </s> <g/> <s> 明 <g/> 天 <g/> 。 </s> </p> </doc>'
    )
    assert vertical_sentences([{"text": ""}], {}) == '<doc>\n<p type="p">\n</p>\n</doc>'
    assert len(text(id="a\nb", url="http://x/\ty\r").splitlines()) == 2


# ---- html ----
def text_of_html(*segments: Segment, **document: Any) -> str:
    return html(list(segments), document).removeprefix("<article>\n").removesuffix("\n</article>")


def inner_html(text: str, *spans: list[Any], **more: Any) -> str:
    """The HTML of a paragraph, with dots for formulas' elements."""
    found = text_of_html(p(text, spans=list(spans), **more)).removeprefix("<p>").removesuffix("</p>")
    return re.sub(r'<span class="math (i|d)\w+">\\[([](.*?)\\[])]</span>', r"\1{\2}", found)


def test_spans_and_headings_of_html() -> None:
    assert inner_html("a < b\nc", lines=True) == "a &lt; b<br>\nc"
    assert html([p("")], {}) == "<article>\n</article>"
    spans = [
        [0, 3, "link", "https://x/?a&b"], [0, 1, "em"], [2, 3, "link", "https://y/"], [4, 5, "link", "javascript:x"],
    ]  # fmt: skip
    assert inner_html("a b c", *spans) == '<a href="https://x/?a&amp;b"><em>a</em> b</a> c'
    image = {"src": "https://x/i", "alt": " a\n b", "onerror": "x"}
    assert inner_html("a!", [1, 1, "image", image]) == 'a<img src="https://x/i" alt="a b">!'
    assert inner_html("ab", [1, 1, "image", {**image, "alt": 'a"b'}]) == 'a<img src="https://x/i" alt="a&quot;b">b'
    for text, span, expected in (
        ("a b", [2, 3, "math", "x<1"], "a i{x&lt;1}"), ("a x (1)", [2, 3, "math", "x", "display"], "a\nd{x}\n(1)"),
        ("x.", [0, 1, "math", "x", "display"], "d{x}."), ("a b", [2, 2, "math", "x"], "a i{x} b"),
        ("a, b", [1, 1, "math", "x"], "ai{x}, b"), ("a b", [0, 0, "math", "x"], "i{x} a b"),
        ("a b", [3, 3, "math", "x"], "a b i{x}"),
    ):  # fmt: skip
        assert inner_html(text, span) == expected
    assert text_of_html(p("a", quote=1), {**code("b"), "quote": 1}) == (
        "<blockquote>\n<p>a</p>\n<pre><code>b</code></pre>\n</blockquote>"
    )
    assert text_of_html({**h("a b"), "bold": True}) == "<p><strong>a b</strong></p>"
    assert text_of_html({**h("a < b", 2), "spans": [[0, 5, "strong"]]}) == "<h2>a &lt; b</h2>"


def test_all_blocks() -> None:
    assert html(SOME, {"id": 'a"b', "url": "http://x/?a&b", "lang": "en"}).split("\n") == [
        '<article data-id="a&quot;b" data-url="http://x/?a&amp;b" lang="en">',
        "<h1>A title</h1>",
        "<p>First &amp; &lt;last&gt;.</p>",
        *["<ul>", "<li>one</li>", "<li>two</li>", "</ul>"],
        *["<table>", "<tr>", "<td>a</td>", "<td>b</td>", "</tr>", "</table>"],
        *["<pre><code>x = 1", "  y</code></pre>", "</article>"],
    ]


def test_lists_tables_and_figures_of_html() -> None:
    numbers = [item(str(n), 1, f"{n}.", "ol") for n in (2, 3, 7)]
    assert text_of_html(*numbers) == '<ol start="2">\n<li>2</li>\n<li>3</li>\n<li value="7">7</li>\n</ol>'
    assert text_of_html(item("a"), item("b", 2)) == "<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul></li>\n</ul>"
    quote = {**p("c"), "path": "body/ul/li/blockquote", "quote": 1, "depth": 1, "item": 1}
    assert text_of_html({**item("a"), "depth": 1, "item": 1}, quote) == (
        "<ul>\n<li>\n<p>a</p>\n<blockquote>\n<p>c</p>\n</blockquote>\n</li>\n</ul>"
    )

    def cell(text: str, row: int, column: int, **more: Any) -> Segment:
        return p(text, table=1, cells=[{"start": 0, "end": len(text), "row": row, "column": column, **more}])

    cells = [cell("a", 0, 0, rows=2, header=True), cell("b", 0, 1, columns=2), cell("d", 1, 2), cell("e", 1, 2)]
    assert text_of_html({**p("Names"), "table": 1, "tag": "caption"}, *cells).split("\n") == [
        "<table>",
        "<caption>Names</caption>",
        *["<tr>", '<th rowspan="2">a</th>', '<td colspan="2">b</td>', "</tr>"],
        *["<tr>", "<td></td>", "<td><p>d</p>", "<p>e</p></td>", "</tr>", "</table>"],
    ]
    caption = p("The mill", tag="figcaption", figure=[{"src": "https://x/i", "alt": "", "caption": "The mill"}])
    assert (
        text_of_html(caption)
        == '<figure>\n<img src="https://x/i" alt="">\n<figcaption>The mill</figcaption>\n</figure>'
    )
    assert text_of_html(p("a", figure=[{"src": "data:x"}])) == "<p>a</p>"
    assert (
        text_of_html({**code("a<b"), "code_language": "c++"}) == '<pre><code class="language-c++">a&lt;b</code></pre>'
    )


def test_footnotes_of_html() -> None:
    page = [
        p("a¹ b", spans=[[1, 2, "note", "x"], [4, 4, "note", "sidenote-2"]]),
        p("One.", note={"id": "x"}),
        p("Two.", note={"id": "sidenote-2"}),
    ]
    first = text_of_html(*page)
    assert ">1</a></sup>" in first and ">2</a></sup>" in first
    spans = [[1, 2, "note", "n"], [1, 2, "sup"], [1, 2, "link", "#n"]]
    page = [p("a1", spans=spans), p("b1", spans=[[1, 2, "note", "n"]]), p("Note.", note={"id": "n"})]
    prefix = anchor_prefix({"id": "x"})
    assert text_of_html(*page, id="x").split("\n")[1:] == [
        f'<p>a<sup><a href="#{prefix}fn-1" id="{prefix}ref-1">1</a></sup></p>',
        f'<p>b<sup><a href="#{prefix}fn-1">1</a></sup></p>', '<section class="footnotes">', "<ol>",
        f'<li id="{prefix}fn-1">Note.</li>', "</ol>", "</section>",
    ]  # fmt: skip
    assert prefix != anchor_prefix({"id": "y"})


# ---- markdown_escapes ----
def test_escapes_of_documents_and_numbers() -> None:
    assert Escapes(has_math=True).text("$5") == "\\$5"
    assert Escapes(has_references=True).text("[1] [a]") == "\\[1] [a]"
    assert Escapes().beside_markup("5* [a]") == "5\\* [a]"
    assert Escapes().beside_markup("[a]", in_link=True) == "\\[a\\]"
    assert escape_block("1. a") == "1\\. a"
    assert escape_block("12) a") == "12\\) a"
    assert [escape_block(line) for line in ("1.a", "#a", "-a", "=a", "1234567890. a")] == [
        "1.a", "#a", "-a", "=a", "1234567890. a",
    ]  # fmt: skip
    assert escape_block("[a]: /b", first=False) == "[a]: /b"
    assert is_definition("[a\nb]: c") and not is_definition("[a] b: c")


@pytest.mark.parametrize(("url", "written"), [
    ("https://x/a_(b)", "https://x/a_(b)"), ("https://x/a)(", "https://x/a\\)\\("),
    ("https://x/((", "https://x/\\(\\("), ("?a=b&copy;=c&d", "?a=b\\&copy;=c&d"),
])  # fmt: skip
def test_destinations(url: str, written: str) -> None:
    assert destination(url) == written


@pytest.mark.parametrize(("code", "written"), [
    ("a", "`a`"), ("`", "`` ` ``"), ("a ``b`` c", "`a ``b`` c`"), ("`a", "`` `a ``"), ("\n a\n b ", "`a b`"), (" ", ""),
])  # fmt: skip
def test_inline_code(code: str, written: str) -> None:
    assert inline_code(code) == written


# ---- urls ----
@pytest.mark.parametrize("url", [
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", " \x01java\nscript:alert(1)", "java\tscript:x",
    "data:text/html,<script>", "vbscript:x", "file:///etc/passwd", "view-source:http://x", "\u202ejavascript:x",
    "a&b:c", "", "x" * (MAX_URL_CHARS + 1),
])  # fmt: skip
def test_unsafe_addresses(url: str) -> None:
    assert link_url(url) == image_url(url) == ""


@pytest.mark.parametrize(
    "url",
    ["https://x.y/a_(b)?c=d&e#f", "HTTP://x", "//x.y/a", "/a:b", "a/b:c", "?a:b", "#a:b", "../a", "https://x/ä/中"],
)
def test_safe_addresses_stay(url: str) -> None:
    assert link_url(url) == image_url(url) == url


def test_addresses_of_mail_and_odd_characters() -> None:
    assert (link_url("mailto:a@b.c"), image_url("mailto:a@b.c")) == ("mailto:a@b.c", "")
    assert link_url(' https://x/a b"<c>`|\\^{}\u202e\u200b\0d ') == (
        "https://x/a%20b%22%3Cc%3E%60%7C%5C%5E%7B%7D%E2%80%AE%E2%80%8B%00d"
    )
    for url in (
        "https://a.org/green-arrow-film.jpg",
        "https://a.org/polka-dots.png",
        "https://a.org/uploads/ads.jpg",
        "https://a.org/icon.png",
    ):
        assert image_url(url) == url


@pytest.mark.parametrize("url", [
    "images/blackDiamondBullet.gif", "https://a.org/i/arrow_r.png", "https://a.org/M_images/printButton.png",
    "https://ads.a.org/1.jpg", "https://ad.doubleclick.net/x", "https://a.org/public/ico_external_link.gif",
    "https://a.org/favicons/favicon.svg", "https://a.org/lazy-load/images/1x1.trans.gif?v=2",
    "https://a.org/images/misc/quote_icon.png", "https://a.org/RealMedia/ads/adstream_nx.ads/a/728x90",
])  # fmt: skip
def test_decorations_have_no_address(url: str) -> None:
    assert image_url(url) == ""


@pytest.mark.parametrize(("url", "picture"), [
    ("a-300x200.jpg", ("a-.jpg", 300)), ("/thumb/a.png/250px-a.png", ("/thumb/a.png/-a.png", 250)),
    ("a.jpg?w=320&h=240&v=1", ("a.jpg&v=1", 320)), ("a.jpg?id=320", ("a.jpg?id=320", 0)),
    ("2024/11/a-100.jpg", ("2024/11/a-100.jpg", 0)),
])  # fmt: skip
def test_addresses_of_one_picture_differ_in_sizes(url: str, picture: tuple[str, int]) -> None:
    assert picture_of({"src": url}) == picture
