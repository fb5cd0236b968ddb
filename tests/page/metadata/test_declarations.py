"""What a page declares: its head, tags and JSON-LD."""

from __future__ import annotations

from typing import Any

import pytest

from ncfilters.head import MAX_KINDS, MAX_TITLE_CHARS, add_head, declared_title, has_metadata, without_metadata
from ncfilters.native.page_table import table_of
from ncfilters.page import profiles, tidy
from ncfilters.page.metadata.declarations import MAX_KIND_CHARS, Statements, declared_address, head_of_page, read_tags
from ncfilters.page.metadata.structured_data import linked_metadata
from ncfilters.page.page_options import PageOptions
from ncfilters.page.profiles import render_record
from ncfilters.page.tree import html_parser
from ncfilters.page.tree.survey import survey
from ncfilters.pipeline import Pipeline
from ncfilters.segmentation import segmenter

PAGE = """<!doctype html><html><head><title>It rained | The  Daily
 Puddle</title><meta name="Description" content=" Rain fell, and  went on falling. ">
<meta property="og:type" content="Article"><meta name="robots" content="all"><meta name="description" content="No.">
<script type="application/ld+json">{"@context": "https://schema.org",
"@type": ["NewsArticle", "http://schema.org/Report"], "author": {"@type": "Person"}}</script></head>
<body itemscope itemtype="https://schema.org/WebPage/"><h1>It rained</h1><p>Rain fell.
<i itemtype="42"></i></p></body>"""


def head_of(html: str) -> dict[str, Any]:
    return head_of_page(table_of(html_parser.parse_html(html).root))


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


def test_head_is_bounded_and_the_same_by_way_of_blocks() -> None:
    types = ",".join(f'{{"@type": "Kind{chr(97 + at % 26) * (at + 1)}"}}' for at in range(99))
    head = head_of(f"<title>{'long ' * 9999}</title><script type='application/ld+json'>[{types}]</script>")
    assert len(head["title"]) <= MAX_TITLE_CHARS
    assert len(head["kinds"]) == MAX_KINDS
    assert max(map(len, head["kinds"])) == len("ld:") + MAX_KIND_CHARS
    whole = segmenter.segment_record({"html": PAGE})
    assert segmenter.segment_record(profiles.render_record({"html": PAGE})) == whole
    assert segmenter.segment_record(tidy.normalize_record({"html": PAGE}))["head"] == whole["head"]
    assert "head" not in segmenter.segment_record({"html": PAGE}, profiles.PageOptions(profile="justext"))


@pytest.mark.parametrize("stage", [profiles.render_record, segmenter.segment_record, tidy.normalize_record])
def test_filters_add_the_head(stage: Any) -> None:
    out = stage({"html": PAGE})
    assert out["head"]["title"] == "It rained | The Daily Puddle"
    assert stage({"html": PAGE, "head": {"title": "Mine"}})["head"] == {"title": "Mine"}
    assert "head" not in stage({"html": "<p>Text."})


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
    assert head_of_page(table_of(html_parser.parse_html(page).root)) == {"description": description}


FULL = {
    "title": "Rain", "declared_title": "Rain - Log", "kinds": ["author"], "site": "Log", "evidence": {"site": "url"},
}  # fmt: skip


def test_heads_are_added_once() -> None:
    assert has_metadata(FULL) and not has_metadata({"title": "Rain"})
    assert declared_title(FULL) == "Rain - Log" and declared_title({"title": 7}) == ""
    assert without_metadata(FULL) == {"title": "Rain - Log", "kinds": ["author"]}
    record: dict[str, object] = {}
    add_head(record, {})
    assert record == {}
    add_head(record, {"title": "Rain - Log"})
    add_head(record, FULL)
    added = {name: value for name, value in FULL.items() if name != "kinds"}
    assert record["head"] == added  # but what models read stays as it is
    add_head(record, {"title": "Other", "evidence": {}})
    assert record["head"] == added


