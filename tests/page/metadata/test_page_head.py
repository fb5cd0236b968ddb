"""The head of a page: title, description and kinds."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.native.page_table import table_of
from ncfilters.page import profiles, tidy
from ncfilters.page.metadata import head_record, page_head
from ncfilters.page.tree import html_parser
from ncfilters.segmentation import segmenter

PAGE = """<!doctype html><html><head><title>It rained | The  Daily
 Puddle</title><meta name="Description" content=" Rain fell, and  went on falling. ">
<meta property="og:type" content="Article"><meta name="robots" content="all"><meta name="description" content="No.">
<script type="application/ld+json">{"@context": "https://schema.org",
"@type": ["NewsArticle", "http://schema.org/Report"], "author": {"@type": "Person"}}</script></head>
<body itemscope itemtype="https://schema.org/WebPage/"><h1>It rained</h1><p>Rain fell.
<i itemtype="42"></i></p></body>"""


def head_of(html: str) -> dict[str, Any]:
    return page_head.head_of_page(table_of(html_parser.parse_html(html).root))


def test_head_of_a_page() -> None:
    assert head_of(PAGE) == {
        "title": "It rained | The Daily Puddle",
        "description": "Rain fell, and went on falling.",
        "kinds": ["og:article", "it:WebPage", "ld:NewsArticle", "ld:Person", "ld:Report"],
    }


@pytest.mark.parametrize(
    "html, expected",
    [
        ("", {}),
        ("<p>Text.", {}),
        ("<title> </title><p>Text.", {}),
        ("<title>One</title><title>Two</title>", {"title": "One"}),
        ('<title>One - A site</title><meta property="og:title" content="One">', {"title": "One"}),
        ('<title>One</title><meta property="og:title" content=" ">', {"title": "One"}),
        ('<meta property="OG:Description" content="Other.">', {"description": "Other."}),
        ('<meta name="description"><meta name="description" content="Some.">', {"description": "Some."}),
        ("<body><div>Menu</div><title>One</title><title>Two</title>", {"title": "One"}),
        ("<head><title></title></head><body>Text.<title>One</title>", {"title": "One"}),
        ("<head><title>One</title></head><body><title>Two</title>", {"title": "One"}),
        (
            '<p>Text.<meta name="description" content="Some."><meta property="og:title" content="One"><title>2</title>',
            {"title": "One", "description": "Some."},
        ),
        ("<body><svg><g><title>Close</title></g></svg><title>One</title>", {"title": "One"}),
        ("<body><svg><title>Close</title></svg>Text.", {}),
        ('<script type="application/ld+json">{"@type": "A", broken</script>', {"kinds": ["ld:A"]}),
        ("<frameset><frame src=a></frameset>", {}),
        (
            '<meta name="generator" content="WordPress 6.1"><meta name="twitter:card" content="summary">'
            '<meta name="author" content="Ann"><meta property="article:published_time" content="2026">',
            {"kinds": ["author", "card:summary", "generator:WordPress", "published"]},
        ),
        ('<meta name="generator" content="4.2">', {}),
    ],
)
def test_heads_with_little_in_them(html: str, expected: dict[str, Any]) -> None:
    assert head_of(html) == expected


def test_head_is_bounded() -> None:
    types = ",".join(f'{{"@type": "Kind{chr(97 + at % 26) * (at + 1)}"}}' for at in range(99))
    head = head_of(f"<title>{'long ' * 9999}</title><script type='application/ld+json'>[{types}]</script>")
    assert len(head["title"]) <= head_record.MAX_TITLE_CHARS
    assert len(head["kinds"]) == head_record.MAX_KINDS
    assert max(map(len, head["kinds"])) == len("ld:") + page_head.MAX_KIND_CHARS


@pytest.mark.parametrize("stage", [profiles.render_record, segmenter.segment_record, tidy.normalize_record])
def test_filters_add_the_head(stage: Any) -> None:
    out = stage({"html": PAGE})
    assert out["head"]["title"] == "It rained | The Daily Puddle"
    assert stage({"html": PAGE, "head": {"title": "Mine"}})["head"] == {"title": "Mine"}
    assert "head" not in stage({"html": "<p>Text."})


def test_head_is_the_same_by_way_of_blocks() -> None:
    whole = segmenter.segment_record({"html": PAGE})
    assert segmenter.segment_record(profiles.render_record({"html": PAGE})) == whole
    assert segmenter.segment_record(tidy.normalize_record({"html": PAGE}))["head"] == whole["head"]
    assert "head" not in segmenter.segment_record({"html": PAGE}, profiles.PageOptions(profile="justext"))


@pytest.mark.parametrize(
    "content, description",
    [
        ("<p>Rain <b>fell</b>.</p><p>Then snow.</p>", "Rain fell. Then snow."),
        ("&amp;lt;p&amp;gt;Bo&amp;#39;s pier", "Bo's pier"),
        ("Rain.<br/>Snow, <a href=/cut", "Rain. Snow,"),
        ("The <table> element, Ann <ann at sea.example>", "The <table> element, Ann <ann at sea.example>"),
        ("Less < more", "Less < more"),
    ],
)
def test_descriptions_that_are_markup(content: str, description: str) -> None:
    page = f'<meta name=description content="{content}">'
    assert page_head.head_of_page(table_of(html_parser.parse_html(page).root)) == {"description": description}
