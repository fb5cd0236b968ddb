"""Markup made ready for jusText's paragraphs."""

from __future__ import annotations

import pytest
from operations import assert_linear_time
from uncompiled import both_forms

from ncfilters.page.blocks import justext_markup
from ncfilters.page.blocks.justext_markup import TEMPLATE, parse_like_libxml2


def body(html: str) -> str:
    """The body of a page, which both forms of the module make."""
    page = f"<!DOCTYPE html><html><head><title>t</title></head><body>{html}</body></html>"
    first, *others = [form.parse_like_libxml2(page).body.html for form in both_forms(justext_markup.__name__)]
    assert all(other == first for other in others)
    return str(first)


@pytest.mark.parametrize(
    "html, expected",
    [
        ("a<!-- b -->c<script>d</script>e<style>f</style>g", "aceg"),
        ("a<?b?>c<!d>e", "ace"),
        ("a<script><!-- <script> --></SCRIPT x>b</script>c", "a<script><!-- <script> --></script>bc"),
        ("a<style>b</styles></style>c<script>d<!-- e</script>f", "acf"),
        ("a<iframe><b></iframe>c", "a<iframe><b></iframe>c"),
        ("a</br>b", "ab"),
        ("<a name=x />b", '<a name="x"></a>b'),
        ("<h2 />b", "<h2></h2>b"),
        ("a<template>b</template>", f"a<{TEMPLATE}>b</{TEMPLATE}>"),
    ],
)
def test_markup_of_the_body(html: str, expected: str) -> None:
    assert body(html) == f"<body>{expected}</body>"


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


@pytest.mark.usefixtures("no_bounds")
@pytest.mark.parametrize("part", ["<script ", "</br ", "<!-- ", "<!x ", "<iframe></", "<head =", "<a x/>"])
def test_unclosed_tags_take_linear_time(part: str) -> None:
    assert_linear_time(lambda html: parse_like_libxml2(html), lambda size: part * size, 30_000)