def test_tags_by_rank_and_the_cards_of_twitter() -> None:
    said = Statements()
    tags = [
        ("twitter:data1", "4 minutes"), ("twitter:label1", "Est. reading time"), ("twitter:label2", "Written by"),
        ("twitter:data2", "Ann Lee"), ("parsely-author", "Bob"), (" AUTHOR ", "x" * 3000), ("byl", None), (None, "Ann"),
        ("viewport", "width=1"), ("keywords", "rain"), ("og:title", ""),
    ]  # fmt: skip
    read_tags(said, tags)
    authors = [("x" * 2000, "meta author"), ("Bob", "meta parsely-author"), ("Ann Lee", "meta twitter:data2")]
    assert said.by_source == {"meta": {"author": authors}}


CANONICAL = "<link rel=canonical href='https://a.example/news/rain'>"
GRAPH = "<meta property='og:url' content='https://b.example/rain'>"


def address_of(html: str) -> str | None:
    return declared_address(survey(table_of(html_parser.parse_html(html).root)))


@pytest.mark.parametrize(
    "html, expected",
    [
        ("<p>Text.", None),
        (CANONICAL, "https://a.example/news/rain"),
        (GRAPH + CANONICAL, "https://a.example/news/rain"),
        (GRAPH, "https://b.example/rain"),
        (f"<link rel=canonical href=''>{GRAPH}", "https://b.example/rain"),
        (f"<link rel=canonical href='/rain'>{GRAPH}", "https://b.example/rain"),
        ("<link rel=canonical href='/rain'>", None),
        ("<base href='https://c.example/x/'><link rel=canonical href=rain>", "https://c.example/x/rain"),
        ("<base href='https://c.example/x/'>", None),  # of the site, not of the page
        ("<base href='/x/'><link rel=canonical href=rain>", None),
        ("<link rel=canonical href='javascript:go()'>", None),
        ("<link rel=alternate href='https://a.example/feed'>", None),
    ],
)
def test_declared_address(html: str, expected: str | None) -> None:
    assert address_of(html) == expected


def test_the_address_of_the_record_comes_first_and_links_are_resolved_by_it() -> None:
    page = f"{CANONICAL}<p>Text."
    assert render_record({"html": page})["url"] == "https://a.example/news/rain"
    assert render_record({"html": page, "url": None})["url"] == "https://a.example/news/rain"
    assert render_record({"html": page, "url": "https://c.example/"})["url"] == "https://c.example/"
    assert "url" not in render_record({"html": "<p>Text."})
    page = f"{CANONICAL}<p>The <a href='sun'>sun</a> shone."
    (block,) = render_record({"html": page}, PageOptions(markup=True))["blocks"]
    assert block["spans"] == [[4, 7, "link", "https://a.example/news/sun"]]


@pytest.mark.parametrize("form", ["plain", "markdown", "html"])
def test_the_text_of_a_page_is_the_same_with_and_without_its_canonical_address(form: str) -> None:
    page = f"""<title>Rain | A Example</title>{CANONICAL}<nav><a href=/>Home</a> <a href=/news>News</a></nav>
<h1>Rain</h1><p>It rained all day in the town by the sea, and <a href=more>the streets were empty</a>.
<p><img src=rain.jpg alt=Rain>
<footer>© <a href=/>A Example</a></footer>"""
    pipeline = Pipeline("en", form=form)
    known = pipeline.record({"html": page, "url": "https://a.example/news/rain"})
    assert pipeline.record({"html": page})["text"] == known["text"]


PERSON = {"@type": "Person", "@id": "#ann", "name": "Ann Lee"}


def texts(values: list[Any], field: str, title: str = "") -> list[str]:
    return [text for text, _ in linked_metadata(values, title).get(field, [])]


def test_article_in_a_graph() -> None:
    graph = [
        {"@type": "WebSite", "name": "The Puddle", "publisher": {"@id": "#org"}},
        {"@type": "Organization", "@id": "#org", "name": "Puddle Ltd"},
        {"@type": "WebPage", "name": "It rained - The Puddle", "datePublished": "2020-01-01", "inLanguage": "en"},
        {"@type": ["Article", "NewsArticle"], "headline": "It rained &amp; <b>rained</b>", "author": {"@id": "#ann"},
         "publisher": {"@id": "#org"}, "datePublished": "2024-05-03", "image": {"url": "https://p.org/a.png"},
         "keywords": ["rain", "snow"]},
        PERSON,
    ]  # fmt: skip
    said = linked_metadata([{"@graph": graph}])
    assert said["title"] == [("It rained & rained", "json-ld headline")]
    assert said["author"] == [("Ann Lee", "json-ld author")]
    assert said["date"] == [("2024-05-03", "json-ld datePublished"), ("2020-01-01", "json-ld WebPage datePublished")]
    assert said["site"] == [("Puddle Ltd", "json-ld publisher"), ("The Puddle", "json-ld WebSite")]
    assert said["image"] == [("https://p.org/a.png", "json-ld image")]
    assert [text for text, _ in said["categories"]] == ["rain", "snow"]


