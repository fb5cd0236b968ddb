"""Metadata in JSON-LD."""

from __future__ import annotations

from typing import Any

from ncfilters.page.metadata.structured_data import linked_metadata

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


def test_an_item_without_headline_is_not_the_page() -> None:
    items = [{"@type": "Recipe"}, {"@type": "Article", "headline": "Rain", "author": "Ann Lee"}]
    assert texts(items, "author") == ["Ann Lee"]


def test_a_recording_in_the_page_is_not_the_page() -> None:
    recording = {"@type": "VideoObject", "name": "How it rained", "uploadDate": "2020-05-03"}
    assert linked_metadata([recording], "Coats for rain") == {}
    assert linked_metadata([recording], "How it rained - Log")["title"] == [("How it rained", "json-ld name")]


def test_persons_are_no_sites() -> None:
    assert "site" not in linked_metadata([{"@type": "Article", "publisher": PERSON}])
    assert "site" not in linked_metadata([{"@type": "Article", "publisher": {"@id": "#ann"}}, PERSON])


def test_broken_values() -> None:
    unnamed = {"@type": "Article", "author": [None, 7, {"name": 7}]}
    unknown = {"@type": "Article", "author": {"@id": ["#"]}, "headline": None}
    for value in (None, 7, "x", [], {}, {"@type": 7}, {"@type": []}, unnamed, unknown, [[[{"@graph": 7}]]]):
        assert linked_metadata([value]) == {}


def test_references_in_a_circle_end() -> None:
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
