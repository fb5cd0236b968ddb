"""The content of JSON-LD."""

from __future__ import annotations

import random
from typing import Any

import orjson
import pytest

from ncfilters.page import json_ld, walks
from ncfilters.page.json_ld import linked_texts
from ncfilters.page.lenient_json import load_json

ARTICLE = {"@type": "Article", "articleBody": "It rained."}
TEXTS = [("Article", "articleBody", "It rained.")]


@pytest.mark.parametrize(
    "value, expected",
    [
        (ARTICLE, TEXTS),
        ([[ARTICLE]], TEXTS),
        ({"@graph": [ARTICLE, {"@type": "WebSite", "description": "A site."}]}, TEXTS),
        ({"@type": ["BlogPosting", "Article"], "text": "a"}, [("BlogPosting", "text", "a")]),
        ({"@type": "https://schema.org/Event", "name": "a"}, [("Event", "name", "a")]),
        ({"@type": "schema:Event", "name": "a"}, [("Event", "name", "a")]),
        ({"@type": "Article", "author": {"@type": "Thing", "description": "no"}}, []),
        ({"@type": "Person", "description": "no"}, []),
        ({"@type": "WebPage", "name": "no", "description": "a"}, [("WebPage", "description", "a")]),
        ({"text": ["a", "b", 7, None, ""]}, [("", "text", "a"), ("", "text", "b")]),
        ({"text": {"@value": "a", "@language": "en"}}, [("", "text", "a")]),
        ({"url": "no", "keywords": "no", "@id": "no"}, []),
        (  # in order, the own text first
            {"step": [{"@type": "HowToStep", "text": "b"}, {"@type": "HowToStep", "text": "c"}], "name": "a"},
            [("", "name", "a"), ("HowToStep", "text", "b"), ("HowToStep", "text", "c")],
        ),
        (
            {"@type": "Product", "offers": {"@type": "Offer", "price": 7, "priceCurrency": "EUR"}},
            [("Offer", "price", "7 EUR")],
        ),
        ({"offers": {"@type": "AggregateOffer", "lowPrice": "5", "price": None}}, []),
        ({"offers": {"lowPrice": "5.00"}}, [("", "price", "5.00")]),
        (
            {"additionalProperty": [{"@type": "PropertyValue", "name": "Width", "value": "7\ncm"}]},
            [("PropertyValue", "property", "Width\t7 cm")],
        ),
        ({"@type": "PropertyValue", "name": "Width", "value": {"a": "b"}}, []),
        ({"text": "a\ud800"}, [("", "text", "a\ufffd")]),
        ({"@type": {"a": 1}, "text": {"b": {"c": "d"}}}, []),
        (None, []),
        ("text", []),
    ],
)
def test_texts_of_values(value: Any, expected: list[tuple[str, str, str]]) -> None:
    assert linked_texts(value) == expected


def test_without_names_prices_and_summaries() -> None:
    question = {"@type": "Question", "name": "a", "acceptedAnswer": {"@type": "Answer", "text": "b"}}
    value = [
        question,
        {"@type": "Product", "name": "no", "description": "c", "price": 7},
        {**ARTICLE, "description": "no"},
    ]
    expected = [("Question", "name", "a"), ("Answer", "text", "b"), ("Product", "description", "c"), *TEXTS]
    assert linked_texts(value, everything=False) == expected


def test_visited_values_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_ld, "MAX_VALUES", 10)
    assert len(linked_texts({"text": ["a"] * 100})) == 8  # the object and the list are values, too


NEEDS_CORE = pytest.mark.skipif(walks.core_of_walk() is None, reason="no compiled core")
NAMES = "@type @type name description headline text url @graph @value author mainEntity articleBody image about".split()
TYPES = [
    *"Article WebPage Question HowToStep Product Person Organization Thing http://schema.org/Question".split(),
    ["Article", "Question"],
    [],
    {"@type": "Question"},
    None,
    "",
]


def made_value(made: random.Random, depth: int = 0) -> Any:
    kind = made.random()
    if depth > 3 or kind < 0.4:
        return made.choice(("", "It rained.", 'She said "no".', "{", "</x>", 7, None, True))
    if kind < 0.5:
        return [made_value(made, depth + 1) for _ in range(made.randint(0, 3))]
    names = made.sample(NAMES, made.randint(0, 4))
    return {name: made.choice(TYPES) if name == "@type" else made_value(made, depth + 1) for name in names}


@NEEDS_CORE
def test_content_is_never_missed_before_it_is_read() -> None:
    made, core = random.Random(1), walks.core_of_walk()
    found = 0
    for _ in range(20_000):
        json = orjson.dumps(made_value(made), option=made.choice((0, orjson.OPT_INDENT_2)))
        if made.random() < 0.2:
            json = json.replace(b"}", made.choice((b",}", b"}}", b"&quot;}", b"\n}")), 1)
        texts = linked_texts(load_json(json.decode()), everything=False)
        found += bool(texts)
        assert core.may_have_content(json) or not texts, json
    assert found > 1_000


@NEEDS_CORE
@pytest.mark.parametrize(
    ("json", "may_have"),
    [
        ('{"@type": "WebPage", "name": "a", "description": "b"}', False),
        ('{"@type": ["Article"], "author": {"@type": "Person", "description": "b"}}', False),
        ('{"description": "b", "@type": "NewsArticle"}', False),
        ('{"@type": "Product", "description": ""}', False),
        ('{"@type": "Product", "description": "b"}', True),
        ('{"@type": "WebPage", "about": {"description": "b"}}', True),
        ('{"@type": "Question", "name": "b"}', True),
        ('{"@type": "schema:Question"}', True),
        ('{"\\u0074ext": "b"}', True),
        ('{"a": "text"}', False),
        ("{&quot;text&quot;: 1}", True),
        ('{"text', True),
        ("", False),
        ("[" * 100 + "]" * 100, True),
    ],
)
def test_what_may_have_content(json: str, may_have: bool) -> None:
    assert walks.core_of_walk().may_have_content(json.encode()) == may_have
