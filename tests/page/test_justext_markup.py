"""Markup made ready for jusText's paragraphs."""

from __future__ import annotations

import random

import pytest
from operations import assert_linear_time

from ncfilters.page import compiled_core
from ncfilters.page.html_source import HtmlSource, source_of
from ncfilters.page.justext_markup import TEMPLATE, parse_like_libxml2, parse_whole


def body(html: str) -> str:
    tree = parse_like_libxml2(f"<!DOCTYPE html><html><head><title>t</title></head><body>{html}</body></html>")
    return (tree.body.html or "") if tree.body else ""


@pytest.mark.parametrize(
    "html, expected",
    [
        ("a<button>b</button>c", "ac"),
        ("a<form>b<p>c</p></form>", "ab<p>c</p>"),
        ("a<!-- b -->c<script>d</script>e<style>f</style>g", "aceg"),
        ("a<?b?>c<!d>e", "ace"),
        ("a</br>b", "ab"),
        ("<a name=x />b", '<a name="x"></a>b'),
        ("<h2 />b", "<h2></h2>b"),
        ("a<template>b</template>", f"a<{TEMPLATE}>b</{TEMPLATE}>"),
    ],
)
def test_markup_of_the_body(html: str, expected: str) -> None:
    assert body(html) == f"<body>{expected}</body>"


def test_texts_around_deleted_elements_are_one_node() -> None:
    tree = parse_like_libxml2("<p>a<input>b<object>c</object>d</p>")
    assert tree.root is not None
    assert [node.text_content for node in tree.root.traverse(include_text=True) if node.tag == "-text"] == ["abcd"]


@pytest.mark.parametrize(
    "html, expected",
    [
        ("<head><title>t</title></head><p>a", "<p>a</p>"),
        ("<head><title>t<p>a", ""),
        ("<head><noscript><p>x</noscript></head><p>a", "<p>a</p>"),
    ],
)
def test_the_head_is_deleted(html: str, expected: str) -> None:
    tree = parse_like_libxml2(html)
    assert tree.body is not None and tree.body.html == f"<body>{expected}</body>"


@pytest.mark.parametrize("part", ["<script ", "</br ", "<!-- ", "<!x ", "<iframe></", "<head =", "<a x/>"])
def test_unclosed_tags_take_linear_time(part: str) -> None:
    # both sizes have more tags than any limit of `limits` and `broken_markup` leaves unchanged
    assert_linear_time(lambda html: parse_like_libxml2(html, dense=True), lambda size: part * size, 30_000)


# Parts of markup that is changed before it is parsed, and of what looks like it.
PARTS = (
    *"<!-- x --> <!--> <!-- --!> <!x> <?x?> <!doctype> <?DocType> <! <!-".split(),
    *"<script> <SCRIPT/> </script> </Script/> <script\u00a0> <scr\u0131pt> <\u017ftyle> <style\x1d>".split(" "),
    *"<style/> </style>".split(),
    "<script src='/>' />",
    '<script a="/>',
    "<script><!-- <script ",
    *"<iframe> <iframe /> </iframe> <title> </title> <noscript> </noscript> <template> <TEMPLATE/> </template>".split(),
    *"<head> </head> <head\u3000> <head/> <header> <html> <base64> <base\u00e9> <l\u0131nk> <body> <p>".split(),
    '<html a=\'>" b=\n\t">" c=>',
    "<meta content = 'x>'",
    "</html",
    *"</br> </BR/> </br\u2003> </br\u00e9> </b </brx>".split(" "),
    *"<a/> <a name=x/> <h1/> <h7/> <button/> <textarea/> a/> <select\u00a0/> <\u00e9/> <aside/>".split(" "),
    "<a name='x'/>",
    "<A name=x />",
    "<a b=> c'/>",
    *"x ' \" = > < / \u00a0 \n /> -->".split(" "),
)


@pytest.mark.skipif(compiled_core.core() is None, reason="no compiled core here: python setup.py build_ext --inplace")
def test_markup_of_the_compiled_core_is_that_of_python() -> None:
    choose, compiled = random.Random(5), 0
    for _ in range(4_000):
        html = "".join(choose.choices(PARTS, k=choose.randint(1, 30)))
        source = source_of(html)
        of_python = HtmlSource(html, None, len(html), 0, True, False)
        assert parse_whole(source).html == parse_whole(of_python).html, html
        compiled += compiled_core.core().without_code_and_head(source.utf8) is not None
    assert 400 < compiled < 3_600
