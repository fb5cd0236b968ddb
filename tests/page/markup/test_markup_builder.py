"""Blocks with their markup."""

from __future__ import annotations

from typing import Any

import pytest
from operations import assert_linear

from ncfilters.page.blocks.visual_blocks import blocks as blocks_of
from ncfilters.page.markup.markup_reader import MarkupReader
from ncfilters.page.markup.page_links import PageLinks
from ncfilters.page.tree.html_parser import parse_html


def marked(html: str) -> list[tuple[Any, ...]]:
    """The text that each span of a page covers, its kind and its value."""
    return [
        (block["text"][start:end], *entry)
        for block in MarkupReader(PageLinks())(parse_html(html))
        for start, end, *entry in block.get("spans", ())
    ]


@pytest.mark.parametrize(
    ("html", "spans"),
    [
        ("<p>a <a href=x> b </a>c", [("b", "link", "x")]),
        ("<p>a <a href=x>b</a><a href=y>c</a>", [("b", "link", "x"), ("c", "link", "y")]),
        ("<p>a<base href=http://a.example/><base href=x> <a href=b>c</a>", [("c", "link", "http://a.example/b")]),
        ("<p>a <a name=x>b</a> <a href='javascript:x()'>c</a> <a href=#d role=tab>d</a>", []),
        (
            "<p>a <i>b</i> <strong>c</strong> <tt>d</tt> <s>e</s> <mark>f</mark>",
            [("b", "em"), ("c", "strong"), ("d", "code"), ("e", "del"), ("f", "mark")],
        ),
        ("<p><span style='font-weight: 700'>a</span> <span style='color:red'>b</span>", [("a", "strong")]),
        ("<p><font style='FONT-STYLE:italic'>a</font> <span hidden>b</span>", [("a", "em")]),
        ("<b style='font-weight:normal'><p>a <em style='font-style: normal'>b</em></p></b>", []),
        ("<p>H<sub>2</sub>O, 2<sup>nd</sup>", [("₂", "sub", "2"), ("nd", "sup")]),
        (
            "<p>a<sup> <a href=x>1</a>, <a href=y>2</a></sup>",
            [("[1, 2]", "sup", "1, 2"), ("1", "link", "x"), ("2", "link", "y")],
        ),
        ("<p>2<sup>-<i>3</i></sup>", [("⁻³", "sup", "-3"), ("⁻³", "em")]),
        ("<p>a <b>b<p>c</b> d", [("b", "strong"), ("c", "strong")]),
        ("<a href=x><h3>a</h3><p>b</p></a>", [("a", "link", "x"), ("b", "link", "x")]),
        (
            "<p>a <a href=x>b <span style='display: none'>hidden <i>c</i></span> d</a>",
            [("c", "em"), ("b d", "link", "x")],
        ),
        ("<p>a <em style='display:none'>b <i>c</i></em> <em>d</em>", [("c", "em"), ("d", "em")]),
        (
            "<pre><code>a <b>b</b></code></pre><p><code><b>c</b></code>",
            [("b", "strong"), ("c", "code"), ("c", "strong")],
        ),
        ("<table><tr><td>a <i>b</i><td><b>c</b><td>d</table>", [("b", "em"), ("c", "strong")]),
        ("<p>a <img src=x alt=X>b", [("", "image", {"src": "x", "alt": "X"})]),
        ("<p><a href=y><img src=x></a> a", [("", "image", {"src": "x", "alt": "", "link": "y"})]),
        ("<p>a <a href=y> <img src=x> </a>", [("", "image", {"src": "x", "alt": "", "link": "y"})]),
        ("<p>a<br><img src=x>b<br>c", [("", "image", {"src": "x", "alt": ""})]),
        ("<p><i class=Material-Icons>check</i> a <em class='fa ICON'>b</em> <i class=x>c</i>", [("c", "em")]),
        ("<p>a<amp-img src=x><noscript><img src=x></noscript></amp-img>", [("", "image", {"src": "x", "alt": ""})]),
        ("<ul class=task-list><li><label><input type=checkbox checked> a</label>", [("", "task", "x")]),
        ("<ul><li><input type=checkbox disabled> a<li><input type=checkbox> b", [("", "task", " ")]),
        ("<ul class=tasks><li>a <input type=checkbox></ul><p><input type=checkbox disabled> b", []),
        ("<p><a href=y><img src=x> a</a>", [("a", "link", "y"), ("", "image", {"src": "x", "alt": ""})]),
        ("<p><img src=x> a", [("", "image", {"src": "x", "alt": ""})]),
        ("<li>&lt;l> <b>a</b> b", [("a", "strong")]),
    ],
)
def test_spans(html: str, spans: list[tuple[Any, ...]]) -> None:
    assert marked(html) == spans