def test_articles_of_other_pages() -> None:
    teasers = [{"@type": "NewsArticle", "headline": f"Story {n}", "author": f"Author {n}"} for n in "abc"]
    assert linked_metadata([teasers]) == {}
    assert texts([teasers], "author", "Story b - Puddle") == ["Author b"]
    assert linked_metadata([{"@type": "ItemList", "itemListElement": teasers}]) == {}
    review = {"@type": "Product", "name": "Lamp", "review": {"@type": "Review", "author": "A buyer"}}
    assert "author" not in linked_metadata([review])


def test_the_recipe_in_an_article_names_its_author_first() -> None:
    article = {"@type": "Article", "headline": "Rain cake", "author": "ann"}
    recipe = {"@type": "Recipe", "name": "Cake of rain", "author": {"@type": "Person", "name": "Ann Lee"}}
    said = linked_metadata([article, recipe], "Rain cake")
    assert said["author"] == [("Ann Lee", "json-ld Recipe author"), ("ann", "json-ld author")]
    assert said["title"] == [("Rain cake", "json-ld headline")]
    assert texts([article, {**recipe, "author": {"@type": "Organization", "name": "Log"}}], "author", "Rain cake") == [
        "ann"
    ]
    assert texts([article, recipe, recipe], "author", "Rain cake") == ["ann"]  # a list of recipes


def test_items_that_are_not_the_page() -> None:
    items = [{"@type": "Recipe"}, {"@type": "Article", "headline": "Rain", "author": "Ann Lee"}]
    assert texts(items, "author") == ["Ann Lee"]
    recording = {"@type": "VideoObject", "name": "How it rained", "uploadDate": "2020-05-03"}
    assert linked_metadata([recording], "Coats for rain") == {}
    assert linked_metadata([recording], "How it rained - Log")["title"] == [("How it rained", "json-ld name")]
    assert "site" not in linked_metadata([{"@type": "Article", "publisher": PERSON}])
    assert "site" not in linked_metadata([{"@type": "Article", "publisher": {"@id": "#ann"}}, PERSON])


def test_broken_values_and_circles() -> None:
    unnamed = {"@type": "Article", "author": [None, 7, {"name": 7}]}
    unknown = {"@type": "Article", "author": {"@id": ["#"]}, "headline": None}
    for value in (None, 7, "x", [], {}, {"@type": 7}, {"@type": []}, unnamed, unknown, [[[{"@graph": 7}]]]):
        assert linked_metadata([value]) == {}
    a: dict[str, Any] = {"@type": "Article", "@id": "#a", "author": {"@id": "#a"}}
    assert linked_metadata([a]) == {}
    assert len(texts([{"@type": "Article", "author": [{"name": f"A {n}"} for n in range(999)]}], "author")) <= 30


def test_bounds() -> None:
    deep: Any = {"@type": "Article", "name": "Rain"}
    for _ in range(900):
        deep = [deep]
    wide = {"@type": "Article", "author": [[["A"] * 50] * 50] * 50, "publisher": {"@id": deep}, "keywords": deep}
    deep_name: Any = "Rain"
    for _ in range(1500):
        deep_name = [deep_name]
    named = {"@type": "Article", "headline": deep_name}
    for kind in ("Article", "VideoObject"):
        assert texts([{"@type": kind, "name": deep_name}, {**named, "headline": "Hail"}], "title", "Hail") == ["Hail"]
    for values in (
        [deep],
        [wide],
        [named, named],
        [[wide] * 3000],
        [{"@graph": [{"@type": "WebPage", "author": "A"}] * 5000}],
    ):
        linked_metadata(values)
    assert len(texts([wide], "author")) == 1  # repetitions
    many = {"@type": "Article", "author": [f"A{n}" for n in range(100)]}
    assert len(texts([many], "author")) == 30
