"""What pages say of themselves: what is found, what is kept, what a record may hold."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.errors import RecordError
from ncfilters.page import html_parser, metadata, profiles, tidy
from ncfilters.scoring import scorer
from ncfilters.segmentation import segmenter

PAGE = """<!doctype html><html><head><title>It rained | The  Daily
 Puddle</title><meta name="Description" content=" Rain fell, and  went on falling. ">
<meta property="og:type" content="Article"><meta name="robots" content="all"><meta name="description" content="No.">
<script type="application/ld+json">{"@context": "https://schema.org",
"@type": ["NewsArticle", "http://schema.org/Report"], "author": {"@type": "Person"}}</script></head>
<body itemscope itemtype="https://schema.org/WebPage/"><h1>It rained</h1><p>Rain fell.
<i itemtype="42"></i></p></body>"""


def said(html: str) -> dict[str, Any]:
    return metadata.head_of_page(html_parser.parse_html(html))


def test_what_a_page_says() -> None:
    assert said(PAGE) == {
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
def test_pages_that_say_little(html: str, expected: dict[str, Any]) -> None:
    assert said(html) == expected


def test_what_is_kept_is_bounded() -> None:
    types = ",".join(f'{{"@type": "Kind{chr(97 + at % 26) * (at + 1)}"}}' for at in range(99))
    found = said(f"<title>{'long ' * 9999}</title><script type='application/ld+json'>[{types}]</script>")
    assert len(found["title"]) <= metadata.LONGEST
    assert len(found["kinds"]) == metadata.MOST_KINDS
    assert max(map(len, found["kinds"])) == len("ld:") + metadata.LONGEST_KIND


@pytest.mark.parametrize("made", [profiles.render_record, segmenter.segment_record, tidy.normalize_record])
def test_filters_write_it(made: Any) -> None:
    out = made({"html": PAGE})
    assert out["head"]["title"] == "It rained | The Daily Puddle"
    assert made({"html": PAGE, "head": {"title": "Mine"}})["head"] == {"title": "Mine"}
    assert "head" not in made({"html": "<p>Text."})


def test_it_is_the_same_by_way_of_blocks() -> None:
    whole = segmenter.segment_record({"html": PAGE})
    assert segmenter.segment_record(profiles.render_record({"html": PAGE})) == whole
    assert segmenter.segment_record(tidy.normalize_record({"html": PAGE}))["head"] == whole["head"]
    assert "head" not in segmenter.segment_record({"html": PAGE}, profiles.PageOptions(profile="justext"))


NO_KINDS = ("@no og", "@no ld")


@pytest.mark.parametrize(
    "fields, expected",
    [
        ({}, metadata.NOTHING),
        ({"head": None, "url": None}, metadata.NOTHING),
        ({"head": ["title"], "url": 7}, metadata.NOTHING),
        ({"head": {"title": 1, "description": None, "kinds": "og:x"}}, metadata.Head(names=NO_KINDS)),
        (
            {"head": {"title": "One", "kinds": ["og:x", 5, "Shop"]}},
            metadata.Head("One", "", ("@og:x", "@shop", "@no ld")),
        ),
        ({"head": {"description": "One.", "kinds": ["Shop"]}}, metadata.Head("", "One.", ("@shop", *NO_KINDS))),
        (
            {"url": "https://www.shop.example.org/"},
            metadata.Head(names=("@host www", "@host shop", "@host example", "@top org", "@depth 0")),
        ),
        (
            {"url": "http://a.b/Blog/2024/05/it-rained-and-rained-again?x=/y"},
            metadata.Head(names=("@top b", "@path blog", "@depth 4", "@last 5", "@number")),
        ),
        ({"url": "mailto:"}, metadata.Head(names=("@depth 0",))),
        ({"url": ""}, metadata.NOTHING),
    ],
)
def test_what_records_say(fields: dict[str, Any], expected: metadata.Head) -> None:
    found = metadata.of_record({"segments": [{"text": "a"}], **fields})
    assert found == [{"text": "a"}] and found.head == expected == metadata.known(found)
    assert metadata.known(list(found)) == metadata.NOTHING


def test_long_heads_of_others() -> None:
    many = {"title": "a b " * 10**6, "description": "c" * 10**7, "kinds": ["k"] * 10**6}
    found = metadata.of_record({"segments": [], "head": many}).head
    assert len(found.title) == len(found.description) == metadata.LONGEST and len(found.names) == 3


def test_long_addresses() -> None:
    names = metadata.of_record({"url": "http://" + "/a-b" * 9999, "segments": []}).head.names
    assert len(names) < 20


def test_scoring_leaves_the_record_as_it_is() -> None:
    document = segmenter.segment_record({"html": PAGE, "url": "http://a.org/"})
    before = dict(document["head"])
    (scored,) = scorer.scorer([("ncleaner-en", _Zero())])([document])
    assert not isinstance(scored, RecordError)
    assert type(scored["segments"]) is list and scored["head"] == before
    assert all(found["score"] == 0 for found in scored["segments"])


class _Zero:
    kind = "zero"

    def evidence(self, documents: Any) -> list[dict[str, list[Any]]]:
        return [{"score": [0.0] * len(document)} for document in documents]

    def header(self) -> dict[str, Any]:
        return {}

    def arrays(self) -> dict[str, Any]:
        return {}