def test_the_reference_parser_keeps_images() -> None:
    html = "<base href=http://a.example/><p>a <img src=x> <picture><source srcset=y><img></picture> b"
    blocks = [MarkupReader(PageLinks())(parse_html(html, parser)) for parser in ("lexbor", "html5lib")]
    assert blocks[0] == blocks[1]
    assert [span[3]["src"] for span in blocks[0][0]["spans"]] == ["x", "y"]


def test_cells_that_are_one_row() -> None:
    html = "<ul><li><table><tr><td>a <i>b</i><td><a href=x>c</a><img src=y></table></ul>"
    (row,) = MarkupReader(PageLinks())(parse_html(html))
    assert row["text"] == "a b\tc"
    assert row["spans"] == [[2, 3, "em"], [4, 5, "link", "x"], [5, 5, "image", {"src": "y", "alt": ""}]]
    assert (row["depth"], row["item"]) == (1, 1)


@pytest.mark.parametrize(
    "html",
    [
        "<p>a <img data-src=x><noscript><img src=x></noscript> b",
        "<p>a</p><img data-src=x><noscript><img src=x></noscript>",
        "<p>a</p><img data-src=x-300.jpg><noscript><img src=x.jpg></noscript>",
        "<p>a</p><noscript><img src=x></noscript><img data-src=x>",
        "<p>a</p><img src=data:x><noscript><img src=x></noscript>",
        "<p>a</p><img src=y style='display:none'><img src=x>",
    ],
)
def test_an_image_for_browsers_without_scripts_is_the_same_image(html: str) -> None:
    blocks = MarkupReader(PageLinks())(parse_html(html))
    images = [figure for block in blocks for figure in block.get("figure", ())]
    images += [span[3] for block in blocks for span in block.get("spans", ())]
    assert [image["src"].partition("-")[0] for image in images] == ["x"]


def test_equal_images_in_cells_are_several() -> None:
    html = "<table><tr><td>a<td><img src=x alt=yes><td><img src=x alt=yes><tr><td>b<td>c<td>d</table>"
    row = MarkupReader(PageLinks())(parse_html(html))[0]
    assert [(figure["src"], figure["column"]) for figure in row["figure"]] == [("x", 1), ("x", 2)]


def test_each_image_for_browsers_without_scripts_is_one() -> None:
    pair = "<img src=data:x><noscript><img src={}></noscript>"
    ((block),) = MarkupReader(PageLinks())(parse_html("<p>a</p><img src=x>" + pair.format("y") + pair.format("z")))
    assert [figure["src"] for figure in block["figure"]] == ["x", "y", "z"]


@pytest.mark.parametrize(
    "html",
    [
        "<p>a<i hidden>b</i>c<em aria-hidden=true>d</em>",
        "<a href=x><img src=y></a><a href=z><img src=y></a><p>a",
        "<p>a<a href=x>b</a><a>c</a><sup>2<i>3</i></sup>",
        "<table><tr><td><b>a</b><td>b<tr><td><p>c<p>d<td>e</table>",
        "<p>Ann<em>May</em><i>12</i>May<code>x</code>",
        "a<noscript><img src=x></noscript>b<noscript>c</noscript><hr>d<br>e",
        "<b>a<div>b<i>c</b>d",
    ],
)
def test_text_is_that_of_blocks_without_markup(html: str) -> None:
    fields = ("spans", "figure", "level", "depth", "item", "quote", "table", "cells")
    blocks = MarkupReader(PageLinks())(parse_html(html))
    plain = [{name: value for name, value in block.items() if name not in fields} for block in blocks]
    assert plain == blocks_of(parse_html(html))


@pytest.mark.parametrize(
    "part",
    [
        "<i>a",
        "<a href=x>a<table><tr><td>",
        "<sup><b>1",
        "<figure><img src=x><p>a",
        "<img src=x>",
        "<li><blockquote>a",
        "<a href=x><img src=x></a>",
        "a<img src=x> ",
    ],
)
def test_time_is_linear(part: str) -> None:
    assert_linear(lambda html: MarkupReader(PageLinks())(parse_html(html)), lambda size: part * size, 100)
