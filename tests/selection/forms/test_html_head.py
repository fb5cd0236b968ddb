"""The head of an HTML document of its own."""

from __future__ import annotations

from typing import Any

from ncfilters.selection.forms.html_head import PLAIN_HEAD, html_head

HEAD: dict[str, Any] = {
    "title": "Rain <script>",
    "author": ['Ann "A" Lee', "Bo"],
    "date": "2024-02-03",
    "site": "The Site",
    "description": "All of\nit.",
    "canonical": "https://a.example/rain?a&b",
    "license": "CC BY",
    "categories": ["rain", "snow"],
    "evidence": {},
}


def test_what_is_known_of_the_page() -> None:
    assert html_head({"head": HEAD, "lang": "en"}).split("\n") == [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        "<title>Rain &lt;script&gt;</title>",
        '<meta name="author" content="Ann &quot;A&quot; Lee">',
        '<meta name="author" content="Bo">',
        '<meta name="date" content="2024-02-03">',
        '<meta property="og:site_name" content="The Site">',
        '<meta name="description" content="All of it.">',
        '<meta name="keywords" content="rain, snow">',
        '<link rel="canonical" href="https://a.example/rain?a&amp;b">',
        "</head>",
        "<body>",
        "",
    ]


def test_addresses_that_are_none() -> None:
    assert "javascript" not in html_head({"head": {**HEAD, "canonical": "javascript://x%0aalert(1)"}})


def test_a_page_without_metadata() -> None:
    assert html_head({}) == html_head({"head": {"title": "Rain"}}) == html_head({"head": 1}) == PLAIN_HEAD
    assert "<title>Text</title>" in html_head({"head": {"evidence": {}}})
