"""The HTML of a page before it is parsed."""

from __future__ import annotations

from ncfilters.page.tree.html_parser import lexbor_tree, parse_html
from ncfilters.page.tree.html_source import HtmlSource, source_of


def test_text_and_utf8_are_the_same_page() -> None:
    html = "<title>a</title><p>\u0107\U0001f44d <b>c</b>\0"
    source = source_of(html)
    assert (source.text, source.num_chars, source.num_tags) == (html, len(html), 5)
    assert source_of(source) is source
    assert HtmlSource(html.encode()).text == html
    assert parse_html(HtmlSource(html.encode())).html == parse_html(html).html


def test_lone_surrogates_are_for_the_parser() -> None:
    source = source_of("<p>\udc80")
    assert source.text == "<p>\ufffd" and source.num_chars == 4
    assert parse_html("<p>\udc80").html == lexbor_tree("<p>\udc80").html == lexbor_tree("<p>\ufffd").html
